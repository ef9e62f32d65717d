// A second connection to a server, opened when the first one is crowded: answers of one connection come one after the
// other, so a small one waits behind every large one.

import type { AdnlConnection } from './adnl/index.ts'

/** In flight on the first connection before the second one is opened and used. */
const CROWDED = 64
/** After it could not be opened, or was closed. */
const RETRY_MS = 30_000

export type QueryConnection = Pick<AdnlConnection, 'query' | 'onClose' | 'close'>

const rethrow = (error: unknown): never => {
  throw error
}

/**
 * Queries over `first`, and over one more connection while the first is crowded; it ends with the first. `failed` throws what a
 * query rejects with.
 */
export function withSpareConnection(
  first: QueryConnection,
  open: (signal: AbortSignal) => Promise<QueryConnection>,
  failed: (error: unknown) => never = rethrow,
): QueryConnection {
  const end = new AbortController()
  let spare: QueryConnection | null = null
  let isOpening = false
  let retryAt = Number.NEGATIVE_INFINITY
  let [onFirst, onSpare] = [0, 0]
  first.onClose(() => {
    end.abort()
    spare?.close()
  })

  const lose = (): void => {
    spare = null
    retryAt = performance.now() + RETRY_MS
  }

  async function openSpare(): Promise<void> {
    isOpening = true
    try {
      const opened = await open(end.signal)
      if (end.signal.aborted) {
        opened.close()
        return
      }
      spare = opened
      opened.onClose(lose)
    } catch {
      // The first connection goes on alone.
      lose()
    } finally {
      isOpening = false
    }
  }

  const fromFirst = (answer: Uint8Array): Uint8Array => {
    onFirst--
    return answer
  }
  const fromSpare = (answer: Uint8Array): Uint8Array => {
    onSpare--
    return answer
  }
  const failedOnFirst = (error: unknown): never => {
    onFirst--
    return failed(error)
  }
  const failedOnSpare = (error: unknown): never => {
    onSpare--
    return failed(error)
  }

  return {
    query(bytes, options) {
      if (onFirst < CROWDED || spare === null || onSpare > onFirst) {
        const isDue = onFirst >= CROWDED && spare === null && !isOpening && performance.now() >= retryAt
        if (isDue && !end.signal.aborted) void openSpare()
        onFirst++
        return first.query(bytes, options).then(fromFirst, failedOnFirst)
      }
      onSpare++
      return spare.query(bytes, options).then(fromSpare, failedOnSpare)
    },
    onClose: (listener) => first.onClose(listener),
    close: () => first.close(),
  }
}
