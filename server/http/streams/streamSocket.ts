// The WebSocket of streams: one subscription at a time, changed by operations in JSON frames. Operations of a connection are
// served one after the other, and their replies come in that order, before what they cause.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket } from 'ws'
import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { Access, Caller } from '../../access/index.ts'
import { RecentSet, readNames, type Streaming, type Subscriber, SubscriptionRefused } from '../../streaming/index.ts'
import { RefusalWindow } from '../barred.ts'
import type { HttpLimits } from '../httpOptions.ts'
import { parseJson } from '../json.ts'
import { createWebSocketServer } from '../webSocketServer.ts'
import { pacedSink, SLOW_TEXT } from './paced.ts'
import { chargeStream, echoOf, type Identified } from './streamRequest.ts'
import { writeFrame } from './textFrames.ts'

type Limits = Pick<
  HttpLimits,
  | 'frameBytes'
  | 'frameFragments'
  | 'framesInFlight'
  | 'jsonDepth'
  | 'refusals'
  | 'refusalsMs'
  | 'streamBytes'
  | 'streamPingMs'
>

export interface StreamSocketParts {
  readonly streams: Streaming
  readonly access: Pick<Access, 'spend'>
  readonly limits: Limits
}

export interface StreamPeer {
  readonly caller: Caller
  readonly identify: Identified
  readonly actionsVersion: string | null
}

export interface StreamSockets {
  /** Throws ApiError for a caller who may not have another stream. */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, peer: StreamPeer): Promise<void>
  /** Says goodbye to all. */
  close(): void
  terminate(): void
  readonly open: number
}

const GOING_AWAY = 1001
const POLICY = 1008
const RESTART = 1012
const TRY_AGAIN_LATER = 1013
/** Pings that may stay unanswered. */
const MISSES = 2
const CLOSE_MS = 1000

type Fields = Readonly<Record<string, unknown>>

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A list of names; absent is empty. Throws SubscriptionRefused. */
function textsIn(fields: Fields, name: string): string[] {
  const value = fields[name] ?? []
  if (!isTexts(value)) throw new SubscriptionRefused(`invalid unsubscribe request: ${name}: expected texts`)
  return value
}

function readEnvelope(data: RawData, depth: number): Fields {
  let value: unknown
  try {
    value = parseJson(String(data), depth)
  } catch (error) {
    throw new SubscriptionRefused(`invalid request envelope: ${error instanceof Error ? error.message : ''}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SubscriptionRefused('invalid request envelope: not an object')
  return value as Fields
}

export function createStreamSockets({ streams, access, limits }: StreamSocketParts): StreamSockets {
  const server = createWebSocketServer(limits, (error) => ({ error }))

  function attend(ws: WebSocket, socket: Duplex, { caller, identify, actionsVersion }: StreamPeer): () => void {
    const refusals = new RefusalWindow(limits.refusals, limits.refusalsMs)
    const unfinished = new RecentSet()
    let subscriber: Subscriber | null = null
    let queue: Promise<void> = Promise.resolve()
    let queued = 0
    let unanswered = 0

    const isOpen = (): boolean => ws.readyState === WebSocket.OPEN
    const leave = (code: number, reason: string): void => {
      ws.close(code, reason)
      ws.resume()
      setTimeout(() => ws.terminate(), CLOSE_MS).unref()
    }
    const send = (reply: Fields): void => {
      if (isOpen()) ws.send(JSON.stringify(reply))
    }
    const sink = pacedSink(
      {
        get isClosed() {
          return !isOpen()
        },
        write: (text) => writeFrame(socket, text),
        unread: () => socket.writableLength,
        onTaken: (callback) => void setTimeout(callback, 5),
        tooSlow: () => leave(TRY_AGAIN_LATER, SLOW_TEXT),
        fail: () => leave(TRY_AGAIN_LATER, 'reconnect and resume'),
      },
      limits.streamBytes,
      () => streams.counts.slow++,
    )

    const operations: Readonly<Record<string, (fields: Fields, id: Fields) => void | Promise<void>>> = {
      async subscribe(fields, id) {
        await chargeStream(access, caller)
        const ready = await streams.read(fields, { transport: 'socket', caller, actionsVersion })
        if (!isOpen()) return
        if (subscriber !== null) streams.end(subscriber)
        send({ ...id, status: 'subscribed' })
        subscriber = streams.begin(ready, sink, unfinished)
      },
      unsubscribe(fields, id) {
        const names = { addresses: textsIn(fields, 'addresses'), hashes: textsIn(fields, 'trace_external_hash_norms') }
        if (names.addresses.length + names.hashes.length === 0)
          throw new SubscriptionRefused('addresses or trace_external_hash_norms are required')
        const { addresses, hashes } = readNames(names)
        if (subscriber !== null) streams.narrow(subscriber, addresses, hashes)
        send({ ...id, status: 'unsubscribed' })
      },
      ping: (_fields, id) => send({ ...id, status: 'pong' }),
    }

    async function serve(data: RawData): Promise<void> {
      let id: Fields = {}
      try {
        const fields = readEnvelope(data, limits.jsonDepth)
        id = echoOf(fields)
        const { operation } = fields
        const name = typeof operation === 'string' ? operation : ''
        const run = Object.hasOwn(operations, name) ? operations[name] : undefined
        if (run === undefined) throw new SubscriptionRefused(`unknown operation: ${clip(name)}`)
        await run(fields, id)
      } catch (error) {
        if (!(error instanceof SubscriptionRefused || error instanceof ApiError)) return leave(POLICY, 'internal error')
        send({ ...id, error: error.message })
        if (refusals.isTooMany(performance.now()))
          leave(POLICY, `too many refused frames: ${limits.refusals} within ${limits.refusalsMs} ms at most`)
      }
    }

    ws.on('message', (data) => {
      queued++
      if (queued >= limits.framesInFlight) ws.pause()
      queue = queue.then(async () => {
        if (isOpen()) await serve(data)
        queued--
        if (isOpen() && queued < limits.framesInFlight) ws.resume()
      })
    })
    const seat = streams.seats.take(caller, () => ws.terminate())
    const pings = setInterval(() => {
      if (ws.isPaused) unanswered = 0
      seat.isSilent = unanswered > 0
      if (unanswered++ >= MISSES) return leave(GOING_AWAY, 'pings were not answered')
      ws.ping()
      // A key that was revoked ends its streams.
      void (async () => await identify())().catch((error: unknown) => {
        if (error instanceof ApiError) leave(POLICY, error.message)
      })
    }, limits.streamPingMs)
    ws.on('pong', () => {
      unanswered = 0
      seat.isSilent = false
    })
    ws.on('error', () => {})
    return () => {
      clearInterval(pings)
      if (subscriber !== null) streams.end(subscriber)
      streams.seats.leave(caller.subject, seat)
    }
  }

  return {
    get open() {
      return server.clients.size
    },
    async take(req, socket, head, peer) {
      // A caller without a free seat is refused before the upgrade.
      streams.seats.demandFree(peer.caller)
      await chargeStream(access, peer.caller)
      server.handleUpgrade(req, socket, head, (ws) => {
        let end: (() => void) | null = null
        ws.on('close', () => end?.())
        try {
          end = attend(ws, socket, peer)
        } catch {
          ws.close(TRY_AGAIN_LATER, 'connection limit reached')
        }
      })
    },
    close() {
      for (const ws of server.clients) ws.close(RESTART, 'the service is stopping: connect again and resume')
      server.close()
    },
    terminate() {
      for (const ws of server.clients) ws.terminate()
    },
  }
}
