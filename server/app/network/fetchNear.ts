// Fetches a list of lite servers from this machine or its private network.

import { codeOfStatus, FetchError } from '../../metadata/index.ts'
import { MOST_CONFIG_BYTES } from '../../node/index.ts'
import { failureText, hasCode, timeLimit } from '../../process/index.ts'

export const FETCH_MS = 10_000
const START_OWNER = 'a tonrpc serves this file when it is started with --lite-port'

/** What is wrong with the host or the network, which `fetch` reports as a cause; null for an error of this program. */
function nearWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { name, cause } = error
  if (name === 'TimeoutError') return `no answer within ${FETCH_MS / 1000} s`
  if (!(cause instanceof Error) || cause instanceof TypeError) return null
  if (hasCode(cause, 'ECONNREFUSED')) return `nothing listens there; ${START_OWNER}`
  if (/redirect/.test(cause.message)) return 'it redirects: name the address it leads to'
  if (hasCode(cause, 'ERR_SSL_WRONG_VERSION_NUMBER')) return 'it is not encrypted: name it with http://'
  return failureText(cause)
}

function asFetchError(error: unknown): unknown {
  const words = nearWords(error)
  return words === null ? error : new FetchError('failed', words, { cause: error })
}

/** Takes http and private addresses: the operator named them. Rejects with FetchError when the host or the network fails. */
export async function fetchNear(url: URL): Promise<string> {
  const signal = timeLimit(FETCH_MS)
  const answer = await fetch(url, { redirect: 'error', signal }).catch((error: unknown) => {
    throw asFetchError(error)
  })
  if (!answer.ok) {
    const advice = answer.status === 404 ? `; ${START_OWNER}` : ''
    throw new FetchError(codeOfStatus(answer.status), `it answered with status ${answer.status}${advice}`)
  }
  const reader = answer.body?.getReader()
  // The signal of a fetch may be lost once its head is here.
  signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined), { once: true })
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {}
      signal.throwIfAborted()
      if (value === undefined) break
      length += value.length
      if (length > MOST_CONFIG_BYTES) throw new FetchError('refused', `it is longer than ${MOST_CONFIG_BYTES} bytes`)
      parts.push(value)
    }
  } catch (error) {
    await reader?.cancel().catch(() => undefined)
    throw asFetchError(error)
  }
  return Buffer.concat(parts).toString('utf8')
}
