// The parts of a block by the traces they belong to, found once for all traces of the block.

import { hashFromBytes } from '../../cell/index.ts'
import type { ActionRow, BlockRows, TransactionFound } from '../../store/index.ts'

export interface TraceParts {
  readonly transactions: TransactionFound[]
  readonly actions: ActionRow[]
}

const NOTHING: TraceParts = { transactions: [], actions: [] }

export const traceKey = (traceId: Uint8Array): string => hashFromBytes(traceId)

const known = new WeakMap<BlockRows, ReadonlyMap<string, TraceParts>>()

function group({ transactions, actions }: BlockRows): ReadonlyMap<string, TraceParts> {
  const all = new Map<string, TraceParts>()
  const of = (traceId: Uint8Array): TraceParts => {
    const key = traceKey(traceId)
    const found = all.get(key) ?? { transactions: [], actions: [] }
    all.set(key, found)
    return found
  }
  for (const one of transactions) of(one.row.traceId).transactions.push(one)
  for (const one of actions) of(one.traceId).actions.push(one)
  return all
}

/** What a block has of a trace. */
export function traceParts(block: BlockRows, traceId: Uint8Array): TraceParts {
  const parts = known.get(block) ?? group(block)
  known.set(block, parts)
  return parts.get(traceKey(traceId)) ?? NOTHING
}
