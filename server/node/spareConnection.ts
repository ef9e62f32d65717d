// A second connection to a server, opened when the first one is crowded: answers of one connection come one after the
// other, so a small one waits behind every large one.

import type { AdnlConnection, AdnlQueryOptions } from './adnl/index.ts'

/** In flight on the first connection before the second one is opened and used. */
const CROWDED = 64
/** After it could not be opened, or was closed. */
const RETRY_MS = 30_000

export type QueryConnection = Pick<AdnlConnection, 'query' | 'onClose' | 'close'>

const rethrow = (error: unknown): never => {
  throw error
}

/** Queries over the first connection, and over one more while that is crowded; it ends with the first. */
class CrowdedConnection implements QueryConnection {
  readonly #first: QueryConnection
  readonly #open: (signal: AbortSignal) => Promise<QueryConnection>
  readonly #end = new AbortController()
  #spare: QueryConnection | null = null
  #isOpening = false
  #retryAt = Number.NEGATIVE_INFINITY
  /** In flight on each. */
  #onFirst = 0
  #onSpare = 0
  // Made once: there is a query for every read.
  readonly #fromFirst: (answer: Uint8Array) => Uint8Array
  readonly #fromSpare: (answer: Uint8Array) => Uint8Array
  readonly #failedOnFirst: (error: unknown) => never
  readonly #failedOnSpare: (error: unknown) => never

  constructor(
    first: QueryConnection,
    open: (signal: AbortSignal) => Promise<QueryConnection>,
    failed: (error: unknown) => never,
  ) {
    this.#first = first
    this.#open = open
    this.#fromFirst = (answer) => {
      this.#onFirst--
      return answer
    }
    this.#fromSpare = (answer) => {
      this.#onSpare--
      return answer
    }
    this.#failedOnFirst = (error) => {
      this.#onFirst--
      return failed(error)
    }
    this.#failedOnSpare = (error) => {
      this.#onSpare--
      return failed(error)
    }
    first.onClose(() => {
      this.#end.abort()
      this.#spare?.close()
    })
  }

  query(bytes: Uint8Array, options?: AdnlQueryOptions): Promise<Uint8Array> {
    const spare = this.#spare
    if (this.#onFirst < CROWDED || spare === null || this.#onSpare > this.#onFirst) {
      if (this.#isSpareDue) void this.#openSpare()
      this.#onFirst++
      return this.#first.query(bytes, options).then(this.#fromFirst, this.#failedOnFirst)
    }
    this.#onSpare++
    return spare.query(bytes, options).then(this.#fromSpare, this.#failedOnSpare)
  }

  onClose(listener: Parameters<QueryConnection['onClose']>[0]): void {
    this.#first.onClose(listener)
  }

  close(): void {
    this.#first.close()
  }

  get #isSpareDue(): boolean {
    if (this.#onFirst < CROWDED || this.#spare !== null || this.#isOpening) return false
    return performance.now() >= this.#retryAt && !this.#end.signal.aborted
  }

  async #openSpare(): Promise<void> {
    this.#isOpening = true
    try {
      const opened = await this.#open(this.#end.signal)
      if (this.#end.signal.aborted) {
        opened.close()
        return
      }
      this.#spare = opened
      opened.onClose(() => this.#lose())
    } catch {
      // The first connection goes on alone.
      this.#lose()
    } finally {
      this.#isOpening = false
    }
  }

  #lose(): void {
    this.#spare = null
    this.#retryAt = performance.now() + RETRY_MS
  }
}

/** `failed` throws what a query rejects with. */
export const withSpareConnection = (
  first: QueryConnection,
  open: (signal: AbortSignal) => Promise<QueryConnection>,
  failed: (error: unknown) => never = rethrow,
): QueryConnection => new CrowdedConnection(first, open, failed)
