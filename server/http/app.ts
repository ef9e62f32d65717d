// The HTTP side put together: the listening server with its bounds, the front that handles requests, WebSocket, and an
// orderly stop.

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Registry } from '../../shared/registry.ts'
import type { Access, Caller } from '../access/index.ts'
import type { Docs } from '../docs/index.ts'
import { Turns } from '../fairness/index.ts'
import { type ChargedCall, type Dispatch, NO_MODIFIERS } from '../methods/index.ts'
import type { Log, Metrics, RequestLog, Traces } from '../observe/index.ts'
import type { Streaming } from '../streaming/index.ts'
import type { WebhooksService } from '../webhooks/index.ts'
import { answerBrokenRequest } from './brokenRequest.ts'
import { createCallerOf, createPageCallerOf } from './caller.ts'
import { plansOf } from './callParams.ts'
import { createWhyNoControl } from './controlAccess.ts'
import type { Readiness } from './createPages.ts'
import { createSockets } from './createSockets.ts'
import type { Entrance } from './entrance.ts'
import { exchangeOf, Front } from './front.ts'
import { MOST_HEADERS, parserHeadBytes } from './head.ts'
import type { HttpLimits, HttpOptions } from './httpOptions.ts'
import { createKeysApi } from './keysApi.ts'
import type { KeysService } from './keysRequest.ts'
import { noterOf } from './noteRequests.ts'
import { noteReply } from './plainUpgrade.ts'
import type { OpenRelay } from './relay.ts'
import { createRpc } from './rpc.ts'
import { createSite } from './site.ts'
import { createStreamSockets } from './streams/createStreamSockets.ts'
import { createRpcStreams } from './streams/rpcStreams.ts'
import { createStreamDoor } from './streams/streamDoor.ts'
import { createUpgrade, listenForUpgrades, relayedUpgrade } from './upgrades.ts'
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

/** Node's server, with bounds on the head and the time of a request. */
function createBoundedServer(limits: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: parserHeadBytes(limits),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
  })
  server.maxHeadersCount = MOST_HEADERS
  return server
}

/** Calls of all WebSockets, numbered apart from requests. */
function socketCalls(requestLog: HttpParts['requestLog']) {
  let count = 0
  return (caller: Caller, signal: AbortSignal, whyNoControl: string | null): ChargedCall => {
    const requestId = `ws-${(count++).toString(36)}`
    const call = { caller, signal, whyNoControl, budget: null, requestId, modifiers: NO_MODIFIERS }
    return requestLog === undefined ? call : { ...call, note: noterOf(call, requestLog) }
  }
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
  const { log } = parts
  const turns = new Turns()
  const rpc = createRpc({ registry, plans, dispatch, turns, limits })
  const callerOf = createCallerOf(access, options.proxies, options.explorer === 'public')
  const whyNoControl = createWhyNoControl({
    token: options.controlToken,
    proxies: options.proxies,
    origins: options.controlOrigins,
  })
  const pageCallerOf = createPageCallerOf(access, options.proxies)
  const pages = createSite(parts, { readiness, callerOf: pageCallerOf, whyNoControl, exchangeOf })
  const { connections } = parts.entrance
  const keysApi = createKeysApi({ ...parts, whyNoControl })
  const isControlled = 'dev.state' in registry
  const webhooksApi = createWebhooksApi({ access, webhooks: parts.webhooks ?? null, isControlled, options })
  const { streams = null } = parts
  const streamDoor = streams && createStreamDoor({ streams, access, limits })
  const streamSockets = streams && createStreamSockets({ streams, access, limits })
  const further = { keysApi, webhooksApi, streamDoor }
  const front = new Front({ ...further, plans, rpc, turns, pages, callerOf, whyNoControl, connections, ...parts })
  const sockets = createSockets({
    streamsOf: streams === null ? undefined : (ws) => createRpcStreams({ streams, access, limits }, ws),
    rpc,
    turns,
    limits,
    onBarred: parts.onBarred ?? (() => undefined),
    newCall: socketCalls(parts.requestLog),
  })

  const server = createBoundedServer(limits)
  server.on('request', noteReply)
  server.on('request', front.handle)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(error, socket, limits))

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
  const upgrade = createUpgrade({
    ...{ callerOf, connections, sockets, streamSockets, whyNoControl, options, log },
    isDraining: () => draining,
  })
  listenForUpgrades(server, parts.relay === undefined ? upgrade : relayedUpgrade(parts.relay))
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
