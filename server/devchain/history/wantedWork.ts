// Work that several callers wait for. It is stopped when none of them waits any more.

/** What `begin` makes until its signal is aborted, for all who wait for it under one key. */
export class WantedWork<K, V> {
  readonly #running = new Map<K, Shared<V>>()

  /** Keys of what is being made. */
  keys(): Iterable<K> {
    return this.#running.keys()
  }

  /** Work in flight ends for the callers that wait for it already; later callers begin anew. */
  clear(): void {
    this.#running.clear()
  }

  /** Rejects with the reason of `signal` once that is aborted. */
  async wait(key: K, signal: AbortSignal | undefined, begin: (signal: AbortSignal) => Promise<V>): Promise<V> {
    signal?.throwIfAborted()
    const work = this.#running.get(key) ?? this.#begin(key, begin)
    work.waiting++
    try {
      return await endedBy(signal, work.made)
    } finally {
      work.waiting--
      if (work.waiting === 0) this.#end(key, work)
    }
  }

  #begin(key: K, begin: (signal: AbortSignal) => Promise<V>): Shared<V> {
    const end = new AbortController()
    const work: Shared<V> = { end, made: begin(end.signal), waiting: 0 }
    this.#running.set(key, work)
    return work
  }

  #end(key: K, work: Shared<V>): void {
    if (this.#running.get(key) === work) this.#running.delete(key)
    work.end.abort()
  }
}

interface Shared<V> {
  readonly end: AbortController
  readonly made: Promise<V>
  waiting: number
}

async function endedBy<V>(signal: AbortSignal | undefined, work: Promise<V>): Promise<V> {
  if (signal === undefined) return await work
  let stop = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
