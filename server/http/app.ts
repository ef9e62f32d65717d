// The HTTP side put together: the server, the front that handles requests, WebSocket, and an orderly stop.

import type { Registry } from '../../shared/registry.ts'
import type { Access, Caller } from '../access/index.ts'
import type { Docs } from '../docs/index.ts'
import { Turns } from '../fairness/index.ts'
import { type ChargedCall, type Dispatch, NO_MODIFIERS } from '../methods/index.ts'
import type { Log, Metrics, RequestLog, Traces } from '../observe/index.ts'
import type { Streaming } from '../streaming/index.ts'
import type { WebhooksService } from '../webhooks/index.ts'
import { createAddressCallerOf, createCallerOf, createPageCallerOf } from './callers/caller.ts'
import { createWhyNoControl } from './callers/controlAccess.ts'
import { BoundedServer } from './connections/boundedServer.ts'
import type { Entrance } from './connections/entrance.ts'
import { PeerWatch } from './connections/peerWatch.ts'
import { noterOf } from './exchange/noteRequests.ts'
import type { OpenRelay } from './exchange/relay.ts'
import { exchangeOf, Front } from './front.ts'
import type { HttpOptions } from './httpOptions.ts'
import { createKeysApi } from './keys/keysApi.ts'
import type { KeysService } from './keys/keysRequest.ts'
import type { Pages, Readiness } from './pages/createPages.ts'
import { createSite } from './pages/site.ts'
import { HeldReplies } from './replies/heldReplies.ts'
import { plansOf } from './requests/callParams.ts'
import { createSockets, type Sockets } from './rpc/createSockets.ts'
import { createRpc } from './rpc/rpc.ts'
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
  readonly files?: ReadonlyMap<string, () => string>
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

/** Calls of all WebSockets, numbered apart from requests. */
function socketCalls(requestLog: HttpParts['requestLog']) {
  let count = 0
  return (caller: Caller, signal: AbortSignal, whyNoControl: string | null): ChargedCall => {
    const requestId = `ws-${(count++).toString(36)}`
    const call = { caller, signal, whyNoControl, budget: null, requestId, modifiers: NO_MODIFIERS }
    return requestLog === undefined ? call : { ...call, note: noterOf(call, requestLog) }
  }
}

/** Streams over requests and WebSockets; null where they are not served. */
function streamsOf(
  { streams = null, ...parts }: HttpParts,
  own: { readonly peers: PeerWatch; readonly held: HeldReplies; readonly isDraining: () => boolean },
) {
  if (streams === null) return null
  const { access, log, entrance } = parts
  const { limits } = parts.options
  const common = { streams, access, held: own.held, limits }
  return {
    door: createStreamDoor({ ...common, ...own, connections: entrance.connections }),
    sockets: createStreamSockets({ ...common, log }),
    ofRpcSocket: (ws: Parameters<typeof createRpcStreams>[1]) => createRpcStreams(common, ws),
    close: () => streams.close(),
  }
}

/** What requests, pages and WebSockets have in common. */
function callersOf({ access, options }: HttpParts) {
  const { proxies } = options
  return {
    callerOf: createCallerOf(access, proxies, options.explorer === 'public'),
    addressCallerOf: createAddressCallerOf(access, proxies),
    pageCallerOf: createPageCallerOf(access, proxies),
    whyNoControl: createWhyNoControl({ token: options.controlToken, proxies, origins: options.controlOrigins }),
  }
}

/** What requests and WebSockets share. */
function sharedOf(parts: HttpParts) {
  const { registry, dispatch, log } = parts
  const { limits } = parts.options
  const plans = plansOf(registry)
  const turns = new Turns({ goesFirst: true })
  const onFull = (subject: string) => log.warn({ subject }, 'connection closed: too much unread')
  return {
    plans,
    turns,
    rpc: createRpc({ registry, plans, dispatch, turns, limits }),
    held: new HeldReplies(limits.heldBytes, onFull),
    peers: new PeerWatch(limits.streamKeepaliveMs),
    ...callersOf(parts),
  }
}

type Shared = ReturnType<typeof sharedOf>
type Streams = ReturnType<typeof streamsOf>

function frontOf(parts: HttpParts, shared: Shared, { pages, streams }: { pages: Pages; streams: Streams }): Front {
  const { registry, access, options, webhooks = null } = parts
  const { whyNoControl } = shared
  return new Front({
    ...parts,
    ...shared,
    pages,
    connections: parts.entrance.connections,
    keysApi: createKeysApi({ ...parts, whyNoControl }),
    webhooksApi: createWebhooksApi({ access, options, webhooks, isControlled: 'dev.state' in registry }),
    streamDoor: streams?.door ?? null,
  })
}

function socketsOf(parts: HttpParts, { rpc, turns, held }: Shared, streams: Streams): Sockets {
  const { log, options, onBarred = () => undefined } = parts
  return createSockets({
    rpc,
    turns,
    held,
    limits: options.limits,
    log,
    streamsOf: streams?.ofRpcSocket,
    onBarred,
    newCall: socketCalls(parts.requestLog),
  })
}

export async function createHttp(parts: HttpParts): Promise<HttpService> {
  const { access, metrics, options, log, entrance, relay } = parts
  let draining = false
  const isDraining = (): boolean => draining
  const readiness = async (): Promise<Readiness> => {
    const state = await parts.readiness()
    return draining ? { ready: false, checks: { ...state.checks, service: 'stopping' } } : state
  }
  const shared = sharedOf(parts)
  const { held, peers, callerOf, addressCallerOf, pageCallerOf, whyNoControl } = shared
  const pages = createSite(parts, { readiness, callerOf: pageCallerOf, whyNoControl, exchangeOf })
  const streams = streamsOf(parts, { peers, held, isDraining })
  const front = frontOf(parts, shared, { pages, streams })
  const sockets = socketsOf(parts, shared, streams)
  const upgrade = createUpgrade({
    callerOf,
    addressCallerOf,
    access,
    connections: entrance.connections,
    held,
    sockets,
    whyNoControl,
    options,
    log,
    streamSockets: streams?.sockets ?? null,
    isDraining,
  })
  const server = new BoundedServer(options.limits, held, front.handle)
  listenForUpgrades(server.http, relay === undefined ? upgrade : relayedUpgrade(relay, peers))
  metrics.gauge('tonrpc_http_connections', 'Open connections.', () => server.open)
  metrics.gauge('tonrpc_sockets', 'Open WebSocket connections.', () => sockets.open + (streams?.sockets.open ?? 0))
  const url = await entrance.open(server.attend)
  server.start()

  async function close(): Promise<void> {
    draining = true
    front.drain()
    streams?.door.close()
    streams?.sockets.close()
    entrance.close()
    await server.drain(sockets.close(), () => {
      sockets.terminate()
      streams?.sockets.terminate()
    })
    pages.close()
    streams?.close()
  }

  return { url, bar: sockets.bar, close }
}
