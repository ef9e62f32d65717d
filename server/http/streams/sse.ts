// A subscription for the life of one reply: server-sent events.

import type { ServerResponse } from 'node:http'
import { ApiError } from '../../../shared/errors.ts'
import type { Access } from '../../access/index.ts'
import type { ChargedCall } from '../../methods/index.ts'
import { type ReadySubscription, type Sink, type Streaming, SubscriptionRefused } from '../../streaming/index.ts'
import type { Identify } from '../callers/caller.ts'
import { chargeOne } from '../callers/chargeOne.ts'
import type { Connections } from '../connections/connections.ts'
import { GONE_MISSES, type PeerWatch, SILENT_MISSES } from '../connections/peerWatch.ts'
import { hasEnded } from '../connections/socketLife.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { HeldReplies } from '../replies/heldReplies.ts'
import { readRequestBody } from '../requests/requestBody.ts'
import { writeEvent } from './eventFrames.ts'
import { unreadBytes } from './gathered.ts'
import { type Pace, pacedSink, SLOW_TEXT } from './paced.ts'
import { echoOf, replyText, requestIn, type StreamFields } from './streamRequest.ts'

export interface SseParts {
  readonly streams: Streaming
  readonly access: Pick<Access, 'spend' | 'count'>
  readonly held: HeldReplies
  readonly peers: PeerWatch
  readonly connections: Pick<Connections, 'claimSocket'>
  readonly isDraining: () => boolean
  readonly limits: Pick<HttpLimits, 'bodyBytes' | 'jsonDepth' | 'sockets' | 'streamKeepaliveMs' | keyof Pace>
}

/** Open streams, for the end of the service. */
export type OpenStreams = Set<{ readonly end: () => void }>

/** A reader that does not read is cut off so long after its error was written. */
const GRACE_MS = 1000
const HEADERS = ['Cache-Control', 'no-cache', 'Connection', 'keep-alive', 'X-Accel-Buffering', 'no']

/** The header of a client that resumes goes before the field. */
function resumed(body: StreamFields, { req }: HttpExchange): StreamFields {
  const last = req.headers['last-event-id']
  return typeof last === 'string' && last !== '' ? { ...body, after: last } : body
}

/** Calls back when what was written has gone out, or nothing will any more. */
function onTaken(res: ServerResponse, callback: () => void): void {
  const { socket } = res
  const taken = (): void => {
    socket?.off('drain', taken)
    res.off('drain', taken)
    res.off('close', taken)
    callback()
  }
  // Of what is written past the reply only its connection knows.
  socket?.once('drain', taken)
  res.once('drain', taken)
  res.once('close', taken)
}

/** Of the reply and its connection. */
function unreadOf(res: ServerResponse, few: number): number {
  if (res.socket !== null) unreadBytes(res.socket, few)
  return res.writableLength
}

const errorEvent = (error: string): string => `event: error\ndata: ${JSON.stringify({ error })}\n\n`

function endWith(res: ServerResponse, error: string): void {
  res.end(errorEvent(error))
  setTimeout(() => res.destroy(), GRACE_MS).unref()
}

function sinkOf(res: ServerResponse, { limits: pace, held, streams }: SseParts): Sink {
  return pacedSink(
    {
      get isClosed() {
        return res.writableEnded || res.destroyed
      },
      write: (text, cursor) => {
        writeEvent(res, text, cursor)
        held.note(text.length)
      },
      unread: () => unreadOf(res, pace.streamBytes / 4),
      onTaken: (callback) => onTaken(res, callback),
      tooSlow: () => endWith(res, SLOW_TEXT),
      fail: () => void res.end(),
    },
    pace,
    () => streams.counts.slow++,
  )
}

interface SseRequest {
  readonly exchange: HttpExchange
  readonly call: ChargedCall
  readonly identify: Identify
}

/** Streams count with WebSockets, so that both together never take all connections from calls. */
async function claimPlace({ connections, limits }: SseParts, { req, res }: HttpExchange): Promise<void> {
  const full = `too many streams and WebSockets: ${limits.sockets} at most`
  const giveWay = (): void => void (res.headersSent ? endWith(res, full) : res.destroy())
  if (await connections.claimSocket(req.socket, giveWay)) return
  throw new ApiError('busy', full, { limit: limits.sockets, retryAfter: 1 })
}

/** Writes events until the reader leaves or takes nothing any more, the key is revoked, or the service ends. */
async function stream(
  parts: SseParts,
  open: OpenStreams,
  { exchange, call, identify }: SseRequest,
  { ready, echo }: { readonly ready: ReadySubscription; readonly echo: object },
): Promise<void> {
  const { streams, peers, limits } = parts
  const { caller } = call
  const seat = streams.seats.take(caller, () => exchange.res.destroy())
  try {
    await claimPlace(parts, exchange)
    // Checked after the last `await`: a stop ends the streams that are open, and would miss one that opens later.
    if (parts.isDraining()) throw new ApiError('busy', 'The service is stopping', { retryAfter: 1 })
  } catch (error) {
    streams.seats.leave(caller.subject, seat)
    throw error
  }
  const res = exchange.begin('text/event-stream', HEADERS)
  if (res === null) {
    streams.seats.leave(caller.subject, seat)
    return
  }
  res.write(`event: connected\ndata: ${replyText({ ...echo, status: 'subscribed' })}\n\n`)
  const sink = sinkOf(res, parts)
  const holder = parts.held.of(exchange.req.socket)
  if (holder !== undefined) holder.subject = caller.subject
  const subscriber = streams.begin(ready, sink)
  const stopped = { end: () => void res.end() }
  open.add(stopped)
  const alive = setInterval(() => {
    if (!sink.isClosed) res.write(': keepalive\n\n')
    // A key that was revoked ends its streams, and one that may not follow all accounts any more.
    void (async () => streams.demandRight(subscriber, await identify()))().catch((error: unknown) => {
      if (hasEnded(error) && !sink.isClosed) res.end(errorEvent(error.message))
    })
  }, limits.streamKeepaliveMs)
  const unwatch = peers.add(exchange.req.socket, (misses) => {
    seat.isSilent = misses >= SILENT_MISSES
    if (misses >= GONE_MISSES) res.destroy()
  })
  res.once('close', () => {
    clearInterval(alive)
    unwatch()
    open.delete(stopped)
    streams.end(subscriber)
    streams.seats.leave(caller.subject, seat)
    // The connection ends too: it holds the place of the stream.
    exchange.req.socket.destroySoon()
  })
}

/** Throws ApiError for a caller who may not have another stream. */
export async function serveSse(parts: SseParts, open: OpenStreams, request: SseRequest): Promise<void> {
  const { streams, access, limits } = parts
  const { exchange, call } = request
  const { caller } = call
  const text = await readRequestBody(exchange.req, limits.bodyBytes)
  await chargeOne(access, call, 'stream')
  let echo: { readonly id?: unknown } = {}
  try {
    const body = requestIn(text, limits.jsonDepth, 'invalid subscription request')
    echo = echoOf(body)
    const { actionsVersion } = call.modifiers
    const isGone = (): boolean => exchange.res.destroyed
    const ready = await streams.read(resumed(body, exchange), { transport: 'sse', caller, actionsVersion, isGone })
    await stream(parts, open, request, { ready, echo })
  } catch (error) {
    if (!(error instanceof SubscriptionRefused)) throw error
    const body = replyText({ ...echo, error: error.message })
    await exchange.reply({ status: 400, type: 'application/json', body })
  }
}
