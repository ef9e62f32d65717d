// Jetton wallets first deployed in a pending trace, so the index does not know them yet: the sender of the jettons
// names the master, and the transfer request names the owner.

import { openCell, orNull } from '../cell/index.ts'
import type { AccountFacts, AccountsFacts, TraceInput, TraceTransaction } from './input.ts'
import { cellOf } from './node.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_TRANSFER_OPCODE } from './opcodes.ts'
import { readTransferRequest } from './rules/jettons/transfer.ts'

/** Recipients that a transaction's request names. */
function receiverAskedOf({ inMessage }: TraceTransaction): string | null {
  const body = inMessage?.opcode === JETTON_TRANSFER_OPCODE ? cellOf(inMessage.body) : null
  if (body === null) return null
  return orNull(() => readTransferRequest(openCell(body)))?.destination ?? null
}

/** The facts, and those that can be supposed. */
export function withNewWallets(
  { transactions }: Pick<TraceInput, 'transactions'>,
  facts: AccountsFacts,
): AccountsFacts {
  const supposed = new Map<string, AccountFacts>(facts)
  const senders = new Map(
    transactions.flatMap((transaction) => transaction.outMessages.map(({ hash }) => [hash, transaction] as const)),
  )
  for (const { account, inMessage, endStatus } of transactions) {
    if (inMessage?.opcode !== JETTON_INTERNAL_TRANSFER || endStatus !== 'active') continue
    const known = supposed.get(account) ?? { interfaces: [], codeHash: null }
    const jetton = supposed.get(inMessage.source ?? '')?.jettonWallet?.jetton
    const sender = senders.get(inMessage.hash)
    const owner = sender === undefined ? null : receiverAskedOf(sender)
    if (known.jettonWallet === undefined && jetton !== undefined && owner !== null)
      supposed.set(account, { ...known, jettonWallet: { owner, jetton } })
  }
  return supposed
}
