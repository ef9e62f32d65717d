// One request and its reply: what every door needs to know of it, and the one way to answer.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from '../../../shared/errors.ts'
import { isOfEmulation } from '../../../shared/method.ts'
import { V2_VERSION, V3_VERSION } from '../../../shared/version.ts'
import { rateHeaders, withoutKeys } from '../../access/index.ts'
import { type ChargedCall, LONG_TEXT } from '../../methods/index.ts'
import type { Span } from '../../observe/index.ts'
import { markRefused } from '../connections/brokenRequest.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from '../dialect/dialect.ts'
import { plain } from '../dialect/plain.ts'
import { strict } from '../dialect/strict.ts'
import { toncenter } from '../dialect/toncenter.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { isKeysPath } from '../paths/keysPaths.ts'
import { isStreamPath } from '../paths/streamPaths.ts'
import { isWebhooksPath } from '../paths/webhooksPaths.ts'
import { bytesOf, isOfBytes } from '../replies/bytes.ts'
import { bestEncoding, compress, type Encoding, WORTH_COMPRESSING } from '../replies/compress.ts'
import type { HeldReplies } from '../replies/heldReplies.ts'
import { sendWhole } from '../replies/wholeReply.ts'
import { hasBody, targetParts } from '../requests/head.ts'
import type { NotedCalls } from './notedCalls.ts'

const PROCESS = randomBytes(6).toString('base64url')
let count = 0

/** A caller's own id is taken over when it is harmless in a header and a log. */
function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id']
  const isHarmless = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && withoutKeys(given) === given
  return isHarmless ? given : `${PROCESS}-${(count++).toString(36)}`
}

/** Its calls, those of emulation, its page and its document. Most calls are of v2, and are asked no more. */
const isOfV3 = (path: string): boolean =>
  !path.startsWith('/api/v2/') && (path.startsWith('/api/v3') || isOfEmulation(path) || path === '/openapi/v3.json')

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
  'X-Quota-Warning',
  'Retry-After',
  'X-API-Version',
  'X-Index-Seqno',
  'X-Seqno',
  'X-Request-Id',
  'X-API-Key-Hint',
  'X-Ignored-Parameters',
  'Server-Timing',
].join(', ')

export interface HttpReply {
  readonly status: number
  readonly type: string
  /** A list is of texts that follow each other, or of their bytes. */
  readonly body: string | Buffer | readonly string[] | readonly Buffer[]
  /** Of the body as it is, where they were counted. */
  readonly bytes?: number | undefined
  /** Names and values in turn. */
  readonly headers?: readonly string[]
  /** Of a body that is compressed already. */
  readonly encoding?: Encoding
  /** Whether the same body was sent before, and may be again. */
  readonly isCached?: boolean
}

/** When to come back, for a reply that says as a whole that now is too early. */
export const retryHeader = ({ status, retryAfter }: WrittenReply): readonly string[] =>
  retryAfter === undefined || status < 400 ? [] : ['Retry-After', String(retryAfter)]

/** Long enough for a caller still sending to read the refusal, short enough to be no burden. */
const GRACE_MS = 1000

/** Takes in what still comes and is done when all of it came, or when it takes too long. */
function discardRest(req: IncomingMessage, done: () => void): void {
  const timer = setTimeout(done, GRACE_MS).unref()
  const finish = () => {
    clearTimeout(timer)
    done()
  }
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
}

const NONE: readonly string[] = []
const VARY: readonly string[] = ['Vary', 'Accept-Encoding']
/** For caches: at the same path a browser gets a page and a program JSON. */
export const BY_ACCEPT: readonly string[] = ['Vary', 'Accept']
const inEncoding = (encoding: Encoding): readonly string[] => [...VARY, 'Content-Encoding', encoding]

/** A list is of the bytes of a long text, one after the other. */
type Body = string | Buffer | readonly Buffer[]

const isList = (body: Body): body is readonly Buffer[] => Array.isArray(body)

const bytesIn = (body: Body): number =>
  isList(body) ? body.reduce((sum, { length }) => sum + length, 0) : Buffer.byteLength(body)

/** Connections between two requests. */
export interface KeptConnections {
  readonly keepAliveMs: number
  /** The service is stopping: each reply is the last one of its connection. */
  readonly isClosing: boolean
  readonly held: HeldReplies
}

export class HttpExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly path: string
  readonly query: string
  readonly door: DialectDoor
  readonly requestId: string
  readonly started = performance.now()
  /** The call that is answered, for the state of its budget; null before there is one. */
  call: ChargedCall | null = null
  /** Its calls that are over, for the request log; null when none is kept. */
  noted: NotedCalls | null = null
  /** Its span; null when it is not traced, undefined when nothing is. */
  span: Span | null | undefined
  /** Bytes of the body that was sent. */
  sentBytes = 0
  /** Bytes its connection had sent before a reply that goes on until someone ends it; null for any other. */
  streamedFrom: number | null = null
  /** Words for a caller whose key was not seen or whose parameters are unknown, as header names and values. */
  hint: readonly string[] = []
  readonly #connections: KeptConnections
  /** Part of the request's body is still to come and is not needed. */
  #unread = false
  readonly #allowOrigin: string | null

  constructor(req: IncomingMessage, res: ServerResponse, allowOrigin: string | null, connections: KeptConnections) {
    this.#connections = connections
    this.req = req
    this.res = res
    this.#allowOrigin = allowOrigin
    const { path, query } = targetParts(req.url ?? '/')
    this.path = path
    this.query = query
    this.door = doorOf(this.path)
    this.requestId = requestIdOf(req)
  }

  /** Milliseconds since the request's headers were read. */
  get elapsed(): number {
    return performance.now() - this.started
  }

  /** The path for logs and traces, without keys. */
  get shownPath(): string {
    return withoutKeys(this.path)
  }

  /** Those of every reply, before its own. */
  #headers(own: readonly string[]): string[] {
    const headers = [
      'X-Request-Id',
      this.requestId,
      'X-API-Version',
      isOfV3(this.path) ? V3_VERSION : V2_VERSION,
      'Server-Timing',
      `app;dur=${this.elapsed.toFixed(2)}`,
      'X-Content-Type-Options',
      'nosniff',
    ]
    const { index = null, chain = null } = this.call?.seqnos ?? {}
    if (index !== null) headers.push('X-Index-Seqno', String(index))
    if (chain !== null) headers.push('X-Seqno', String(chain))
    const budget = this.call?.budget
    if (budget) headers.push(...rateHeaders(budget))
    if (own.length > 0) headers.push(...own)
    // A reply depends on the caller's key and on the newest block: no cache may keep it.
    if (!own.includes('Cache-Control')) headers.push('Cache-Control', 'no-store')
    if (this.hint.length > 0) headers.push(...this.hint)
    if (this.#allowOrigin !== null) {
      headers.push('Access-Control-Allow-Origin', this.#allowOrigin)
      // Only browsers read the list, and they send an `Origin`.
      if (this.req.headers.origin !== undefined) headers.push('Access-Control-Expose-Headers', EXPOSED)
    }
    if (this.#allowOrigin !== '*') headers.push('Vary', 'Origin')
    return headers
  }

  /** At once, unless the body is worth compressing: that is done off the event loop. */
  reply(reply: HttpReply): void | Promise<void> {
    const { body } = reply
    if (typeof body === 'string' && body.length <= LONG_TEXT) return this.#pack(reply, body)
    if (Buffer.isBuffer(body)) return this.#pack(reply, body)
    const texts = typeof body === 'string' ? [body] : body
    if (isOfBytes(texts)) return this.#pack(reply, texts)
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    if (length <= LONG_TEXT) return this.#pack(reply, texts.join(''))
    return bytesOf(texts, { subject: this.call?.caller.subject }).then((bytes) => this.#pack(reply, bytes))
  }

  #pack(reply: HttpReply, body: Body): void | Promise<void> {
    if (reply.encoding !== undefined) return this.#send(reply, body, inEncoding(reply.encoding))
    if ((isList(body) ? bytesIn(body) : body.length) <= WORTH_COMPRESSING) return this.#send(reply, body, NONE)
    const encoding = bestEncoding(this.req.headers['accept-encoding'])
    if (encoding === null) return this.#send(reply, body, VARY)
    return compress(encoding, { body, isCached: reply.isCached === true, receiver: this.call }).then(
      (packed) => this.#send(reply, packed, inEncoding(encoding)),
      (error: unknown) => {
        if (!this.res.destroyed) throw error
      },
    )
  }

  #send(reply: HttpReply, body: Body, last: readonly string[]): void {
    if (this.res.destroyed || this.res.headersSent) return
    this.#write(reply, body, last)
    const { socket } = this.req
    // Mostly the system has taken the whole reply: nothing is held then.
    if (socket.writableLength + this.res.writableLength > 0)
      this.#connections.held.sent(socket, this.sentBytes, this.call?.caller.subject)
  }

  /** `last` are headers behind all others. */
  #write(reply: HttpReply, body: Body, last: readonly string[]): void {
    const { status, headers: own = NONE } = reply
    const headers = this.#headers(own)
    const length = (body === reply.body ? reply.bytes : undefined) ?? bytesIn(body)
    this.sentBytes = this.req.method === 'HEAD' ? 0 : length
    headers.push('Content-Type', reply.type, 'Content-Length', String(length))
    if (last !== NONE) headers.push(...last)
    // Text of ASCII alone is copied as it is; a conversion to UTF-8 first takes three times the room.
    const encoding = length === body.length ? 'latin1' : 'utf8'
    const isLast = this.#unread || this.#connections.isClosing
    if (!isLast && own.length === 0) {
      if (sendWhole(this.res, { status, headers, body, encoding }, this.#connections.keepAliveMs)) return
    }
    if (isLast) headers.push('Connection', 'close')
    this.res.writeHead(status, headers)
    const [before, end] = isList(body) ? [body.slice(0, -1), body.at(-1) ?? ''] : [[], body]
    for (const bytes of before) this.res.write(bytes)
    if (!this.#unread) return void this.res.end(end, encoding)
    // Ending now would hang up on a caller that is still sending, and the refusal be lost to a reset.
    this.res.write(end, encoding)
    markRefused(this.req.socket)
    discardRest(this.req, () => this.res.end())
  }

  /** Begins a reply whose end is not known, and returns what it is written to; null when the caller is gone. */
  begin(type: string, headers: readonly string[]): ServerResponse | null {
    if (this.res.destroyed || this.res.headersSent) return null
    this.res.writeHead(200, [...this.#headers(headers), 'Content-Type', type])
    this.res.flushHeaders()
    this.streamedFrom = this.req.socket.bytesWritten
    return this.res
  }

  /** An error reply in `dialect`, with the headers of its kind. */
  async refuse(dialect: Dialect, error: ApiError, envelope: ReplyEnvelope): Promise<void> {
    const said = dialect.failure(error, envelope)
    // What was sent of a body that is refused unread would be taken for the next request.
    this.#unread = !this.req.complete && (hasBody(this.req) || error.kind === 'headersTooLarge')
    const isNoPage = this.door === 'page' && error.kind === 'routeNotFound'
    const headers = isNoPage ? BY_ACCEPT : error instanceof VerbRefusal ? ['Allow', error.allow] : retryHeader(said)
    await this.reply({ status: said.status, type: 'application/json', body: said.text, headers })
  }

  /** Nothing to say: a preflight, a batch of notifications, or a file the caller has already. */
  empty(headers: readonly string[] = [], status: 204 | 304 = 204): void {
    if (this.res.destroyed || this.res.headersSent) return
    const all = this.#headers(headers)
    if (this.#connections.isClosing) all.push('Connection', 'close')
    this.res.writeHead(status, all)
    this.res.end()
  }
}

/** `page` is everything that is not an API call. */
export type DialectDoor = 'toncenter' | 'plain' | 'strict' | 'page'

export const DIALECTS: Readonly<Record<DialectDoor, Dialect>> = { strict, toncenter, plain, page: plain }

/** By a path without its query. */
export function doorOf(path: string): DialectDoor {
  if (path === '/jsonRPC') return 'strict'
  if (path.startsWith('/api/v2/') && path.length > 8) return 'toncenter'
  if (path.startsWith('/acton_')) return 'toncenter'
  if (path.startsWith('/api/v3/') && path.length > 8) return 'plain'
  if (isOfEmulation(path) || path.startsWith('/api/v4/')) return 'plain'
  if (isKeysPath(path) || isStreamPath(path) || isWebhooksPath(path)) return 'plain'
  return 'page'
}
