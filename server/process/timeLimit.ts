// Bounds in time that hold, and that leave nothing behind.

import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Aborts after so many milliseconds. Not `AbortSignal.timeout`: `AbortSignal.any` keeps no hold on one, and collected as
 * garbage it never fires, so that a slow host would be waited for without end.
 */
export const timeLimit = (ms: number): AbortSignal => boundedTime(ms).signal

/** Calls back after so many milliseconds, unless what it returns is called before. */
export type After = (ms: number, callback: () => void) => () => void

/** Keeps no process alive that has nothing else to do. */
export const afterTime: After = (ms, callback) => {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}

/** One turn later: a process that was busy, or did not run for a while, must read what has arrived before it acts on a timeout. */
export const afterReading: After = (ms, callback) => {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    turn = setImmediate(callback)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}

const STEPS = 10

/** After so many milliseconds in which the process ran: of a time in which it stood still one step counts, not all of it. */
export function afterRunning(ms: number, callback: () => void): () => void {
  let cancel = (): void => undefined
  const step = (left: number): void => {
    cancel = afterReading(ms / STEPS, left === 1 ? callback : () => step(left - 1))
  }
  step(STEPS)
  return () => cancel()
}

/** Resolves after the time, or as soon as the signal aborts. With `ref: false` it keeps no process alive. */
export const pause = (
  ms: number,
  signal: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<void> => sleep(ms, undefined, { signal, ref }).catch(() => undefined)

/** Waits for work, but no longer than so many milliseconds; rejects when the work does. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

interface BoundedTime {
  /** Aborts when the time is over, or when another signal does. */
  readonly signal: AbortSignal
  /** Called when the work is done: the other signals may live long, and must not keep a listener for each piece of work. */
  done(): void
}

export function boundedTime(ms: number, ...others: readonly AbortSignal[]): BoundedTime {
  const limit = new AbortController()
  const { signal } = limit
  const listening = new AbortController()
  const done = (): void => {
    clearTimeout(timer)
    listening.abort()
  }
  const end = (reason: unknown): void => {
    done()
    limit.abort(reason)
  }
  const timer = setTimeout(() => end(new DOMException('It took too long', 'TimeoutError')), ms)
  timer.unref()
  for (const other of others) {
    if (other.aborted) end(other.reason)
    else other.addEventListener('abort', () => end(other.reason), { once: true, signal: listening.signal })
  }
  return { signal, done }
}
