// Connections that request another protocol: WebSockets are taken over, all other requests are answered as they are.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../shared/errors.ts'
import type { Access, Caller } from '../access/index.ts'
import type { Log } from '../observe/index.ts'
import type { CallerOf } from './callers/caller.ts'
import { chargeOne } from './callers/chargeOne.ts'
import type { WhyNoControl } from './callers/controlAccess.ts'
import { hangUpWith, hungUpOnBrokenHead } from './connections/brokenRequest.ts'
import type { Connections } from './connections/connections.ts'
import type { PeerWatch } from './connections/peerWatch.ts'
import { afterReplies, isWebSocket, readAsPlain } from './connections/plainUpgrade.ts'
import { hasEnded } from './connections/socketLife.ts'
import { asApiError } from './exchange/asApiError.ts'
import { DIALECTS, doorOf } from './exchange/exchange.ts'
import { modifiersOf } from './exchange/httpCall.ts'
import { type OpenRelay, relayUpgrade } from './exchange/relay.ts'
import type { HttpOptions } from './httpOptions.ts'
import { RPC_DOORS } from './paths/rpcDoors.ts'
import { SOCKET_PATHS, WATCH_PATHS } from './paths/streamPaths.ts'
import type { HeldReplies } from './replies/heldReplies.ts'
import { checkHead, targetParts } from './requests/head.ts'
import type { Sockets } from './rpc/createSockets.ts'
import type { StreamSockets } from './streams/createStreamSockets.ts'

export interface UpgradeParts {
  readonly callerOf: CallerOf
  readonly addressCallerOf: (req: IncomingMessage) => Caller
  readonly access: Pick<Access, 'spend' | 'count'>
  readonly connections: Connections
  readonly held: HeldReplies
  readonly sockets: Sockets
  /** Null where streams are not served. */
  readonly streamSockets: StreamSockets | null
  readonly whyNoControl: WhyNoControl
  readonly options: HttpOptions
  readonly log: Log
  readonly isDraining: () => boolean
}

type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Throws ApiError for a page of an origin that may not call. */
function checkOrigin({ headers }: IncomingMessage, { corsOrigins }: HttpOptions): void {
  const { origin } = headers
  if (origin !== undefined && !corsOrigins.includes('*') && !corsOrigins.includes(origin))
    throw new ApiError('forbidden', 'Pages of this origin may not call', { reason: 'origin' })
}

/** Takes over a WebSocket, or refuses it with a reply. */
export function createUpgrade(parts: UpgradeParts): Upgrade {
  const { callerOf, addressCallerOf, access } = parts
  const { connections, held, sockets, streamSockets, whyNoControl, options, log } = parts
  const { limits } = options

  /** A key that does not hold costs its address what a call without a key costs; the answer stays the same. */
  async function chargeGuess(req: IncomingMessage, error: unknown): Promise<never> {
    if (hasEnded(error)) await chargeOne(access, { caller: addressCallerOf(req) }, 'unknown').catch(() => undefined)
    throw error
  }

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { path, query } = targetParts(req.url ?? '')
    checkHead(req, path, limits)
    const door = RPC_DOORS.get(path)
    const watched = WATCH_PATHS.get(path)
    const isStream = streamSockets !== null && (SOCKET_PATHS.has(path) || watched !== undefined)
    if (!door && !isStream) throw new ApiError('routeNotFound')
    checkOrigin(req, options)
    const identify = () => callerOf(req, query, performance.now()).caller
    const caller = await (async () => await identify())().catch((error: unknown) => chargeGuess(req, error))
    if (!(await connections.claim(req.socket, caller))) return
    const barred = sockets.barredFor(caller)
    if (barred > 0)
      throw new ApiError('rateLimited', `Too many refused frames: back in ${barred} s`, { retryAfter: barred })
    const holder = held.of(req.socket)
    if (!(await connections.claimSocket(req.socket, (why) => holder?.giveWay(why)))) {
      throw new ApiError('busy', `Too many sockets: ${limits.sockets} at most`, {
        limit: limits.sockets,
        retryAfter: 1,
      })
    }
    // Checked after the last `await`: a stop closes the WebSockets that are open, and would wait for one that opens later.
    if (parts.isDraining()) throw new ApiError('busy', 'The service is stopping', { retryAfter: 1 })
    if (holder !== undefined) holder.subject = caller.subject
    if (door) return sockets.take(req, socket, head, { identify, door, whyNoControl: whyNoControl(req), holder })
    const { actionsVersion } = modifiersOf(req, query)
    await streamSockets?.take(req, socket, head, { caller, identify, actionsVersion, holder, watched })
  }

  return (req, socket, head) => {
    upgrade(req, socket, head).catch((error: unknown) => {
      const sent = asApiError(error, { requestId: 'upgrade' })
      if (sent.kind === 'internal') log.error({ err: error }, 'upgrade failed')
      const { path } = targetParts(req.url ?? '')
      const { text } = DIALECTS[doorOf(path)].failure(sent, { ms: 0, verb: 'POST', id: null })
      const { retryAfter } = sent.data
      hangUpWith(socket, sent.httpStatus, text, retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`])
    })
  }
}

/** Hands a WebSocket to the process that answers them. */
export const relayedUpgrade =
  (relay: OpenRelay, peers: PeerWatch): Upgrade =>
  (req, socket, head) =>
    relayUpgrade(relay, req, { socket, head }, peers)

const ignoreError = () => {}

export function listenForUpgrades(server: Server, upgrade: Upgrade): void {
  server.on('upgrade', (req, socket, head) => {
    // The server takes its own listener off: a peer that resets now would bring the process down.
    socket.on('error', ignoreError)
    // The server's listener for this is off as well, and answers before it may be left unread.
    const endUnread = (): void => {
      if (socket.writableLength > 0) socket.destroy()
    }
    socket.on('timeout', endUnread)
    afterReplies(req.socket, () => {
      socket.off('timeout', endUnread)
      // It was of requests and answers.
      req.socket.setTimeout(0)
      if (isWebSocket(req)) return hungUpOnBrokenHead(req, socket) ? undefined : upgrade(req, socket, head)
      readAsPlain(req, head, (own) => server.emit('connection', own))
      socket.off('error', ignoreError)
    })
  })
}
