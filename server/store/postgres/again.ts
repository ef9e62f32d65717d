// What is worth trying again, and when.

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../errors.ts'
import { isLost } from '../failure.ts'

/** Milliseconds before each further try; a restart of a server takes some seconds. */
const AFTER_LOSS = [50, 200, 500, 1_000, 2_000]
/** A server that drops packets instead of refusing takes this long to fail once. */
const LONGEST_LOSS_MS = 4_000
const AFTER_CONFLICT = [5, 20, 50, 100, 200, 400]

interface Tries {
  readonly pauses: readonly number[]
  readonly isWorthIt: (error: unknown) => boolean
  readonly signal?: AbortSignal | undefined
  /** No further try begins after so many milliseconds. */
  readonly withinMs?: number
}

async function tryAgain<T>(
  work: () => Promise<T>,
  { pauses, isWorthIt, signal, withinMs = Number.POSITIVE_INFINITY }: Tries,
): Promise<T> {
  const began = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const pause = pauses[tries]
      const isOver = signal?.aborted === true || performance.now() - began > withinMs
      if (pause === undefined || isOver || !isWorthIt(error)) throw error
      // Not all at the same instant again.
      await sleep(pause * (0.5 + Math.random()))
    }
  }
}

/** For a read: none of its rows has been handed out when it fails. */
export const againAfterLoss = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  tryAgain(work, { pauses: AFTER_LOSS, isWorthIt: isLost, signal, withinMs: LONGEST_LOSS_MS })

/** For a transaction: one that lost against another left nothing behind. */
export const againAfterConflict = <T>(work: () => Promise<T>): Promise<T> =>
  tryAgain(work, {
    pauses: AFTER_CONFLICT,
    isWorthIt: (error) => error instanceof StoreError && error.code === 'conflict',
  })
