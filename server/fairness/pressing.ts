// Pressing work goes first: while a block is indexed or reported to streams, the next block is made in the time that is left.
// Counted over the whole process.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** A shorter turn of the event loop ran nothing: the pressing work waits for a thread or a disk. */
const IDLE_TURN_MS = 0.5

let count = 0

/** Runs work that goes first until it settles. */
export async function pressing<T>(work: () => Promise<T>): Promise<T> {
  count++
  try {
    return await work()
  } finally {
    count--
  }
}

/** Lets the event loop turn, and again while pressing work runs in it, for `mostMs` milliseconds at most. */
export async function giveWay(mostMs: number): Promise<void> {
  const began = performance.now()
  for (let turn = began; ; turn = performance.now()) {
    await nextTurn()
    const now = performance.now()
    if (count === 0 || now - turn < IDLE_TURN_MS || now - began >= mostMs) return
  }
}
