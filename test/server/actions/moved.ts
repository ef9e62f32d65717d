// What moved in a trace, read from its messages alone: jettons by the messages between wallets that were taken in, TON by
// the values of messages.

import type { Facts, TraceInput } from '../../../server/actions/index.ts'
import { openCell, readBoc } from '../../../server/cell/index.ts'
import { orNull } from '../../../server/tlb/index.ts'

export interface Movement {
  /** Of the transaction that received it. */
  readonly transaction: string
  /** Null is TON. */
  readonly asset: string | null
  readonly from: string | null
  /** The owner of the wallet, where jettons went to one. */
  readonly to: string
  readonly amount: bigint
}

const INTERNAL_TRANSFER = 0x178d4519

const amountOf = (body: Uint8Array): bigint | null =>
  orNull(() =>
    openCell(readBoc(body))
      .skip(32 + 64)
      .loadVarUint(16),
  )

/** Jettons that reached a wallet whose owner is known. */
export function jettonsMoved({ transactions }: TraceInput, facts: Facts): Movement[] {
  return transactions.flatMap(({ hash, account, aborted, inMessage }): Movement[] => {
    const wallet = facts.get(account)?.jettonWallet
    if (inMessage?.opcode !== INTERNAL_TRANSFER || aborted || wallet === undefined) return []
    const amount = amountOf(inMessage.body)
    if (amount === null) return []
    const from = facts.get(inMessage.source ?? '')?.jettonWallet?.owner ?? null
    return [{ transaction: hash, asset: wallet.jetton, from, to: wallet.owner, amount }]
  })
}

/** TON that left an account with a message, whether or not the receiver kept it. */
export const tonMoved = ({ transactions }: TraceInput): Movement[] =>
  transactions.flatMap(({ hash, account, inMessage }) =>
    inMessage?.kind === 'internal' && inMessage.value !== null
      ? [{ transaction: hash, asset: null, from: inMessage.source, to: account, amount: inMessage.value }]
      : [],
  )
