// The parts of a block by the traces they belong to, found once for all traces of the block.

import { hashFromBytes, inOnePiece } from '../../cell/index.ts'
import { goingThrough } from '../../fairness/index.ts'
import type { ActionRow, BlockRows, TransactionFound } from '../../store/index.ts'

export interface TraceParts {
  readonly transactions: TransactionFound[]
  readonly actions: ActionRow[]
}

const NOTHING: TraceParts = { transactions: [], actions: [] }

export const traceKey = (traceId: Uint8Array): string => hashFromBytes(traceId)

const known = new WeakMap<BlockRows, ReadonlyMap<string, TraceParts>>()

function* grouping({ transactions, actions }: BlockRows): Generator<void, ReadonlyMap<string, TraceParts>> {
  const all = new Map<string, TraceParts>()
  const of = (traceId: Uint8Array): TraceParts => {
    const key = traceKey(traceId)
    const found = all.get(key) ?? { transactions: [], actions: [] }
    all.set(key, found)
    return found
  }
  yield* goingThrough(transactions, (one) => of(one.row.traceId).transactions.push(one))
  yield* goingThrough(actions, (one) => of(one.traceId).actions.push(one))
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
