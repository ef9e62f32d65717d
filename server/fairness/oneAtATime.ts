/**
 * Runs `make` for one caller at a time. Callers that come during a run share the next one, so that every caller's result was made
 * after its call.
 */
export function oneAtATime<V>(make: () => Promise<V>): () => Promise<V> {
  let running: Promise<V> | null = null
  let next: Promise<V> | null = null
  const begin = (): Promise<V> => {
    next = null
    const run = make().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => {
    // Also in the moment between two runs, when nothing runs: the next one is about to begin.
    if (next !== null) return next
    if (running === null) return begin()
    next = running.then(begin, begin)
    return next
  }
}
