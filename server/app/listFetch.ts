// Fetches a list of lite servers: from the internet over https, from this machine and its own network also without encryption.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FetchError, fetchPublic } from '../metadata/index.ts'
import { MOST_CONFIG_BYTES } from '../node/index.ts'
import { isOwnNetwork } from '../outbound/index.ts'
import { failureText, hasCode, timeLimit } from '../process/index.ts'

const FETCH_MS = 10_000
const LATE = `no answer within ${FETCH_MS / 1000} s`
const START_OWNER = 'a tonrpc serves this file when it is started with --lite-port'

/** Whether a list is on this machine or in its private network. */
export async function isNearby({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isOwnNetwork(host)
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.length > 0 && found.every(({ address }) => isOwnNetwork(address))
}

function nearWords(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return LATE
  const cause = error instanceof Error ? error.cause : undefined
  if (hasCode(cause, 'ECONNREFUSED')) return `nothing listens there; ${START_OWNER}`
  if (cause instanceof Error && /redirect/.test(cause.message)) return 'it redirects: name the address it leads to'
  if (hasCode(cause, 'ERR_SSL_WRONG_VERSION_NUMBER')) return 'it is not encrypted: name it with http://'
  return failureText(cause ?? error)
}

/** Also without encryption, and at addresses that a stranger could not name. */
async function fetchNear(url: URL): Promise<string> {
  const signal = timeLimit(FETCH_MS)
  const answer = await fetch(url, { redirect: 'error', signal }).catch((error: unknown) => {
    throw new FetchError('failed', nearWords(error), { cause: error })
  })
  if (!answer.ok) {
    const advice = answer.status === 404 ? `; ${START_OWNER}` : ''
    throw new FetchError('failed', `it answered with status ${answer.status}${advice}`)
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
    throw error instanceof FetchError ? error : new FetchError('failed', nearWords(error), { cause: error })
  }
  return Buffer.concat(parts).toString('utf8')
}

/** `isNear`: by `isNearby`. Throws FetchError. */
export async function fetchList(url: URL, isNear: boolean): Promise<string> {
  if (isNear) return await fetchNear(url)
  if (url.protocol !== 'https:') {
    throw new FetchError('refused', 'http is for your own network: use https, or save the list and name the file')
  }
  // The operator named the port.
  const rules = { timeoutMs: FETCH_MS, mostBytes: MOST_CONFIG_BYTES, types: null, ports: ['', url.port] }
  return Buffer.from(await fetchPublic(url, rules, timeLimit(FETCH_MS))).toString('utf8')
}
