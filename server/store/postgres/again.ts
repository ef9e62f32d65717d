// What is worth trying again, and when.

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../errors.ts'
import { isLost } from '../failure.ts'

/** Milliseconds before each further try; a restart of a server takes some seconds. */
const AFTER_LOSS = [50, 200, 500, 1_000, 2_000]
const AFTER_CONFLICT = [5, 20, 50, 100, 200, 400]

interface Tries {
  readonly pauses: readonly number[]
  readonly isWorthIt: (error: unknown) => boolean
  readonly signal?: AbortSignal | undefined
}

async function tryAgain<T>(work: () => Promise<T>, { pauses, isWorthIt, signal }: Tries): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const pause = pauses[tries]
      if (pause === undefined || !isWorthIt(error) || signal?.aborted === true) throw error
      // Not all at the same instant again.
      await sleep(pause * (0.5 + Math.random()))
    }
  }
}

/** For a read: none of its rows has been handed out when it fails. */
export const againAfterLoss = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  tryAgain(work, { pauses: AFTER_LOSS, isWorthIt: isLost, signal })

/** For a transaction: one that lost against another left nothing behind. */
export const againAfterConflict = <T>(work: () => Promise<T>): Promise<T> =>
  tryAgain(work, {
    pauses: AFTER_CONFLICT,
    isWorthIt: (error) => error instanceof StoreError && error.code === 'conflict',
  })
