// What moved in a trace, read from its messages alone: jettons by the messages between wallets that were taken in, TON by
// the values of messages.

import type { AccountsFacts, ClassifiedAction, TraceInput } from '../../../server/actions/index.ts'
import { jettons } from '../../../server/bodies/index.ts'
import { openCell, orNull, readBoc } from '../../../server/cell/index.ts'

/** Messages that bring jettons to a wallet. */
const MOVES: readonly number[] = [jettons.internalTransfer.opcode, jettons.lockedTransfer.opcode]

export interface Movement {
  /** Of the transaction that received it. */
  readonly transaction: string
  /** Null is TON. */
  readonly asset: string | null
  readonly from: string | null
  /** The owner of the wallet, where jettons went to one, or the wallet; null when they were burnt. */
  readonly to: string | null
  readonly amount: bigint
}

/** Of a message that begins with an operation and a number of the request. */
export const jettonAmountOf = (body: Uint8Array): bigint | null =>
  orNull(() =>
    openCell(readBoc(body))
      .skip(32 + 64)
      .loadVarUint(16),
  )

/** Jettons that a wallet took: its own, those of the one that sent them, or those that a master made and sent. */
export function jettonsMoved({ transactions }: TraceInput, facts: AccountsFacts): Movement[] {
  return transactions.flatMap(({ hash, account, aborted, inMessage }): Movement[] => {
    const sender = facts.get(inMessage?.source ?? '')?.jettonWallet
    const receiver = facts.get(account)?.jettonWallet
    const asset = (receiver ?? sender)?.jetton ?? inMessage?.source ?? null
    const isMove = inMessage !== null && MOVES.includes(inMessage.opcode ?? 0)
    if (!isMove || aborted || asset === null) return []
    const amount = jettonAmountOf(inMessage.body)
    if (amount === null) return []
    return [{ transaction: hash, asset, from: sender?.owner ?? null, to: receiver?.owner ?? account, amount }]
  })
}

/** Jettons that wallets were ordered to burn, and burnt; of a wallet that is not known, where a master took note of it. */
export function jettonsBurnt({ transactions }: TraceInput, facts: AccountsFacts): Movement[] {
  const noted = new Map(
    transactions.flatMap(({ account, aborted, inMessage }) =>
      inMessage?.opcode === jettons.burnNotification.opcode && !aborted ? [[inMessage.source, account] as const] : [],
    ),
  )
  return transactions.flatMap(({ hash, account, aborted, inMessage }): Movement[] => {
    const wallet = facts.get(account)?.jettonWallet
    const asset = wallet?.jetton ?? noted.get(account)
    if (inMessage?.opcode !== jettons.burn.opcode || aborted || asset === undefined) return []
    const amount = jettonAmountOf(inMessage.body)
    const from = wallet?.owner ?? inMessage.source
    return amount === null ? [] : [{ transaction: hash, asset, from, to: null, amount }]
  })
}

/** TON that left an account with a message, whether or not the receiver kept it. */
export const tonMoved = ({ transactions }: TraceInput): Movement[] =>
  transactions.flatMap(({ hash, account, inMessage }) =>
    inMessage?.kind === 'internal' && inMessage.value !== null
      ? [{ transaction: hash, asset: null, from: inMessage.source, to: account, amount: inMessage.value }]
      : [],
  )

/** What of it the receiver kept: what did not bounce, or only failed behind the computation, which sends nothing back. */
export const tonKept = (input: TraceInput): Movement[] => {
  const sentBack = new Set(
    input.transactions.flatMap(({ hash, aborted, exitCode, inMessage }) =>
      aborted && exitCode !== 0 && inMessage?.bounce === true ? [hash] : [],
    ),
  )
  return tonMoved(input).filter(({ transaction }) => !sentBack.has(transaction))
}

/** Masters of TON that is traded as a jetton. */
export const PROXY_TON: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
])

export const isTon = (asset: unknown): boolean => asset == null || PROXY_TON.has(String(asset))

export interface Leg {
  readonly asset: unknown
  readonly amount: unknown
  readonly to?: unknown
}

/** What an exchange is said to have paid. */
export function paidLegs({ type, details }: ClassifiedAction): Leg[] {
  // The cast: the shape of the type has it.
  const outgoing = details.dex_outgoing_transfer as
    | { asset: unknown; amount: unknown; destination: unknown }
    | undefined
  if (type === 'jetton_swap' && outgoing !== undefined) return [{ ...outgoing, to: outgoing.destination }]
  if (type === 'dex_withdraw_liquidity')
    return [1, 2].map((n) => ({ asset: details[`asset_${n}`], amount: details[`amount_${n}`], to: details.source }))
  return []
}

/** Whether a leg is among what moved in the action; a part of what a message carries pays for the way. */
export function hasMoved(action: ClassifiedAction, { asset, amount, to }: Leg, moved: readonly Movement[]): boolean {
  const least = BigInt(String(amount ?? 0))
  return moved.some(
    (one) =>
      action.transactions.includes(one.transaction) &&
      (isTon(asset) ? one.asset === null && one.amount >= least : one.asset === asset && one.amount === least) &&
      (to == null || one.to === to),
  )
}
