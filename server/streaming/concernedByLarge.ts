// Whom the transactions and messages of a trace concern that is too large to be read at once: only its accounts are read, each once.

import { rawOfKey } from '../methods/index.ts'
import type { BlockRows } from '../store/index.ts'
import type { BlockEmission } from './emitBlock.ts'
import { notifications } from './notifications/index.ts'
import { isOfAnyAccount } from './streamSubscription.ts'
import type { Subscriber } from './subscriber.ts'
import { largeTracesOf } from './tracesOfBlock.ts'

/** Types that are sent of such a trace. */
const IN_PARTS = notifications.trace.filter(({ parts }) => parts !== undefined)

/** Accounts that are looked up between two looks at the clock. */
const FEW = 50

export async function concernedByLarge(
  { routes, traces, pace }: Pick<BlockEmission, 'routes' | 'traces' | 'pace'>,
  rows: BlockRows,
): Promise<ReadonlySet<Subscriber>> {
  const found = new Set<Subscriber>()
  const readers = new Set(IN_PARTS.flatMap(({ name }) => [...routes.ofType(name)]))
  if (readers.size === 0) return found
  for (const trace of largeTracesOf(rows)) {
    // Only its messages say which opcodes it has.
    for (const one of readers) if (isOfAnyAccount(one.subscription)) found.add(one)
    for await (const accounts of traces.large.accounts(trace))
      for (let at = 0; at < accounts.length; at += FEW) {
        if (at > 0 && pace.isDue) await pace.rest()
        for (const one of routes.ofParts([accounts.slice(at, at + FEW).map(rawOfKey)]).keys())
          if (readers.has(one)) found.add(one)
      }
  }
  return found
}
