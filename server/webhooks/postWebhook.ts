// One attempt: a signed POST to an endpoint, connected to an address that was checked. Redirects are not followed.

import { createHash, createHmac } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
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
import { MachineNames } from './machineNames.ts'

export interface PostRules extends HostRules {
  /** Whether loopback and private addresses may be contacted. */
  readonly allowsPrivate: boolean
  readonly connectMs?: number
  readonly answerMs?: number
  /** Certificate authorities trusted in addition to the usual ones. */
  readonly ca?: string
}

export interface Posting {
  /** The id of a key; empty for the programs that control an embedded chain. */
  readonly owner: string
  readonly endpoint: string
  readonly token: string
  readonly secret: string
  readonly name: string
  readonly body: string
}

export interface Posted {
  /** Of HTTP; 0 without a response. */
  readonly status: number
  readonly ms: number
  /** Why it was not accepted; empty when it was. */
  readonly error: string
}

/** Rejects when the signal aborts, and for an error of this program, which does not count against the endpoint. */
export type Post = (posting: Posting, signal: AbortSignal) => Promise<Posted>

const CONNECT_MS = 5_000
const ANSWER_MS = 10_000
const ANSWER_BOUNDS = { bytes: 64 * 1024, pieces: 256 }
/** Services that must not be reached through ours, on public hosts either: mail. */
const REFUSED_PORTS = new Set(['25', '465', '587'])

/** One for the process, whose lookup threads all webhooks share. */
const machineNames = new MachineNames()

/** Why an endpoint is refused; null when it is allowed. */
export function endpointTrouble(endpoint: string): string | null {
  if (endpoint.length > 2048) return 'endpoint: longer than 2048 characters'
  if (!URL.canParse(endpoint)) return 'endpoint: not an address like https://example.com/hook'
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'endpoint: only https and http addresses'
  if (url.username !== '' || url.password !== '') return 'endpoint: an address must not hold a name or a password'
  if (REFUSED_PORTS.has(url.port)) return `endpoint: port ${url.port} is not allowed`
  return null
}

function rulesFor(owner: string, { allowsPrivate, ...rules }: PostRules): HostRules {
  if (!allowsPrivate) return rules
  const resolve = (name: string, signal: AbortSignal) => machineNames.resolve(owner, name, signal)
  return { resolve, ...rules, plainNames: true, isAllowed: () => true }
}

/** Throws HostError for a host that must not be contacted, or whose address is not known. */
export async function checkEndpoint(
  { endpoint, owner }: Pick<Posting, 'endpoint' | 'owner'>,
  rules: PostRules,
  signal: AbortSignal,
): Promise<void> {
  await addressesOf(new URL(endpoint).hostname, rulesFor(owner, rules), signal)
}

function signatureOf(secret: string, body: string, unixSeconds: number): string {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

const headersOf = ({ token, secret, name, body }: Posting) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(body)),
  'User-Agent': 'tonrpc/webhooks',
  Authorization: `Bearer ${token}`,
  'Idempotency-Key': createHash('sha256').update(body).digest('hex'),
  'X-Event-Type': name,
  'X-Signature': signatureOf(secret, body, Math.floor(Date.now() / 1000)),
})

function wordsOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof HostError) return error.message
  if (signal.aborted) return 'no answer in time'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === '' ? 'the connection failed' : `the connection failed: ${code}`
}

/** What follows the head is read, so that the endpoint is not cut off, and thrown away. Resolves when the connection ends. */
function statusOf(answer: IncomingMessage): Promise<number> {
  return new Promise((resolve) => {
    const isTooMuch = costWatch(answer, ANSWER_BOUNDS)
    answer.on('data', () => {
      if (isTooMuch()) answer.destroy()
    })
    answer.on('error', () => undefined)
    answer.on('close', () => resolve(answer.statusCode ?? 0))
  })
}

export function createPost(rules: PostRules): Post {
  const { connectMs = CONNECT_MS, answerMs = ANSWER_MS, ca } = rules

  async function attempt(posting: Posting, signal: AbortSignal): Promise<{ status: number; error: string }> {
    const url = new URL(posting.endpoint)
    const addresses = await addressesOf(url.hostname, rulesFor(posting.owner, rules), signal)
    signal.throwIfAborted()
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const headers = headersOf(posting)
    const tls = ca === undefined ? {} : { ca }
    const sent = send(url, { method: 'POST', lookup: pinned(addresses), headers, signal, agent: false, ...tls })
    const connecting = setTimeout(() => sent.destroy(new HostError('failed', 'no connection in time')), connectMs)
    sent.on('socket', (socket) => socket.once('connect', () => clearTimeout(connecting)))
    sent.on('close', () => clearTimeout(connecting))
    sent.end(posting.body)
    const status = await answerTo(sent, statusOf)
    return { status, error: status >= 200 && status < 300 ? '' : refusalOf(status) }
  }

  return async (posting, signal) => {
    const began = performance.now()
    const bound = boundedTime(connectMs + answerMs, signal)
    const posted = (result: { status: number; error: string }): Posted => ({
      ...result,
      ms: Math.round(performance.now() - began),
    })
    try {
      return posted(await attempt(posting, bound.signal))
    } catch (error) {
      signal.throwIfAborted()
      if (error !== bound.signal.reason && !isFromOutside(error)) throw error
      return posted({ status: 0, error: wordsOf(error, bound.signal) })
    } finally {
      bound.done()
    }
  }
}

const refusalOf = (status: number): string =>
  status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`
