// What others wait for goes before what only makes more of it: while a block is indexed or reported to streams, the next one is
// made in what time is left. All work in the process counts together.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn of the event loop that took less had nothing to do worth waiting for: the work that presses waits for a thread. */
const IDLE_TURN_MS = 0.5

let count = 0

/** Does work that presses until it settles. */
export async function pressing<T>(work: () => Promise<T>): Promise<T> {
  count++
  try {
    return await work()
  } finally {
    count--
  }
}

/** Lets the event loop turn; again while there is work that presses and it has something to do, for so many milliseconds at most. */
export async function giveWay(mostMs: number): Promise<void> {
  const began = performance.now()
  for (let turn = began; ; turn = performance.now()) {
    await nextTurn()
    const now = performance.now()
    if (count === 0 || now - turn < IDLE_TURN_MS || now - began >= mostMs) return
  }
}
