// Work that takes much memory for as long as it runs, such as a bag of tens of thousands of cells: few at once in the process,
// two of a caller. What waits has taken nothing yet. All of them at once would also end at the same time, each too late.

import { setMaxListeners } from 'node:events'
import { inPieces, type Slicing } from './inSlices.ts'
import { Lanes } from './lanes.ts'

const lanes = new Lanes({ total: 4, reserve: 4, perCaller: 2, perTurn: 4, waitingPerCaller: Number.POSITIVE_INFINITY })

const NEVER = new AbortController().signal

/** `inPieces`, when it is this caller's turn. Rejects with the signal's reason when that is aborted before. */
export async function fewAtOnce<R>(pieces: Generator<void, R>, slicing: Slicing = {}): Promise<R> {
  const { subject = '', signal = NEVER } = slicing
  if (!lanes.tryEnter(subject)) {
    // One call may read much at once.
    setMaxListeners(0, signal)
    await lanes.enter(subject, signal)
  }
  try {
    return await inPieces(pieces, slicing)
  } finally {
    lanes.leave(subject)
  }
}
