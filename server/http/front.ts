// What happens to a request, in order: length of its URL, preflight, pages, who calls, then the JSON-RPC doors (they
// stand in front of Koa, being the hot path) or the Koa application with pages and the REST mirror.

import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { ApiError } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import { type Access, type Caller, clientAddress, rateHeaders } from '../access/index.ts'
import type { Log } from '../log.ts'
import type { Call, Dispatch } from '../methods/index.ts'
import { readBody } from './body.ts'
import { HttpCall } from './call.ts'
import { allowedOrigin, preflightHeaders } from './cors.ts'
import type { Dialect } from './dialect/dialect.ts'
import { plain } from './dialect/plain.ts'
import { strict } from './dialect/strict.ts'
import { toncenter } from './dialect/toncenter.ts'
import { type Door, Exchange, retryHeader } from './exchange.ts'
import { keyOf } from './key.ts'
import type { HttpOptions } from './options.ts'
import type { Pages } from './pages.ts'
import type { Plan } from './params.ts'
import { createRest } from './rest.ts'
import { asApiError, type Rpc, type RpcDoor } from './rpc.ts'
import { VerbRefusal } from './verb.ts'

export interface FrontParts {
  readonly registry: Registry
  readonly plans: ReadonlyMap<string, Plan>
  readonly dispatch: Dispatch
  readonly access: Access
  readonly rpc: Rpc
  readonly pages: Pages
  readonly log: Log
  readonly options: HttpOptions
}

export interface Front {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Who is behind a request; throws ApiError for a key that does not hold. */
  callerOf(req: IncomingMessage, query: string): { caller: Caller | Promise<Caller>; hint: readonly string[] }
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

export function createFront(parts: FrontParts): Front {
  const { access, pages, rpc, options } = parts
  const { limits } = options
  let draining = false

  function callOf(exchange: Exchange): Call {
    if (!exchange.caller) throw new Error('a call without a caller')
    return new HttpCall(exchange.caller, exchange.requestId, exchange.res)
  }

  function callerOf(req: IncomingMessage, query: string) {
    const { key, hint } = keyOf(req, query)
    const forwarded = req.headers['x-forwarded-for']
    const address = clientAddress(req.socket.remoteAddress, forwarded?.toString(), options.proxies)
    return { caller: access.identify(key, address), hint }
  }

  const app = new Koa()
  app.use((context, next) => {
    // Replies are written by the exchange: one way for every door.
    context.respond = false
    return next()
  })
  app.use(pages.router.routes())
  app.use(createRest({ ...parts, limits, exchangeOf, callOf }).routes())
  app.use((context) => {
    const exchange = exchangeOf(context)
    return exchange.refuse(plain, new ApiError('routeNotFound'), { ms: 0, verb: 'GET', id: null })
  })
  const koa = app.callback()

  async function serveRpc(exchange: Exchange, door: RpcDoor): Promise<void> {
    if (exchange.req.method !== 'POST') throw new VerbRefusal(exchange.req.method, ['POST'])
    const said = await rpc(await readBody(exchange.req, limits.bodyBytes), door, callOf(exchange))
    if (!said) return exchange.empty()
    await exchange.reply({
      status: said.status,
      type: 'application/json',
      body: said.text,
      headers: retryHeader(said),
    })
  }

  async function serveApi(exchange: Exchange): Promise<void> {
    const { caller, hint } = callerOf(exchange.req, exchange.query)
    const known = caller instanceof Promise ? await caller : caller
    exchange.caller = known
    exchange.rateHeaders = () => {
      const budget = access.peek(known)
      return budget ? [...rateHeaders(budget).flat(), ...hint] : hint
    }
    const door = RPC_DOORS.get(exchange.path)
    if (door) {
      await serveRpc(exchange, door).catch((error: unknown) => {
        throw parts.dispatch.refuse(null, asApiError(error, exchange), callOf(exchange))
      })
    } else await koa(exchange.req, exchange.res)
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { req, path } = exchange
    const page = exchange.door === 'page' || pages.has(path)
    try {
      if ((req.url?.length ?? 0) > limits.urlBytes) {
        throw new ApiError('urlTooLong', `URL too long: ${limits.urlBytes} bytes at most`, { limit: limits.urlBytes })
      }
      if (req.method === 'OPTIONS') return exchange.empty(preflightHeaders(req, 'GET, HEAD, POST, OPTIONS'))
      if (page) await koa(req, exchange.res)
      else await serveApi(exchange)
    } catch (error) {
      const sent = asApiError(error, exchange)
      if (sent.kind === 'internal') parts.log.error({ err: error, requestId: exchange.requestId }, 'request failed')
      await exchange.refuse(DIALECTS[exchange.door], sent, { ms: exchange.elapsed, verb: 'POST', id: null })
    }
  }

  return {
    callerOf,
    handle(req: Seen, res) {
      const exchange = new Exchange(req, res, allowedOrigin(req, options.corsOrigins))
      req.exchange = exchange
      exchange.closing = draining
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
