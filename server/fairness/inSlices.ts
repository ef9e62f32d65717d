import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of one piece of work in one turn of the event loop. */
const SLICE_MS = 8

/** What `work` makes of each item, in order. The event loop is given up whenever a slice of time is used up. */
export async function inSlices<T, R>(items: readonly T[], work: (item: T) => R, sliceMs = SLICE_MS): Promise<R[]> {
  const made: R[] = []
  let end = performance.now() + sliceMs
  for (const item of items) {
    if (performance.now() >= end) {
      await nextTurn()
      end = performance.now() + sliceMs
    }
    made.push(work(item))
  }
  return made
}
