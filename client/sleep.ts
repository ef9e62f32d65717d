/** Beyond it a timer fires at once. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Calls after that time, soon for one below 0, but never for 0 or a time that no timer has, such as Infinity. Returns what
 * takes it back.
 */
export function limit(ms: number, onOver: () => void): () => void {
  if (!ms || ms > LONGEST_MS) return () => {}
  const timer = setTimeout(onOver, ms)
  return () => clearTimeout(timer)
}

/** Resolves after that time, 25 days at most, or at once when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, LONGEST_MS))
    signal.addEventListener('abort', done)
  })
}
