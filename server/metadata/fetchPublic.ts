// Gets a document from a public host. A name is resolved once, every address it has must be public, and the connection goes
// to one of those and nowhere else; so does each redirect.

import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import {
  addressesOf,
  answerTo,
  costWatch,
  HostError,
  type HostRules,
  isFromOutside,
  pinned,
} from '../outbound/index.ts'
import { boundedTime } from '../process/index.ts'
import { codeOfStatus, FetchError } from './fetchError.ts'
import { hostOf, type SilentHosts } from './silentHosts.ts'

export interface FetchRules extends Pick<HostRules, 'resolve' | 'isAllowed'> {
  readonly ports?: readonly string[]
  /** Milliseconds for all of it. */
  readonly timeoutMs?: number
  readonly mostBytes?: number
  /** What the answer has to be called: JSON, or what some hosts of files call it; null for anything. */
  readonly types?: RegExp | null
  /** Certificate authorities trusted in addition to the usual ones. */
  readonly ca?: string
  /** Those that are not contacted for a while; kept up to date. */
  readonly silent?: SilentHosts
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 1 << 20
/** Pieces of any answer, and of a longer one also one for so many bytes: in chunks of one byte a description took 0.7 s of processor. */
const SOME_PIECES = 2_000
const BYTES_OF_PIECE = 1024
const MOST_REDIRECTS = 3
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Some hosts of files know no better. */
const TYPES = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:plain|json)|application\/octet-stream)\s*(?:;|$)/i

/** Where to connect to for a host. Throws FetchError, or the signal's reason. */
async function checkedAddresses(hostname: string, rules: FetchRules, signal: AbortSignal) {
  try {
    return await addressesOf(hostname, rules, signal)
  } catch (error) {
    if (error instanceof HostError) throw new FetchError(error.code, error.message, { cause: error })
    throw error
  }
}

async function answerOf(url: URL, rules: FetchRules, signal: AbortSignal): Promise<IncomingMessage> {
  const { ports = [''], ca, silent } = rules
  if (!ports.includes(url.port)) throw new FetchError('refused', 'the link leads to an unusual port')
  if (silent?.isResting(hostOf(url)) === true) throw new FetchError('failed', 'the host took too long several times')
  const lookup = pinned(await checkedAddresses(url.hostname, rules, signal))
  signal.throwIfAborted()
  const accept = rules.types === null ? '*/*' : 'application/json'
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'tonrpc' }
  const sent = request(url, { lookup, headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) })
  sent.end()
  return await answerTo(sent, (answer) => answer)
}

/** By its events: an iterator gets what came in one read as one piece. */
function bytesOf(answer: IncomingMessage, most: number): Promise<Uint8Array> {
  const isTooMuch = costWatch(answer, { bytes: 2 * most + (64 << 10), pieces: SOME_PIECES + most / BYTES_OF_PIECE })
  const parts: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const refuse = (text: string): void => {
      reject(new FetchError('refused', text))
      answer.destroy()
    }
    answer.on('data', (part: Buffer) => {
      length += part.length
      if (length > most) refuse(`the answer is longer than ${most} bytes`)
      else if (isTooMuch()) refuse('the answer is in too many or too long chunks')
      else parts.push(part)
    })
    answer.on('end', () => resolve(Buffer.concat(parts)))
    answer.on('error', reject)
    answer.on('close', () => reject(new HostError('failed', 'the host sent a part of its answer')))
  })
}

async function bodyOf(answer: IncomingMessage, rules: FetchRules): Promise<Uint8Array> {
  const { mostBytes = MOST_BYTES, types = TYPES } = rules
  const { 'content-type': type = 'application/json', 'content-encoding': encoding = 'identity' } = answer.headers
  // The page of a gateway that fails or asks who is there comes with status 200, too.
  if (types?.test(type) === false) throw new FetchError('failed', 'the content type of the answer is not JSON')
  if (encoding !== 'identity')
    throw new FetchError('refused', 'the response is compressed, which the request did not allow')
  return await bytesOf(answer, mostBytes)
}

function nextUrl(location: string | undefined, from: URL): URL {
  const next = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : null
  if (next?.protocol !== 'https:') throw new FetchError('refused', 'a redirect leads to no https link')
  return next
}

/** The host that is waited for, and since when. */
interface Hop {
  url: URL
  since: number
}

async function follow(hop: Hop, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> {
  for (let redirects = 0; ; redirects++) {
    const { url } = hop
    const answer = await answerOf(url, rules, signal)
    try {
      const { statusCode = 0 } = answer
      if (REDIRECTS.includes(statusCode)) {
        if (redirects === MOST_REDIRECTS) throw new FetchError('refused', `over ${MOST_REDIRECTS} redirects`)
        hop.url = nextUrl(answer.headers.location, url)
        // A redirect to the same host is no answer yet: its time goes on.
        if (hostOf(hop.url) === hostOf(url)) continue
        hop.since = performance.now()
        rules.silent?.answered(hostOf(url))
        continue
      }
      const body = statusCode === 200 ? await bodyOf(answer, rules) : null
      rules.silent?.answered(hostOf(url))
      if (body === null) throw new FetchError(codeOfStatus(statusCode), `the answer is ${statusCode}`)
      return body
    } finally {
      answer.destroy()
    }
  }
}

/** The bytes behind a link. Rejects with FetchError for what the host or its link is to blame for. */
export async function fetchPublic(url: URL, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> {
  const { timeoutMs = TIMEOUT_MS, silent } = rules
  const bound = boundedTime(timeoutMs, signal)
  const hop: Hop = { url, since: performance.now() }
  try {
    return await follow(hop, rules, bound.signal)
  } catch (cause) {
    if (cause instanceof FetchError) throw cause
    if (cause !== bound.signal.reason && !isFromOutside(cause)) throw cause
    if (bound.signal.aborted) {
      // A host in front of it may have left it no time.
      const hadTime = performance.now() - hop.since > timeoutMs / 2
      if (!signal.aborted && hadTime) silent?.wasLate(hostOf(hop.url))
      throw new FetchError('failed', 'it took too long', { cause })
    }
    throw new FetchError('failed', 'the host did not answer', { cause })
  } finally {
    bound.done()
  }
}
