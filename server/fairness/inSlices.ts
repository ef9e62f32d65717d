// Long work of many pieces, such as the text of a page of a thousand rows. All such work in the process shares one slice
// of time in each turn of the event loop, and callers are served in turn.

import { Turns } from './turns.ts'

const SLICE_MS = 8
/** While others wait for their slice: enough for a short list. */
const SHORT_MS = 1

/** One a turn: what goes on after it takes the slice. */
const turns = new Turns({ pieces: 1 })

export interface Slicing {
  /** Whose work it is. */
  readonly subject?: string | undefined
  readonly sliceMs?: number
}

/** What `work` makes of each item, in order. */
export async function inSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R,
  { subject = '', sliceMs = SLICE_MS }: Slicing = {},
): Promise<R[]> {
  const made: R[] = []
  let end = performance.now() + (turns.waiting > 0 ? Math.min(SHORT_MS, sliceMs) : sliceMs)
  for (const item of items) {
    if (performance.now() >= end) {
      await turns.next(subject)
      end = performance.now() + sliceMs
    }
    made.push(work(item))
  }
  return made
}
