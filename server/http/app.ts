// The HTTP side put together: the listening server with its bounds, the front that handles requests, WebSocket, and an
// orderly stop.

import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Access } from '../access/index.ts'
import type { Docs } from '../docs/index.ts'
import { Turns } from '../fairness/index.ts'
import { type Dispatch, NO_MODIFIERS } from '../methods/index.ts'
import type { Log, Metrics, RequestLog, Traces } from '../observe/index.ts'
import type { Streaming } from '../streaming/index.ts'
import type { WebhooksService } from '../webhooks/index.ts'
import { answerBrokenRequest, hangUpWith } from './brokenRequest.ts'
import { createCallerOf, createPageCallerOf } from './caller.ts'
import { plansOf } from './callParams.ts'
import { createWhyNoControl } from './controlAccess.ts'
import { createPages, type Readiness } from './createPages.ts'
import { createSockets } from './createSockets.ts'
import { plain } from './dialect/plain.ts'
import { strict } from './dialect/strict.ts'
import { toncenter } from './dialect/toncenter.ts'
import type { Entrance } from './entrance.ts'
import { type HttpExchange, originForm } from './exchange.ts'
import { createExplorer, type Document } from './explorer.ts'
import { createFront, exchangeOf, RPC_DOORS } from './front.ts'
import { checkHead, MOST_HEADERS, parserHeadBytes } from './head.ts'
import type { HttpOptions } from './httpOptions.ts'
import { createKeysApi } from './keysApi.ts'
import { FAILURES_PATH } from './keysPaths.ts'
import type { KeysService } from './keysService.ts'
import { modifiersOf } from './modifiersOf.ts'
import { noterOf } from './noteRequests.ts'
import { createPictureDoor } from './pictureDoor.ts'
import { afterReplies, isWebSocket, noteReply, readAsPlain } from './plainUpgrade.ts'
import { isStreamPath, type OpenRelay, relayUpgrade } from './relay.ts'
import { asApiError, createRpc } from './rpc.ts'
import { createStreamSockets } from './streams/createStreamSockets.ts'
import { SOCKET_PATHS } from './streams/paths.ts'
import { createRpcStreams } from './streams/rpcStreams.ts'
import { createStreamDoor } from './streams/streamDoor.ts'
import { createWebhooksApi } from './webhooksApi.ts'

export interface HttpParts {
  readonly registry: Registry
  readonly dispatch: Dispatch
  readonly access: Access
  readonly keys: KeysService
  readonly docs: Docs
  /** Absent where streams are not served. */
  readonly streams?: Streaming | null
  /** Absent where webhooks are not kept. */
  readonly webhooks?: WebhooksService | null
  readonly metrics: Metrics
  readonly log: Log
  /** Absent when requests are not logged. */
  readonly requestLog?: Pick<RequestLog, 'write'> | undefined
  /** Absent when requests are not traced. */
  readonly traces?: Traces | undefined
  /** What else must be well before requests should be sent here. */
  readonly readiness: () => Readiness | Promise<Readiness>
  /** Further JSON documents to serve, by path. */
  readonly files?: ReadonlyMap<string, string>
  readonly entrance: Entrance
  /** Opens a way to the process that answers WebSockets and streams; absent where this one does. */
  readonly relay?: OpenRelay | undefined
  readonly options: HttpOptions
  /** Called for a caller whose sockets are refused for some milliseconds. */
  readonly onBarred?: (subject: string, ms: number) => void
}

export interface HttpService {
  /** Where it listens, `http://127.0.0.1:8081`. */
  readonly url: string
  /** Another process has barred a caller. */
  bar(subject: string, ms: number): void
  /** Stops accepting connections, lets running calls finish, and closes the rest after the drain timeout. */
  close(): Promise<void>
}

export async function createHttp(parts: HttpParts): Promise<HttpService> {
  const { registry, dispatch, access, metrics, options } = parts
  const { limits } = options
  const plans = plansOf(registry)
  let draining = false
  const readiness = async (): Promise<Readiness> => {
    const state = await parts.readiness()
    return draining ? { ready: false, checks: { ...state.checks, service: 'stopping' } } : state
  }
  const { docs, log, files = new Map<string, string>() } = parts
  const turns = new Turns()
  const rpc = createRpc({ registry, plans, dispatch, turns, limits })
  const callerOf = createCallerOf(access, options.proxies, options.explorer === 'public')
  const whyNoControl = createWhyNoControl({
    token: options.controlToken,
    proxies: options.proxies,
    origins: options.controlOrigins,
  })
  const pageCallerOf = createPageCallerOf(access, options.proxies)
  const { pictureAt } = options
  const pictures =
    pictureAt === null || options.explorer === 'off'
      ? null
      : createPictureDoor({ dispatch, callerOf: pageCallerOf, pictureAt })
  /** Throws ApiError for callers who may not see it. */
  const failuresFor = async ({ req }: HttpExchange): Promise<Document> => {
    const caller = pageCallerOf(req)
    const request = { verb: 'GET', path: FAILURES_PATH, query: '', body: '', token: '', caller }
    const { status, json } = await parts.keys({ ...request, isControl: whyNoControl(req) === null })
    return { status, text: json }
  }
  const explorer =
    options.explorer === 'off'
      ? null
      : createExplorer({
          network: options.network,
          plugin: options.plugin?.path ?? null,
          publicUrl: options.publicUrl,
          docs,
          dispatch,
          whyNoControl,
          callerOf: pageCallerOf,
          documentAt: (path, exchange) =>
            path === FAILURES_PATH ? failuresFor(exchange) : pages.documentAt(path, exchange),
          pictures: pictures !== null,
        })
  const pages = createPages({
    docs,
    metrics,
    log,
    readiness,
    files,
    exchangeOf,
    lateMs: limits.lateMs,
    explorer,
    pictures,
    plugin: options.plugin,
  })
  const { connections } = parts.entrance
  const keysApi = createKeysApi({ ...parts, whyNoControl })
  const isControlled = 'dev.state' in registry
  const webhooksApi = createWebhooksApi({ access, webhooks: parts.webhooks ?? null, isControlled, options })
  const { streams = null } = parts
  const streamDoor = streams && createStreamDoor({ streams, access, limits })
  const streamSockets = streams && createStreamSockets({ streams, access, limits })
  const further = { keysApi, webhooksApi, streamDoor }
  const front = createFront({ ...further, plans, rpc, turns, pages, callerOf, whyNoControl, connections, ...parts })
  let socketCalls = 0
  const sockets = createSockets({
    streamsOf: streams === null ? undefined : (ws) => createRpcStreams({ streams, access, limits }, ws),
    rpc,
    turns,
    limits,
    onBarred: parts.onBarred ?? (() => undefined),
    newCall: (caller, signal, whyNoControl) => {
      const requestId = `ws-${(socketCalls++).toString(36)}`
      const call = { caller, signal, whyNoControl, budget: null, requestId, modifiers: NO_MODIFIERS }
      return parts.requestLog === undefined ? call : { ...call, note: noterOf(call, parts.requestLog) }
    },
  })

  const server = createServer({
    maxHeaderSize: parserHeadBytes(limits),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
  })
  server.maxHeadersCount = MOST_HEADERS
  server.on('request', noteReply)
  server.on('request', front.handle)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(error, socket, limits))

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [path = '', query = ''] = originForm(req.url ?? '').split('?', 2)
    checkHead(req, path, limits)
    const door = RPC_DOORS.get(path)
    const isStream = streamSockets !== null && SOCKET_PATHS.has(path)
    if (!door && !isStream) throw new ApiError('routeNotFound')
    if (draining) throw new ApiError('busy', 'The service is stopping', { retryAfter: 1 })
    const origin = req.headers.origin
    const { corsOrigins } = options
    if (origin !== undefined && !corsOrigins.includes('*') && !corsOrigins.includes(origin)) {
      throw new ApiError('forbidden', 'Pages of this origin may not call', { reason: 'origin' })
    }
    const identify = () => callerOf(req, query, performance.now()).caller
    const caller = await identify()
    if (!(await connections.claim(req.socket, caller))) return
    const barred = sockets.barredFor(caller)
    if (barred > 0)
      throw new ApiError('rateLimited', `Too many refused frames: back in ${barred} s`, { retryAfter: barred })
    if (!(await connections.claimSocket(req.socket))) {
      throw new ApiError('busy', `Too many sockets: ${limits.sockets} at most`, {
        limit: limits.sockets,
        retryAfter: 1,
      })
    }
    if (door) return sockets.take(req, socket, head, { identify, door, whyNoControl: whyNoControl(req) })
    const { actionsVersion } = modifiersOf(req, query)
    await streamSockets?.take(req, socket, head, { caller, identify, actionsVersion })
  }

  function upgradeOrRefuse(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    upgrade(req, socket, head).catch((error: unknown) => {
      const sent = asApiError(error, { requestId: 'upgrade' })
      if (sent.kind === 'internal') parts.log.error({ err: error }, 'upgrade failed')
      const target = originForm(req.url ?? '')
      const dialect = isStreamPath(target) ? plain : target.startsWith('/api/v2/') ? toncenter : strict
      const { text } = dialect.failure(sent, { ms: 0, verb: 'POST', id: null })
      const { retryAfter } = sent.data
      hangUpWith(socket, sent.row.http, text, retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`])
    })
  }

  const open = new Set<Socket>()
  let onEmpty: () => void = () => undefined
  function attend(socket: Socket): void {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) onEmpty()
    })
    server.emit('connection', socket)
  }
  const ignoreError = () => {}
  server.on('upgrade', (req, socket, head) => {
    // The server takes its own listener off: a peer that resets now would bring the process down.
    socket.on('error', ignoreError)
    afterReplies(req.socket, () => {
      if (isWebSocket(req)) {
        if (parts.relay !== undefined) return relayUpgrade(parts.relay, req, socket, head)
        return upgradeOrRefuse(req, socket, head)
      }
      readAsPlain(req, head, (socket) => server.emit('connection', socket))
      socket.off('error', ignoreError)
    })
  })
  metrics.gauge('tonrpc_http_connections', 'Open connections.', () => open.size)
  metrics.gauge('tonrpc_sockets', 'Open WebSocket connections.', () => sockets.open + (streamSockets?.open ?? 0))

  const url = await parts.entrance.open(attend)
  // Connections come from the entrance; the server's own clocks for slow requests begin with this event.
  server.emit('listening')

  async function close(): Promise<void> {
    draining = true
    front.drain()
    streamDoor?.close()
    streamSockets?.close()
    parts.entrance.close()
    server.closeIdleConnections()
    const closed = new Promise<void>((resolve) => {
      onEmpty = resolve
      if (open.size === 0) resolve()
    })
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const hard = setTimeout(() => {
      server.closeAllConnections()
      sockets.terminate()
      streamSockets?.terminate()
    }, limits.drainMs)
    await Promise.all([sockets.close(), closed])
    clearInterval(idle)
    clearTimeout(hard)
    // Ends those clocks.
    server.close()
    pages.close()
    streams?.close()
  }

  return { url, bar: sockets.bar, close }
}
