// A trace at some moment: what is in blocks, and the rest as the TVM predicts it.

import { sameBytes } from '../../cell/index.ts'
import type { ActionRow, TransactionFound } from '../../store/index.ts'

/** From the least to the most certain. */
export const FINALITIES = ['pending', 'confirmed', 'finalized'] as const
export type Finality = (typeof FINALITIES)[number]

const rankOf = (finality: Finality): number => FINALITIES.indexOf(finality)

/** Whether the first is as certain as the second, or more. */
export const isAtLeast = (a: Finality, b: Finality): boolean => rankOf(a) >= rankOf(b)

/** `finalized` of none. */
export const leastOf = (all: readonly Finality[]): Finality =>
  all.reduce((least, one) => (isAtLeast(one, least) ? least : one), 'finalized')

export interface LiveNode {
  readonly found: TransactionFound
  readonly finality: Finality
}

export interface LiveAction {
  readonly row: ActionRow
  readonly finality: Finality
}

export interface LiveTraceNames {
  /** Of the external message it began with, as it was sent. */
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** Null as long as no block has its first transaction. */
  readonly traceId: Uint8Array | null
}

export interface LiveTrace extends LiveTraceNames {
  /** Those in blocks first, in the order they happened; then the predicted ones. */
  readonly nodes: readonly LiveNode[]
  readonly actions: readonly LiveAction[]
  /** False when messages are unanswered and nothing is predicted. */
  readonly isWhole: boolean
  /** It has ended with more transactions than are sent together: its nodes are some of them, or none. */
  readonly isTooLarge?: true
}

/** Both hashes of the message from outside that a trace began with; null for a trace that began otherwise. */
export function namesOfTrace([first]: readonly TransactionFound[]): LiveTraceNames | null {
  const message = first?.inMessage
  if (first === undefined || message?.kind !== 'externalIn' || !sameBytes(first.row.traceId, first.row.hash))
    return null
  return { hash: message.hash, hashNorm: message.hashNorm ?? message.hash, traceId: first.row.traceId }
}

/** First 32 bits of bodies that only notify: a trace that waits for nothing else counts as done for its actions. */
const NOTICES = new Set([0x7362d09c, 0x05138d91, 0xd53276db].map((opcode) => opcode | 0))

/** Whether a message only notifies. */
export const isNotice = ({ opcode }: { readonly opcode: number | null }): boolean =>
  opcode !== null && NOTICES.has(opcode)

const isTail = ({ found: { inMessage, outMessages } }: LiveNode): boolean =>
  outMessages.length === 0 && inMessage !== null && isNotice(inMessage)

/** Least finality of all its transactions. */
export const finalityOf = ({ nodes, isWhole }: LiveTrace): Finality =>
  isWhole ? leastOf(nodes.map(({ finality }) => finality)) : 'pending'

/** The same without notifications at its ends. */
export const finalityOfActions = ({ nodes, isWhole }: LiveTrace): Finality =>
  isWhole ? leastOf(nodes.filter((node) => !isTail(node)).map(({ finality }) => finality)) : 'pending'
