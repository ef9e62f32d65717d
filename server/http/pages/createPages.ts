// What the service says of itself: documents, reference pages, health, metrics.

import type { Context, Middleware } from 'koa'
import { ApiError } from '../../../shared/errors.ts'
import { PICTURES } from '../../../shared/explorer/boot.ts'
import { V2_VERSION, V3_VERSION } from '../../../shared/version.ts'
import type { Docs } from '../../docs/index.ts'
import { oneAtATime } from '../../fairness/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { plain } from '../dialect/plain.ts'
import { toncenter } from '../dialect/toncenter.ts'
import { asApiError } from '../exchange/asApiError.ts'
import { BY_ACCEPT, type HttpExchange, type HttpReply } from '../exchange/exchange.ts'
import type { PluginScript } from '../httpOptions.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { noRoute } from '../paths/noRoute.ts'
import { verbOf } from '../requests/head.ts'
import { documentPages, keptHeaders, type PageReply } from './documentPages.ts'
import { type Document, type Explorer, opensPage } from './explorer.ts'
import { KeptPages } from './keptPages.ts'
import { LoopHealth } from './loopHealth.ts'
import { htmlReply, jsonReply, linkedFrom, themedReply } from './pageReplies.ts'
import { SEARCH_PATH, searchReply } from './searchForm.ts'

export interface Readiness {
  readonly ready: boolean
  /** What was checked, by name, in words. */
  readonly checks: Readonly<Record<string, string>>
}

export interface PagesParts {
  readonly docs: Docs
  /** Those of methods. */
  readonly paths: readonly string[]
  readonly metrics: Metrics
  readonly log: Log
  readonly readiness: () => Readiness | Promise<Readiness>
  readonly exchangeOf: (context: Context) => HttpExchange
  /** Further JSON documents, by path. */
  readonly files: ReadonlyMap<string, () => string>
  /** A loop that was later than this is not well. */
  readonly lateMs: number
  /** Most bytes that the search box may post. */
  readonly bodyBytes: number
  /** Null when it is off. */
  readonly explorer: Explorer | null
  readonly plugin: PluginScript | null
  /** Null when pages show none. */
  readonly pictures: ((exchange: HttpExchange) => Promise<HttpReply>) | null
}

export interface Pages {
  /** Passes on what is not answered here. */
  readonly serve: Middleware
  /** True for the paths answered here. */
  has(path: string): boolean
  /** What a path answers here, when that is text. */
  documentAt(path: string, exchange: HttpExchange): Promise<Document | null>
  /** Answers for a path nothing has: a page for a browser, else JSON. */
  miss(exchange: HttpExchange): void | Promise<void>
  close(): void
}

const dialectOf = ({ door }: HttpExchange): Dialect => (door === 'toncenter' ? toncenter : plain)

/** Whether the caller has this version already; `*` is any. */
const holds = ({ req }: HttpExchange, tag: string): boolean =>
  (req.headers['if-none-match'] ?? '').split(',').some((held) => ['*', tag].includes(held.trim().replace(/^W\//, '')))

const VERB = { ms: 0, verb: 'GET', id: null } as const

/** Where clients of JSON-RPC post when their address lacks its path. Blueprint proposes such an address. */
const WITHOUT_PATH: ReadonlySet<string> = new Set(['/', '/api', '/api/', '/api/v2', '/api/v2/'])
const RPC_HINT = ', or POST to /api/v2/jsonRPC for JSON-RPC'

/** A page of the explorer for a browser, or null. */
async function explorerPage(explorer: Explorer | null, exchange: HttpExchange): Promise<HttpReply | null> {
  const page = explorer !== null && opensPage(exchange.req) ? await explorer.page(exchange) : null
  if (page === null) return null
  const reply = htmlReply(page)
  // The theme is a cookie, and who may control the chain depends on who opens the page.
  return { ...reply, headers: [...reply.headers, 'Cache-Control', 'no-store', 'Vary', 'Accept, Cookie'] }
}

/** A reply that is another one for callers with another `Accept`. */
const byAccept = <R extends HttpReply>(reply: R): R => ({ ...reply, headers: [...(reply.headers ?? []), ...BY_ACCEPT] })

/** What each path answers. */
function pagesByPath(parts: PagesParts, health: LoopHealth): ReadonlyMap<string, PageReply> {
  const { docs, metrics, readiness, files, explorer, plugin } = parts
  const readyState = oneAtATime(async () => await readiness())
  const ready = async (): Promise<HttpReply> => {
    const state = await readyState()
    return jsonReply(state.ready ? 200 : 503, { versions: { v2: V2_VERSION, v3: V3_VERSION }, ...state })
  }
  const metricsText = oneAtATime(() => metrics.text())
  const { landing, others } = documentPages({ docs, files, plugin: explorer === null ? null : plugin })
  return new Map<string, PageReply>([
    ['/', async (exchange) => (await explorerPage(explorer, exchange)) ?? byAccept(await landing(exchange))],
    ...others,
    ['/healthcheck', () => health.plainReply()],
    ['/api/v2/healthcheck', () => health.reply()],
    ['/api/v3/healthcheck', () => health.reply()],
    ['/healthz', () => health.reply()],
    ['/readyz', ready],
    ['/metrics', async () => ({ status: 200, type: 'text/plain; version=0.0.4', body: await metricsText() })],
  ])
}

/** By their whole paths: six hundred patterns took a start 37 ms, and each page tried them. */
function servePages(pages: ReadonlyMap<string, PageReply>, { exchangeOf, docs, log }: PagesParts): Middleware {
  const kept = new KeptPages()
  async function send(page: PageReply, exchange: HttpExchange): Promise<void> {
    const asset = docs.assets.get(exchange.path)
    if (asset && holds(exchange, asset.etag))
      return exchange.empty([...keptHeaders(asset), 'Vary', 'Accept-Encoding'], 304)
    try {
      await exchange.reply(await kept.finish(await page(exchange), exchange))
    } catch (error) {
      log.error({ err: error, requestId: exchange.requestId }, 'page failed')
      const sent = new ApiError('internal', undefined, { requestId: exchange.requestId })
      await exchange.refuse(dialectOf(exchange), sent, VERB)
    }
  }
  return (context, next) => {
    const exchange = exchangeOf(context)
    const page = pages.get(exchange.path)
    if (page === undefined) return next()
    const { method = '' } = exchange.req
    if (verbOf(exchange.req) === 'GET') return send(page, exchange)
    const hint = method === 'POST' && WITHOUT_PATH.has(exchange.path) ? RPC_HINT : ''
    return exchange.refuse(dialectOf(exchange), new VerbRefusal(method, ['GET'], hint), VERB)
  }
}

export function createPages(parts: PagesParts): Pages {
  const { docs, paths, log, lateMs, explorer, pictures } = parts
  const health = new LoopHealth(lateMs)
  const pages = pagesByPath(parts, health)

  async function sendPicture(picture: NonNullable<typeof pictures>, exchange: HttpExchange): Promise<void> {
    let reply: HttpReply
    try {
      reply = await picture(exchange)
    } catch (error) {
      if (!(error instanceof ApiError)) log.error({ err: error, requestId: exchange.requestId }, 'picture failed')
      return exchange.refuse(plain, asApiError(error, exchange), VERB)
    }
    await exchange.reply(reply)
  }

  return {
    serve: servePages(pages, parts),
    has: (path) => pages.has(path),
    async documentAt(path, exchange) {
      const reply = await pages.get(path)?.(exchange)
      return typeof reply?.body === 'string' ? { status: reply.status, text: reply.body } : null
    },
    async miss(exchange) {
      if (explorer !== null && exchange.req.method === 'POST' && exchange.path === SEARCH_PATH)
        return exchange.reply(await searchReply(exchange, parts.bodyBytes))
      if (pictures !== null && verbOf(exchange.req) === 'GET' && exchange.path.startsWith(`${PICTURES}/`))
        return sendPicture(pictures, exchange)
      const page = await explorerPage(explorer, exchange)
      if (page !== null) return exchange.reply(page)
      if (!/\btext\/html\b/.test(exchange.req.headers.accept ?? ''))
        return exchange.refuse(plain, noRoute(exchange.path, [...pages.keys(), ...paths]), VERB)
      const missing = themedReply(linkedFrom(exchange.path, docs.pages.missing()), exchange)
      return exchange.reply({ ...byAccept(missing), status: 404 })
    },
    close() {
      health.close()
    },
  }
}
