// Which failures are retried, and when.

import { setTimeout as sleep } from 'node:timers/promises'
import { isLost } from '../failure.ts'
import { StoreError } from '../storeError.ts'

/** Milliseconds before each retry; a restart of a server takes some seconds. */
const AFTER_LOSS = [50, 200, 500, 1_000, 2_000]
/** Against a server that drops packets instead of refusing, one try takes that long to fail. */
const LONGEST_LOSS_MS = 4_000
const AFTER_CONFLICT = [5, 20, 50, 100, 200, 400]

interface RetryRule {
  readonly pauses: readonly number[]
  readonly isWorthIt: (error: unknown) => boolean
  readonly signal?: AbortSignal | undefined
  /** No retry begins after so many milliseconds. */
  readonly withinMs?: number
}

const isConflict = (error: unknown): boolean => error instanceof StoreError && error.code === 'conflict'

const CONFLICT: RetryRule = { pauses: AFTER_CONFLICT, isWorthIt: isConflict }

/** A read is ended as well where its tables are changed or emptied, and at a replica for what that replays. */
const isReadAgain = (error: unknown): boolean => isLost(error) || isConflict(error)

interface Failed {
  readonly error: unknown
  /** When the work began, on the clock of `performance.now()`. */
  readonly began: number
}

/** Goes on after the first failure. */
async function retry<T>(
  work: () => Promise<T>,
  { error: first, began }: Failed,
  { pauses, isWorthIt, signal, withinMs = Number.POSITIVE_INFINITY }: RetryRule,
): Promise<T> {
  let error = first
  for (const pause of pauses) {
    const isOver = signal?.aborted === true || performance.now() - began > withinMs
    if (isOver || !isWorthIt(error)) break
    // Random: callers that failed together must not return together.
    await sleep(pause * (0.5 + Math.random()))
    try {
      return await work()
    } catch (again) {
      error = again
    }
  }
  throw error
}

/** For a read that failed, and returned no row. */
export const retryLost = <T>(work: () => Promise<T>, failed: Failed, signal?: AbortSignal): Promise<T> =>
  retry(work, failed, { pauses: AFTER_LOSS, isWorthIt: isReadAgain, signal, withinMs: LONGEST_LOSS_MS })

/** For a transaction, which left nothing behind when it lost against another. */
export function retryConflict<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  return work().catch((error: unknown) => retry(work, { error, began }, CONFLICT))
}
