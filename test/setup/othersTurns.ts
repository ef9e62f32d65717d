// How many turns of the event loop others had while something was read: a piece of work that does not yield leaves none.

import { SlicedWork } from '../../server/fairness/index.ts'

/**
 * Every slice is used up at once meanwhile, so that work rests wherever it can: how many pieces fit into a slice depends on
 * the speed and the load of the machine.
 */
export async function restingAlways<T>(work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(SlicedWork.prototype, 'isDue')
  if (own === undefined) throw new Error('there is no such property')
  Object.defineProperty(SlicedWork.prototype, 'isDue', { ...own, get: () => true })
  try {
    return await work()
  } finally {
    Object.defineProperty(SlicedWork.prototype, 'isDue', own)
  }
}

/** `anew` begins the count again: turns that the read spent waiting for an answer are not turns of its own work. */
export async function turnsOf<T>(
  read: (anew: () => void) => Promise<T>,
): Promise<{ readonly found: T; readonly turns: number }> {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  try {
    const found = await restingAlways(() =>
      read(() => {
        turns = 0
      }),
    )
    return { found, turns }
  } finally {
    clearImmediate(next)
  }
}
