// Jetton wallets first deployed in a pending trace, so the index does not know them yet: the sender of the jettons
// names the master, and the request to transfer or to mint names the owner.

import { jettons } from '../bodies/index.ts'
import { openCell, orNull } from '../cell/index.ts'
import { accountsBegun } from './accountsBegun.ts'
import type { AccountFacts, AccountsFacts, TraceInput, TraceTransaction } from './input.ts'
import { cellOf } from './node.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_TRANSFER_OPCODE } from './opcodes.ts'
import { fieldsOf } from './reading.ts'
import { readTransferRequest } from './rules/jettons/transfer.ts'

const { mint, minterMint } = jettons
/** Both orders have one layout. */
const readRecipient = fieldsOf(mint, 'toAddress')

type Wallet = NonNullable<AccountFacts['jettonWallet']>

/** The wallet that jettons go to, by what their sender was asked for. */
function walletAskedOf(
  { account, inMessage }: TraceTransaction,
  facts: AccountsFacts,
  isMaster: (account: string) => boolean,
): Wallet | null {
  const body = inMessage === null ? null : cellOf(inMessage.body)
  if (body === null) return null
  const opcode = inMessage?.opcode
  if (opcode === JETTON_TRANSFER_OPCODE) {
    const jetton = facts.get(account)?.jettonWallet?.jetton
    const owner = orNull(() => readTransferRequest(openCell(body)))?.destination ?? null
    return jetton === undefined || owner === null ? null : { jetton, owner }
  }
  if ((opcode !== mint.opcode && opcode !== minterMint.opcode) || !isMaster(account)) return null
  const owner = orNull(() => readRecipient(openCell(body).skip(32)))?.toAddress ?? null
  return owner === null ? null : { jetton: account, owner }
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
  const begun = accountsBegun({ transactions })
  const isMaster = (account: string): boolean =>
    begun.has(account) || facts.get(account)?.interfaces.includes('jetton_master') === true
  for (const { account, inMessage, endStatus } of transactions) {
    if (inMessage?.opcode !== JETTON_INTERNAL_TRANSFER || endStatus !== 'active') continue
    const known = supposed.get(account) ?? { interfaces: [], codeHash: null }
    const sender = senders.get(inMessage.hash)
    const jettonWallet = sender === undefined ? null : walletAskedOf(sender, supposed, isMaster)
    if (known.jettonWallet === undefined && jettonWallet !== null) supposed.set(account, { ...known, jettonWallet })
  }
  return supposed
}
