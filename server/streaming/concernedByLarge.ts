// Whom the transactions of a trace concern that is too large to be read at once: only its accounts are read, each once.

import { rawOfKey } from '../methods/index.ts'
import type { BlockRows } from '../store/index.ts'
import type { BlockEmission } from './emitBlock.ts'
import type { Subscriber } from './subscriber.ts'
import { largeTracesOf } from './tracesOfBlock.ts'

/** Accounts that are looked up between two looks at the clock. */
const FEW = 50

export async function concernedByLarge(
  { routes, traces, pace }: Pick<BlockEmission, 'routes' | 'traces' | 'pace'>,
  rows: BlockRows,
): Promise<ReadonlySet<Subscriber>> {
  const found = new Set<Subscriber>()
  for (const trace of largeTracesOf(rows)) {
    if (routes.ofType('transactions').size === 0) break
    for await (const accounts of traces.large.accounts(trace))
      for (const [i, account] of accounts.entries()) {
        if (i % FEW === FEW - 1 && pace.isDue) await pace.rest()
        for (const one of routes.ofAddress(rawOfKey(account)))
          if (one.subscription.types.has('transactions')) found.add(one)
      }
  }
  return found
}
