// What the service says of itself: documents, reference pages, health, metrics.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { ApiError } from '../../shared/errors.ts'
import { PICTURES } from '../../shared/explorer/boot.ts'
import { V2_VERSION, V3_VERSION } from '../../shared/version.ts'
import { type Docs, wayToRoot } from '../docs/index.ts'
import type { Log, Metrics } from '../observe/index.ts'
import { VerbRefusal } from './allowOf.ts'
import type { Dialect } from './dialect/dialect.ts'
import { plain } from './dialect/plain.ts'
import { toncenter } from './dialect/toncenter.ts'
import type { HttpExchange, HttpReply } from './exchange.ts'
import { type Document, type Explorer, opensPage } from './explorer.ts'
import type { PluginScript } from './httpOptions.ts'
import { asApiError } from './rpc.ts'

export interface Readiness {
  readonly ready: boolean
  /** What was looked at, by name, in words. */
  readonly checks: Readonly<Record<string, string>>
}

export interface PagesParts {
  readonly docs: Docs
  readonly metrics: Metrics
  readonly log: Log
  readonly readiness: () => Readiness | Promise<Readiness>
  readonly exchangeOf: (context: Context) => HttpExchange
  /** Further JSON documents, by path. */
  readonly files: ReadonlyMap<string, string>
  /** A loop that was later than this is not well. */
  readonly lateMs: number
  /** Null when it is off. */
  readonly explorer: Explorer | null
  readonly plugin: PluginScript | null
  /** Null when pages show none. */
  readonly pictures: ((exchange: HttpExchange) => Promise<HttpReply>) | null
}

export interface Pages {
  readonly router: Router
  /** True for the paths answered here. */
  has(path: string): boolean
  /** What a path answers here, when that is text. */
  documentAt(path: string, exchange: HttpExchange): Promise<Document | null>
  /** Answers for a path nothing has: a page for a browser, else JSON. */
  miss(exchange: HttpExchange): void | Promise<void>
  close(): void
}

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const IMMUTABLE = 'public, max-age=31536000, immutable'
const SCRIPT = 'text/javascript; charset=utf-8'

const html = (body: string): HttpReply => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: ['Content-Security-Policy', CONTENT_POLICY, 'Referrer-Policy', 'no-referrer'],
})

/** Links from the root as links from a path: a proxy may have the service below a prefix. */
const linkedFrom = (path: string, body: string): string =>
  body.replaceAll(/ (href|src|action)="\/(?!\/)/g, ` $1="${wayToRoot(path)}`)

const json = (status: number, value: unknown): HttpReply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
  headers: ['Cache-Control', 'no-store'],
})

const dialectOf = ({ door }: HttpExchange): Dialect => (door === 'toncenter' ? toncenter : plain)

/** Whether the caller has this version already. */
const holds = ({ req }: HttpExchange, tag: string): boolean =>
  (req.headers['if-none-match'] ?? '').split(',').some((held) => held.trim().replace(/^W\//, '') === tag)

export function createPages(parts: PagesParts): Pages {
  const { docs, metrics, log, readiness, files, exchangeOf, lateMs, explorer, plugin, pictures } = parts
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const renew = setInterval(() => delay.reset(), 10_000)
  renew.unref()

  const health = (): HttpReply => {
    const loopLateMs = Math.round(delay.max / 1e6)
    return json(loopLateMs > lateMs ? 503 : 200, { alive: true, loopLateMs })
  }
  const ok = (): HttpReply => {
    const reply = health()
    return reply.status === 200 ? json(200, 'OK') : reply
  }
  const ready = async (): Promise<HttpReply> => {
    const state = await readiness()
    return json(state.ready ? 200 : 503, { versions: { v2: V2_VERSION, v3: V3_VERSION }, ...state })
  }
  const linked = new Map<string, { readonly from: string; readonly to: string }>()
  /** A page of the reference or the guides. */
  function linkedPage(text: string, { path }: HttpExchange): HttpReply {
    const known = linked.get(path)
    if (known?.from === text) return html(known.to)
    const to = linkedFrom(path, text)
    linked.set(path, { from: text, to })
    return html(to)
  }
  const document = (text: () => string) => (): HttpReply => ({ status: 200, type: 'application/json', body: text() })

  /** A page of the explorer for a browser, or null. */
  async function explorerPage(exchange: HttpExchange): Promise<HttpReply | null> {
    const page = explorer !== null && opensPage(exchange.req) ? await explorer.page(exchange) : null
    if (page === null) return null
    const reply = html(page)
    // The theme is a cookie, and who may control the chain depends on who opens the page.
    return { ...reply, headers: [...(reply.headers ?? []), 'Cache-Control', 'no-store', 'Vary', 'Accept, Cookie'] }
  }

  const pages = new Map<string, (exchange: HttpExchange) => HttpReply | Promise<HttpReply>>([
    ['/', async (exchange) => (await explorerPage(exchange)) ?? linkedPage(docs.pages.landing(), exchange)],
    ['/api', (exchange) => linkedPage(docs.pages.landing(), exchange)],
    ['/api/', (exchange) => linkedPage(docs.pages.landing(), exchange)],
    ['/api/v2', async (exchange) => linkedPage(await docs.pages.v2(), exchange)],
    ['/api/v2/', async (exchange) => linkedPage(await docs.pages.v2(), exchange)],
    ['/api/v2/index.html', async (exchange) => linkedPage(await docs.pages.v2(), exchange)],
    ['/api/v3', async (exchange) => linkedPage(await docs.pages.v3(), exchange)],
    ['/api/v3/', async (exchange) => linkedPage(await docs.pages.v3(), exchange)],
    ['/api/v3/index.html', async (exchange) => linkedPage(await docs.pages.v3(), exchange)],
    ['/docs', async (exchange) => linkedPage(await docs.guides.index(), exchange)],
    ['/docs/', async (exchange) => linkedPage(await docs.guides.index(), exchange)],
    ['/openapi/v2.json', document(docs.openapi.v2)],
    ['/openapi/v3.json', document(docs.openapi.v3)],
    // Where the reference server has them: probes and generators look there.
    ['/api/v2/openapi.json', document(docs.openapi.v2)],
    ['/api/v3/openapi.json', document(docs.openapi.v3)],
    ['/api/v3/doc.json', document(docs.openapi.v3)],
    ['/healthcheck', ok],
    ['/favicon.ico', () => ({ status: 200, type: 'image/svg+xml', body: docs.icon })],
    ['/api/v2/healthcheck', health],
    ['/api/v3/healthcheck', health],
    ['/healthz', health],
    ['/readyz', ready],
    ['/metrics', async () => ({ status: 200, type: 'text/plain; version=0.0.4', body: await metrics.text() })],
  ])
  for (const [path, text] of files)
    pages.set(
      path,
      document(() => text),
    )
  for (const [path, text] of docs.methods) pages.set(path, document(text))
  for (const name of docs.guides.names) {
    const guide = async (exchange: HttpExchange) => linkedPage(await docs.guides.page(name), exchange)
    const source = () => ({ status: 200, type: 'text/markdown; charset=utf-8', body: docs.guides.source(name) })
    for (const path of [`/docs/${name}`, `/docs/${name}/`]) pages.set(path, guide)
    pages.set(`/docs/${name}.md`, source)
  }
  if (plugin !== null && explorer !== null) {
    const headers = ['Cache-Control', IMMUTABLE]
    pages.set(`/${plugin.path}`, () => ({ status: 200, type: SCRIPT, body: plugin.body, headers }))
  }
  for (const [path, asset] of docs.assets) {
    const kept = asset.immutable ? IMMUTABLE : 'no-cache'
    // Of a worker the policy is that of its own script: the operator's decoders call no host.
    const headers = ['Cache-Control', kept, 'ETag', asset.etag, 'Content-Security-Policy', CONTENT_POLICY]
    pages.set(path, () => ({ status: 200, type: asset.type, body: asset.body, headers }))
  }

  async function sendPicture(picture: NonNullable<typeof pictures>, exchange: HttpExchange): Promise<void> {
    let reply: HttpReply
    try {
      reply = await picture(exchange)
    } catch (error) {
      if (!(error instanceof ApiError)) log.error({ err: error, requestId: exchange.requestId }, 'picture failed')
      return exchange.refuse(plain, asApiError(error, exchange), { ms: 0, verb: 'GET', id: null })
    }
    await exchange.reply(reply)
  }

  // The router by itself takes `/HEALTHZ` and `/healthz/` for `/healthz`.
  const router = new Router({ sensitive: true, strict: true })
  router.get([...pages.keys()], async (context, next) => {
    const exchange = exchangeOf(context)
    const page = pages.get(exchange.path)
    if (!page) return next()
    const tag = docs.assets.get(exchange.path)?.etag
    if (tag && holds(exchange, tag)) return exchange.empty(['ETag', tag, 'Cache-Control', 'no-cache'], 304)
    try {
      await exchange.reply(await page(exchange))
    } catch (error) {
      log.error({ err: error, requestId: exchange.requestId }, 'page failed')
      const sent = new ApiError('internal', undefined, { requestId: exchange.requestId })
      await exchange.refuse(dialectOf(exchange), sent, { ms: 0, verb: 'GET', id: null })
    }
  })
  router.all([...pages.keys()], (context, next) => {
    const exchange = exchangeOf(context)
    if (!pages.has(exchange.path)) return next()
    const refusal = new VerbRefusal(exchange.req.method, ['GET'])
    return exchange.refuse(dialectOf(exchange), refusal, { ms: 0, verb: 'GET', id: null })
  })
  return {
    router,
    has: (path) => pages.has(path),
    async documentAt(path, exchange) {
      const reply = await pages.get(path)?.(exchange)
      return typeof reply?.body === 'string' ? { status: reply.status, text: reply.body } : null
    },
    async miss(exchange) {
      if (pictures !== null && exchange.req.method === 'GET' && exchange.path.startsWith(`${PICTURES}/`))
        return sendPicture(pictures, exchange)
      const page = await explorerPage(exchange)
      if (page !== null) return exchange.reply(page)
      if (!/\btext\/html\b/.test(exchange.req.headers.accept ?? ''))
        return exchange.refuse(plain, new ApiError('routeNotFound'), { ms: 0, verb: 'GET', id: null })
      return exchange.reply({ ...html(linkedFrom(exchange.path, docs.pages.missing())), status: 404 })
    },
    close() {
      clearInterval(renew)
      delay.disable()
    },
  }
}
