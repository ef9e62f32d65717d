// What happens to a request, in order: length of its URL, preflight, pages, who calls, then the JSON-RPC doors (they
// stand in front of Koa, being the hot path) or the Koa application with pages and the REST mirror.

import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { ApiError } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Caller } from '../access/index.ts'
import type { Log } from '../log.ts'
import type { ChargedCall, Dispatch } from '../methods/index.ts'
import { readBody } from './body.ts'
import { HttpCall } from './call.ts'
import type { CallerOf } from './caller.ts'
import type { MayControl } from './control.ts'
import { allowedOrigin, preflightHeaders } from './cors.ts'
import type { Dialect } from './dialect/dialect.ts'
import { plain } from './dialect/plain.ts'
import { strict } from './dialect/strict.ts'
import { toncenter } from './dialect/toncenter.ts'
import { type Door, Exchange, retryHeader } from './exchange.ts'
import { modifiersOf } from './modifiers.ts'
import type { HttpOptions } from './options.ts'
import type { Pages } from './pages.ts'
import type { Plans } from './params.ts'
import { createRest } from './rest.ts'
import { asApiError, type Rpc, type RpcDoor } from './rpc.ts'
import { VerbRefusal } from './verb.ts'

export interface FrontParts {
  readonly registry: Registry
  readonly plans: Plans
  readonly dispatch: Dispatch
  readonly callerOf: CallerOf
  readonly mayControl: MayControl
  readonly rpc: Rpc
  readonly pages: Pages
  readonly log: Log
  readonly options: HttpOptions
}

export interface Front {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** From now on every reply closes its connection. */
  drain(): void
}

export const RPC_DOORS: ReadonlyMap<string, RpcDoor> = new Map([
  ['/jsonRPC', 'strict'],
  ['/api/v2/jsonRPC', 'toncenter'],
])

const DIALECTS: Readonly<Record<Door, Dialect>> = { strict, toncenter, plain, page: plain }

/** The front's own view of a request, handed to Koa's middleware through the request it wraps. */
interface Seen extends IncomingMessage {
  exchange?: Exchange
}

export function exchangeOf(context: Context): Exchange {
  const { exchange } = context.req as Seen
  if (!exchange) throw new Error('a request reached Koa without passing the front')
  return exchange
}

/** A Koa application around what `install` puts into it; replies are written by the exchange, one way for every door. */
function koaOf(install: (app: Koa) => void) {
  const app = new Koa()
  app.use((context, next) => {
    context.respond = false
    return next()
  })
  install(app)
  app.use((context) => {
    const exchange = exchangeOf(context)
    return exchange.refuse(plain, new ApiError('routeNotFound'), { ms: 0, verb: 'GET', id: null })
  })
  return app.callback()
}

export function createFront(parts: FrontParts): Front {
  const { callerOf, pages, rpc, options } = parts
  const { limits } = options
  let draining = false
  const isDraining = () => draining

  // Two applications, so that a call is not matched against the pages first.
  const mirror = koaOf((app) => app.use(createRest({ ...parts, limits, exchangeOf })))
  const site = koaOf((app) => app.use(pages.router.routes()))

  async function serveRpc(exchange: Exchange, door: RpcDoor, call: ChargedCall): Promise<void> {
    let text: string
    try {
      if (exchange.req.method !== 'POST') throw new VerbRefusal(exchange.req.method, ['POST'])
      text = await readBody(exchange.req, limits.bodyBytes)
    } catch (error) {
      throw parts.dispatch.refuse(null, asApiError(error, exchange), call)
    }
    const saying = rpc(text, door, call)
    const said = saying instanceof Promise ? await saying : saying
    if (!said) return exchange.empty()
    const { status, text: body } = said
    await exchange.reply({ status, type: 'application/json', body, headers: retryHeader(said) })
  }

  function serveCaller(exchange: Exchange, caller: Caller): Promise<void> {
    const { req, res, query } = exchange
    const call = new HttpCall(caller, exchange.requestId, res, {
      mayControl: () => parts.mayControl(req),
      modifiers: () => modifiersOf(req, query),
    })
    exchange.call = call
    const door = RPC_DOORS.get(exchange.path)
    return door ? serveRpc(exchange, door, call) : mirror(exchange.req, exchange.res)
  }

  function serveApi(exchange: Exchange): Promise<void> {
    const { caller, hint } = callerOf(exchange.req, exchange.query)
    exchange.hint = hint
    if (!(caller instanceof Promise)) return serveCaller(exchange, caller)
    return caller.then((known) => serveCaller(exchange, known))
  }

  function route(exchange: Exchange): void | Promise<void> {
    const { req, path } = exchange
    if ((req.url?.length ?? 0) > limits.urlBytes) {
      throw new ApiError('urlTooLong', `URL too long: ${limits.urlBytes} bytes at most`, { limit: limits.urlBytes })
    }
    if (req.method === 'OPTIONS') return exchange.empty(preflightHeaders(req, 'GET, HEAD, POST, OPTIONS'))
    return exchange.door === 'page' || pages.has(path) ? site(req, exchange.res) : serveApi(exchange)
  }

  async function serve(exchange: Exchange): Promise<void> {
    try {
      await route(exchange)
    } catch (error) {
      const sent = asApiError(error, exchange)
      if (sent.kind === 'internal') parts.log.error({ err: error, requestId: exchange.requestId }, 'request failed')
      await exchange.refuse(DIALECTS[exchange.door], sent, { ms: exchange.elapsed, verb: 'POST', id: null })
    }
  }

  return {
    handle(req: Seen, res) {
      const exchange = new Exchange(req, res, allowedOrigin(req, options.corsOrigins), isDraining)
      req.exchange = exchange
      serve(exchange).catch((error: unknown) => {
        parts.log.error({ err: error, requestId: exchange.requestId }, 'reply failed')
        res.destroy()
      })
    },
    drain() {
      draining = true
    },
  }
}
