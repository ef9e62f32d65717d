// What happens to a request, in order: length of its head, preflight, then a page of the Koa application; or its caller, and
// the JSON-RPC paths (in front of Koa, because they are the hot path), the REST mirror, streams, webhooks and keys.

import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import type { Registry } from '../../shared/registry.ts'
import { type Caller, subjectOf } from '../access/index.ts'
import { Turns } from '../fairness/index.ts'
import { after, type ChargedCall, type Dispatch } from '../methods/index.ts'
import type { Log, RequestLog, Traces } from '../observe/index.ts'
import type { CallerFound, CallerOf } from './callers/caller.ts'
import type { WhyNoControl } from './callers/controlAccess.ts'
import { answerBrokenHead } from './connections/brokenRequest.ts'
import type { Connections } from './connections/connections.ts'
import type { PeerWatch } from './connections/peerWatch.ts'
import { hasEnded } from './connections/socketLife.ts'
import type { WrittenReply } from './dialect/dialect.ts'
import { asApiError } from './exchange/asApiError.ts'
import { DIALECTS, HttpExchange, retryHeader } from './exchange/exchange.ts'
import { HttpCall } from './exchange/httpCall.ts'
import { noteExchange } from './exchange/noteRequests.ts'
import { type OpenRelay, relayRequest } from './exchange/relay.ts'
import { traceExchange } from './exchange/traceExchange.ts'
import type { HttpOptions } from './httpOptions.ts'
import type { KeysApi } from './keys/keysApi.ts'
import type { Pages } from './pages/createPages.ts'
import { allowOf, VerbRefusal, verbsOfMethods } from './paths/allowOf.ts'
import { verbsOfKeys } from './paths/keysPaths.ts'
import { RPC_DOORS } from './paths/rpcDoors.ts'
import { isStreamPath } from './paths/streamPaths.ts'
import { isWebhooksPath, verbsOfWebhooksPath } from './paths/webhooksPaths.ts'
import { allowedOrigin, preflightHeaders } from './replies/cors.ts'
import type { HeldReplies } from './replies/heldReplies.ts'
import type { Plans } from './requests/callParams.ts'
import { brokenHead, checkHead, closeEmptyBody, verbOf } from './requests/head.ts'
import type { RpcDoor } from './requests/parsedCall.ts'
import { createPipelined } from './requests/pipelined.ts'
import { type BodyTaker, takeBody } from './requests/requestBody.ts'
import { createGatherChunks } from './requests/smallChunks.ts'
import { isV4Path, verbsOfV4 } from './rest/createV4.ts'
import { createRest, type Rest } from './rest/rest.ts'
import type { Rpc } from './rpc/rpc.ts'
import type { StreamDoor } from './streams/streamDoor.ts'
import type { WebhooksApi } from './webhooksApi.ts'

const JSON_TYPE = 'application/json'

/** Whether earlier replies on the same connection have to be sent first. */
const isPipelined = (res: ServerResponse): boolean => res.socket === null

export interface FrontParts {
  readonly registry: Registry
  readonly plans: Plans
  readonly dispatch: Dispatch
  readonly callerOf: CallerOf
  readonly addressCallerOf: (req: IncomingMessage) => Caller
  readonly whyNoControl: WhyNoControl
  readonly connections: Connections
  readonly held: HeldReplies
  /** Absent where streams are not served. */
  readonly streamDoor: StreamDoor | null
  readonly rpc: Rpc
  readonly turns: Turns
  readonly pages: Pages
  readonly keysApi: KeysApi
  readonly webhooksApi: WebhooksApi
  readonly log: Log
  /** Absent when requests are not logged. */
  readonly requestLog?: Pick<RequestLog, 'write'> | undefined
  /** Absent when requests are not traced. */
  readonly traces?: Traces | undefined
  readonly relay?: OpenRelay | undefined
  readonly peers: PeerWatch
  readonly options: HttpOptions
}

/** A request with its exchange, which Koa's middleware finds on the request it wraps. */
interface Seen extends IncomingMessage {
  exchange?: HttpExchange
}

export function exchangeOf(context: Context): HttpExchange {
  const { exchange }: Seen = context.req
  if (!exchange) throw new Error('a request reached Koa without passing the front')
  return exchange
}

/**
 * The pages in Koa's contexts; replies are written by the exchange, one way for every door. Without Koa's callback, which
 * writes a stack trace on standard error when a reader resets its connection.
 */
function siteOf({ serve, miss }: Pages): (req: IncomingMessage, res: ServerResponse) => void | Promise<void> {
  const app = new Koa()
  return (req, res) => {
    const context = app.createContext(req, res)
    return serve(context, async () => await miss(exchangeOf(context)))
  }
}

/**
 * The REST mirror in Koa's contexts. It answers every request itself, so it does without what Koa's callback adds to each for
 * replies that Koa writes: listeners on the reply and its connection, and four promises.
 */
function mirrorOf(rest: Rest): (req: IncomingMessage, res: ServerResponse) => void | Promise<void> {
  const app = new Koa()
  return (req, res) => rest(app.createContext(req, res))
}

function sendRpc(exchange: HttpExchange, said: WrittenReply | null): void | Promise<void> {
  if (!said) return exchange.empty()
  return exchange.reply({
    status: said.status,
    type: JSON_TYPE,
    body: said.texts ?? said.text,
    headers: retryHeader(said),
  })
}

export class Front {
  readonly #parts: FrontParts
  readonly #verbsOf: ReadonlyMap<string, readonly string[]>
  // Two, so that a call is not matched against the pages first.
  readonly #mirror: ReturnType<typeof mirrorOf>
  readonly #site: ReturnType<typeof siteOf>
  readonly #kept: { readonly keepAliveMs: number; readonly held: HeldReplies; isClosing: boolean }
  readonly #later: ReturnType<typeof createPipelined>
  // Requests that arrived together are started in slices, and running calls continue in between.
  readonly #arrivals = new Turns({ pieces: Number.POSITIVE_INFINITY, goesFirst: true })
  readonly #gatherChunks = createGatherChunks()
  readonly #anyOrigin: '*' | null

  constructor(parts: FrontParts) {
    const { registry, pages, turns, held, options } = parts
    const { limits, corsOrigins } = options
    this.#parts = parts
    this.#verbsOf = verbsOfMethods(registry)
    this.#mirror = mirrorOf(createRest({ limits, exchangeOf, ...parts }))
    this.#site = siteOf(pages)
    this.#kept = { keepAliveMs: limits.keepAliveMs, held, isClosing: false }
    this.#later = createPipelined(turns, held)
    this.#anyOrigin = corsOrigins.includes('*') ? '*' : null
  }

  /** Listens for requests. */
  readonly handle = (req: Seen, res: ServerResponse): void => {
    const broken = brokenHead(req)
    if (broken !== null) {
      answerBrokenHead(broken, res)
      return
    }
    if (req.headers['transfer-encoding'] !== undefined) this.#gatherChunks(req)
    const { requestLog, traces, pages, options } = this.#parts
    const origin = this.#anyOrigin ?? allowedOrigin(req, options.corsOrigins)
    const exchange = new HttpExchange(req, res, origin, this.#kept)
    req.exchange = exchange
    if (requestLog !== undefined) noteExchange(exchange, requestLog)
    if (traces !== undefined) traceExchange(exchange, traces, (path) => this.#verbsOf.has(path) || pages.has(path))
    const answer = () => this.#guard(exchange, () => this.#route(exchange))
    if (isPipelined(res)) this.#later(req, res, answer)
    else answer()
  }

  /** From now on every reply closes its connection. */
  drain(): void {
    this.#kept.isClosing = true
  }

  #allowed(path: string): string | null {
    const verbs = this.#verbsAt(path)
    return verbs === null ? null : allowOf(verbs)
  }

  #verbsAt(path: string): readonly string[] | null {
    const { pages, streamDoor } = this.#parts
    if (pages.has(path)) return ['GET']
    if (isWebhooksPath(path)) return verbsOfWebhooksPath(path)
    if (isV4Path(path)) return verbsOfV4(path)
    return streamDoor?.verbs(path) ?? verbsOfKeys(path) ?? this.#verbsOf.get(path) ?? null
  }

  #route(exchange: HttpExchange): void | Promise<void> {
    const { relay, peers, pages, connections, options } = this.#parts
    const { req, path } = exchange
    checkHead(req, path, options.limits)
    if (relay !== undefined && isStreamPath(path)) return relayRequest(relay, exchange, peers)
    if (req.method === 'OPTIONS') return exchange.empty(preflightHeaders(req, this.#allowed(path)))
    const isCall = this.#verbsOf.has(path) || (exchange.door !== 'page' && !pages.has(path))
    if (isCall) return this.#serveApi(exchange)
    this.#inTurn(exchange, subjectOf(req.socket.remoteAddress ?? ''), () =>
      after(connections.claim(req.socket, null), (has) => (has ? this.#site(req, exchange.res) : undefined)),
    )
  }

  #serveApi(exchange: HttpExchange): void | Promise<void> {
    let found: CallerFound
    try {
      found = this.#parts.callerOf(exchange.req, exchange.query, exchange.started)
    } catch (error) {
      return this.#refuseKey(exchange, error)
    }
    const { caller, hint } = found
    exchange.hint = hint
    if (!(caller instanceof Promise)) return this.#takeTurn(exchange, caller)
    return caller.then(
      (known) => this.#takeTurn(exchange, known),
      (error: unknown) => this.#refuseKey(exchange, error),
    )
  }

  /** Costs the address what a call without a key costs; the answer stays the same. */
  #refuseKey(exchange: HttpExchange, error: unknown): void | Promise<void> {
    const { addressCallerOf, whyNoControl, dispatch } = this.#parts
    if (!hasEnded(error)) throw error
    const call = new HttpCall(addressCallerOf(exchange.req), exchange, whyNoControl)
    exchange.call = call
    const refused = dispatch.refuse(null, error, call)
    if (!(refused instanceof Promise)) throw error
    const said = (): Promise<never> => Promise.reject(error)
    return refused.then(said, said)
  }

  /** A JSON-RPC call takes its turn once its body has arrived. */
  #takeTurn(exchange: HttpExchange, caller: Caller): void | Promise<void> {
    if (RPC_DOORS.has(exchange.path)) return this.#serveCaller(exchange, caller)
    this.#inTurn(exchange, caller.subject, () => this.#serveCaller(exchange, caller))
  }

  /** Runs now, or in a later turn of the event loop unless the caller has disconnected by then. */
  #inTurn(exchange: HttpExchange, subject: string, step: () => void | Promise<void>): void {
    const guarded = () => this.#guard(exchange, step)
    if (this.#arrivals.tryRun(guarded)) return
    this.#arrivals.add(subject, () => {
      if (!exchange.req.socket.destroyed) guarded()
    })
  }

  #serveCaller(exchange: HttpExchange, caller: Caller): void | Promise<void> {
    const claimed = this.#parts.connections.claim(exchange.req.socket, caller)
    if (claimed instanceof Promise) return claimed.then((has) => (has ? this.#serveCall(exchange, caller) : undefined))
    if (claimed) return this.#serveCall(exchange, caller)
  }

  #serveCall(exchange: HttpExchange, caller: Caller): void | Promise<void> {
    const call = new HttpCall(caller, exchange, this.#parts.whyNoControl)
    exchange.call = call
    const door = RPC_DOORS.get(exchange.path)
    if (door) return this.#serveRpc(exchange, door, call)
    if (!this.#verbsOf.has(exchange.path)) return this.#serveOther(exchange, call)
    if (verbOf(exchange.req) === 'GET') closeEmptyBody(exchange.req)
    return this.#mirror(exchange.req, exchange.res)
  }

  #serveRpc(exchange: HttpExchange, door: RpcDoor, call: ChargedCall): void {
    const { rpc, dispatch, options } = this.#parts
    const { req } = exchange
    const answer: BodyTaker = (text, error) =>
      this.#inTurn(exchange, call.caller.subject, () => {
        if (text !== null) return after(rpc(text, door, call), (said) => sendRpc(exchange, said))
        return after(dispatch.refuse(null, asApiError(error, exchange), call), (refused) => {
          throw refused
        })
      })
    if (req.method === 'POST') takeBody(req, options.limits.bodyBytes, answer)
    else answer(null, new VerbRefusal(req.method, ['POST']))
  }

  /** Paths of no method. */
  #serveOther(exchange: HttpExchange, call: HttpCall): void | Promise<void> {
    const { streamDoor, webhooksApi, keysApi, callerOf } = this.#parts
    const { req, res, path, query } = exchange
    if (streamDoor !== null && isStreamPath(path))
      return streamDoor.serve(exchange, call, () => callerOf(req, query, performance.now()).caller)
    if (isWebhooksPath(path)) return webhooksApi(exchange, call)
    return keysApi(exchange, call) ?? this.#mirror(req, res)
  }

  /** Runs a step; an error it throws or rejects with becomes the reply. */
  #guard(exchange: HttpExchange, step: () => void | Promise<void>): void {
    try {
      const going = step()
      if (going instanceof Promise) going.catch((error: unknown) => this.#fail(exchange, error))
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  #fail(exchange: HttpExchange, error: unknown): void {
    const { log } = this.#parts
    const { requestId } = exchange
    const sent = asApiError(error, exchange)
    if (sent.kind === 'internal') log.error({ err: error, requestId }, 'request failed')
    const envelope = { ms: exchange.elapsed, verb: 'POST', id: null } as const
    exchange.refuse(DIALECTS[exchange.door], sent, envelope).catch((thrown: unknown) => {
      log.error({ err: thrown, requestId }, 'reply failed')
      exchange.res.destroy()
    })
  }
}
