/**
 * `make`, one at a time: who asks while it runs waits for the next run, which all of them share. What they get was made after
 * they had asked.
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
    if (running === null) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}
