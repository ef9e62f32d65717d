// The parts of a block by the traces they belong to, found once for all traces of the block.

import { hashFromBytes, inOnePiece } from '../../cell/index.ts'
import type { ActionRow, BlockRows, TransactionFound } from '../../store/index.ts'

export interface TraceParts {
  readonly transactions: TransactionFound[]
  readonly actions: ActionRow[]
}

const NOTHING: TraceParts = { transactions: [], actions: [] }

export const traceKey = (traceId: Uint8Array): string => hashFromBytes(traceId)

const known = new WeakMap<BlockRows, ReadonlyMap<string, TraceParts>>()

/** Rows that are grouped in one piece: a fraction of a millisecond. */
const PIECE = 200

function* grouping({ transactions, actions }: BlockRows): Generator<void, ReadonlyMap<string, TraceParts>> {
  const all = new Map<string, TraceParts>()
  const of = (traceId: Uint8Array): TraceParts => {
    const key = traceKey(traceId)
    const found = all.get(key) ?? { transactions: [], actions: [] }
    all.set(key, found)
    return found
  }
  let count = 0
  for (const one of transactions) {
    of(one.row.traceId).transactions.push(one)
    if (++count % PIECE === 0) yield
  }
  for (const one of actions) {
    of(one.traceId).actions.push(one)
    if (++count % PIECE === 0) yield
  }
  return all
}

/** Finds the parts of a block, which may have ten thousand transactions, before they are used. */
export function* groupingParts(block: BlockRows): Generator<void, ReadonlyMap<string, TraceParts>> {
  const parts = known.get(block) ?? (yield* grouping(block))
  known.set(block, parts)
  return parts
}

/** What a block has of a trace. */
export const traceParts = (block: BlockRows, traceId: Uint8Array): TraceParts =>
  inOnePiece(groupingParts(block)).get(traceKey(traceId)) ?? NOTHING
