// Gets a document from a public host. A name is resolved once, every address it has must be public, and the connection goes
// to one of those and nowhere else; so does each redirect.

import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { isIP } from 'node:net'
import { FetchError } from './fetchError.ts'
import { isPublicAddress } from './publicAddress.ts'

interface HostAddress {
  readonly address: string
  readonly family: number
}

export interface FetchRules {
  /** Addresses of a name; by default from the name servers of this machine. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly HostAddress[]>
  readonly isAllowed?: (address: string) => boolean
  readonly ports?: readonly string[]
  /** Milliseconds for all of it. */
  readonly timeoutMs?: number
  readonly mostBytes?: number
  /** What the answer has to be called: JSON, or what some hosts of files call it; null for anything. */
  readonly types?: RegExp | null
  /** Certificate authorities trusted in addition to the usual ones. */
  readonly ca?: string
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 1 << 20
const MOST_REDIRECTS = 3
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Some hosts of files know no better. */
const TYPES = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:plain|json)|application\/octet-stream)\s*(?:;|$)/i

/** An aborted query is cancelled: with getaddrinfo, slow names would pile up behind the few threads that wait for them. */
async function resolveHere(name: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const resolver = new Resolver()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
    const of = (family: number, found: typeof four): HostAddress[] =>
      found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }))
    return [...of(4, four), ...of(6, six)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Rejects when the signal aborts, even while the work still waits. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Where to connect to for a host. Throws FetchError, or the signal's reason. */
async function addressesOf(hostname: string, rules: FetchRules, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const { resolve = resolveHere, isAllowed = isPublicAddress } = rules
  const family = isIP(host)
  // A name without a dot is one of this machine or its own network.
  if (family === 0 && !host.includes('.')) throw new FetchError('refused', 'the host is not a public one')
  const addresses =
    family === 0 ? await untilAborted(resolved(resolve(host, signal)), signal) : [{ address: host, family }]
  if (addresses.length === 0) throw new FetchError('failed', 'the host has no address')
  if (!addresses.every(({ address }) => isAllowed(address)))
    throw new FetchError('refused', 'the host is not a public one')
  return addresses
}

async function resolved(query: Promise<readonly HostAddress[]>): Promise<readonly HostAddress[]> {
  try {
    return await query
  } catch (cause) {
    throw new FetchError('failed', 'the host is not known', { cause })
  }
}

/** Answers every question for the host with what was checked. */
const pinned = (addresses: readonly HostAddress[]): NonNullable<RequestOptions['lookup']> => {
  const [first] = addresses
  return (_host, options, done) => {
    if (options.all === true) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}

async function answerOf(url: URL, rules: FetchRules, signal: AbortSignal): Promise<IncomingMessage> {
  const { ports = [''], ca } = rules
  if (!ports.includes(url.port)) throw new FetchError('refused', 'the link leads to an unusual port')
  const lookup = pinned(await addressesOf(url.hostname, rules, signal))
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const accept = rules.types === null ? '*/*' : 'application/json'
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'tonrpc' }
    const sent = request(url, { lookup, headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) }, resolve)
    sent.on('error', reject)
    sent.end()
  })
}

async function bodyOf(answer: IncomingMessage, rules: FetchRules): Promise<Uint8Array> {
  const { mostBytes: most = MOST_BYTES, types = TYPES } = rules
  const { 'content-type': type = 'application/json', 'content-encoding': encoding = 'identity' } = answer.headers
  if (types?.test(type) === false) throw new FetchError('refused', 'the answer is not called JSON')
  if (encoding !== 'identity')
    throw new FetchError('refused', 'the response is compressed, which the request did not allow')
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) throw new FetchError('refused', `the answer is longer than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function nextUrl(location: string | undefined, from: URL): URL {
  const next = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : null
  if (next?.protocol !== 'https:') throw new FetchError('refused', 'a redirect leads to no https link')
  return next
}

async function follow(start: URL, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> {
  let url = start
  for (let redirects = 0; ; redirects++) {
    const answer = await answerOf(url, rules, signal)
    try {
      const { statusCode = 0 } = answer
      if (REDIRECTS.includes(statusCode)) {
        if (redirects === MOST_REDIRECTS) throw new FetchError('refused', `over ${MOST_REDIRECTS} redirects`)
        url = nextUrl(answer.headers.location, url)
        continue
      }
      if (statusCode !== 200) throw new FetchError('failed', `the answer is ${statusCode}`)
      return await bodyOf(answer, rules)
    } finally {
      answer.destroy()
    }
  }
}

/** The bytes behind a link. Rejects with FetchError. */
export async function fetchPublic(url: URL, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs ?? TIMEOUT_MS)])
  try {
    return await follow(url, rules, within)
  } catch (cause) {
    if (cause instanceof FetchError) throw cause
    throw new FetchError('failed', within.aborted ? 'it took too long' : 'the host did not answer', { cause })
  }
}
