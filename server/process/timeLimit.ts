// A bound in time that holds.

/**
 * Aborts after so many milliseconds, or when another signal does. `AbortSignal.any` keeps no hold on an
 * `AbortSignal.timeout`: collected as garbage, that never fires, and a slow host would be waited for without end.
 */
export function timeLimit(ms: number, ...others: readonly AbortSignal[]): AbortSignal {
  const limit = new AbortController()
  const { signal } = limit
  const timer = setTimeout(() => limit.abort(new DOMException('It took too long', 'TimeoutError')), ms)
  timer.unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  for (const other of others) {
    if (other.aborted) limit.abort(other.reason)
    else other.addEventListener('abort', () => limit.abort(other.reason), { once: true, signal })
  }
  return signal
}
