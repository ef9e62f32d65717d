// A second connection to a server, opened when the first one is crowded: answers of one connection come one after the
// other, so a small one waits behind every large one.

import type { AdnlConnection } from './adnl/index.ts'

/** In flight on the first connection before the second one is opened and used. */
const CROWDED = 64
/** After it could not be opened, or was closed. */
const RETRY_MS = 30_000

export type QueryConnection = Pick<AdnlConnection, 'query' | 'onClose' | 'close'>

/** Queries over `first`, and over one more connection while the first is crowded; it ends with the first. */
export function withSpareConnection(
  first: QueryConnection,
  open: (signal: AbortSignal) => Promise<QueryConnection>,
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

  const leaveFirst = (): void => void onFirst--
  const leaveSpare = (): void => void onSpare--

  return {
    query(bytes, options) {
      if (onFirst < CROWDED || spare === null || onSpare > onFirst) {
        const isDue = onFirst >= CROWDED && spare === null && !isOpening && performance.now() >= retryAt
        if (isDue && !end.signal.aborted) void openSpare()
        onFirst++
        const answer = first.query(bytes, options)
        answer.then(leaveFirst, leaveFirst)
        return answer
      }
      onSpare++
      const answer = spare.query(bytes, options)
      answer.then(leaveSpare, leaveSpare)
      return answer
    },
    onClose: (listener) => first.onClose(listener),
    close: () => first.close(),
  }
}
