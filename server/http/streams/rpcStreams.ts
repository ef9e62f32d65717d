// Streams on the WebSocket of JSON-RPC: `stream.subscribe` and `stream.unsubscribe`, several subscriptions on one socket, and
// notifications `stream.event`.

import { WebSocket } from 'ws'
import { ApiError } from '../../../shared/errors.ts'
import { isObject } from '../../../shared/isObject.ts'
import { type Access, type Caller, streamLimitsOf } from '../../access/index.ts'
import {
  MOST_OPCODES,
  type ReadySubscription,
  RecentSet,
  type Streaming,
  type StreamSeat,
  type Subscriber,
  SubscriptionRefused,
} from '../../streaming/index.ts'
import { chargeOne } from '../callers/chargeOne.ts'
import { CLOSE, closeSocket } from '../connections/socketLife.ts'
import type { ReplyEnvelope, WrittenReply } from '../dialect/dialect.ts'
import { strict } from '../dialect/strict.ts'
import { successReply } from '../dialect/success.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { HeldReplies } from '../replies/heldReplies.ts'
import { parseJson } from '../requests/json.ts'
import { idText } from '../requests/parsedCall.ts'
import { type Pace, pacedSink, SLOW_TEXT } from './paced.ts'

export interface RpcStreamParts {
  readonly streams: Streaming
  readonly access: Pick<Access, 'spend' | 'count'>
  readonly held: HeldReplies
  readonly limits: Pick<HttpLimits, 'jsonDepth' | keyof Pace>
}

/** The reply, and what is to begin once it was sent. */
export interface StreamReply {
  readonly said: WrittenReply
  begin?(): void
}

export interface RpcStreams {
  /** Null for a text that is no call of a stream. */
  answer(text: string, caller: Caller): Promise<StreamReply> | null
  /** The peer has missed a ping, or answered again: a silent one gives its seat to a new connection. */
  noteSilence(isSilent: boolean): void
  /** Throws ApiError for a caller who may not have one of its subscriptions any more. */
  demandRights(caller: Caller): void
}

/** Of one socket. */
const MOST_SUBSCRIPTIONS = 100
/** Characters of a call that ends a subscription and costs nothing. */
const SHORT_CALL = 4096

interface StreamCall {
  /** As JSON text. */
  readonly id: string
  readonly method: 'stream.subscribe' | 'stream.unsubscribe'
  readonly params: unknown
  readonly isLong: boolean
}

/** A single call of one of the two methods; anything else is left to the other methods. */
function callIn(text: string, depth: number): StreamCall | null {
  if (!text.includes('"stream.')) return null
  try {
    const value = parseJson(text, depth)
    if (!isObject(value) || value.jsonrpc !== '2.0') return null
    const { method, params } = value
    const id = idText(value.id)
    if (id === undefined || (method !== 'stream.subscribe' && method !== 'stream.unsubscribe')) return null
    return { id, method, params, isLong: text.length > SHORT_CALL }
  } catch {
    return null
  }
}

/** Over the limit of the caller nothing was started: a socket that goes on so is closed, as with other calls. */
function refusalOf(error: ApiError, envelope: ReplyEnvelope): WrittenReply {
  const said = strict.failure(error, envelope)
  return error.kind === 'rateLimited' ? { ...said, refused: true } : said
}

interface Held {
  readonly addresses: number
  readonly opcodes: number
  /** Null until its reply was sent. */
  subscriber: Subscriber | null
}

/** Subscriptions of one socket; they end with it. */
class SocketSubscriptions {
  readonly #parts: RpcStreamParts
  readonly #ws: WebSocket
  readonly #all = new Map<string, Held>()
  readonly #unfinished = new RecentSet()
  /** Taken with the first subscription, and left with the last. */
  #seat: { readonly caller: Caller; readonly taken: StreamSeat } | null = null
  #count = 0

  constructor(parts: RpcStreamParts, ws: WebSocket) {
    this.#parts = parts
    this.#ws = ws
    ws.on('close', () => {
      for (const { subscriber } of this.#all.values()) if (subscriber !== null) parts.streams.end(subscriber)
      this.#leaveSeat()
    })
  }

  noteSilence(isSilent: boolean): void {
    if (this.#seat !== null) this.#seat.taken.isSilent = isSilent
  }

  demandRights(caller: Caller): void {
    for (const { subscriber } of this.#all.values())
      if (subscriber !== null) this.#parts.streams.demandRight(subscriber, caller)
  }

  async serve({ id, method, params, isLong }: StreamCall, caller: Caller): Promise<StreamReply> {
    const envelope = { ms: 0, verb: 'POST', id } as const
    const success = (result: unknown): WrittenReply =>
      successReply(strict, { json: JSON.stringify(result), isCached: false }, envelope)
    const given = Array.isArray(params) ? params[0] : params
    try {
      if (method === 'stream.unsubscribe') {
        if (isLong) await chargeOne(this.#parts.access, { caller }, method)
        return { said: success(this.#unsubscribe(isObject(given) ? given.subscription : given)) }
      }
      const { name, begin } = await this.#subscribe(given, caller)
      return { said: success({ subscription: name }), begin }
    } catch (error) {
      if (error instanceof SubscriptionRefused)
        return { said: strict.failure(new ApiError('invalidParams', error.message), envelope) }
      if (error instanceof ApiError) return { said: refusalOf(error, envelope) }
      throw error
    }
  }

  async #subscribe(params: unknown, caller: Caller): Promise<{ name: string; begin: () => void }> {
    const { streams, access } = this.#parts
    await chargeOne(access, { caller }, 'stream.subscribe')
    const isGone = (): boolean => this.#ws.readyState !== WebSocket.OPEN
    const ready = await streams.read(params, { transport: 'socket', caller, actionsVersion: null, isGone })
    // Other calls of the socket were served meanwhile, or it was closed.
    if (isGone()) throw new SubscriptionRefused('the connection is closed')
    this.#demandRoom(ready, caller)
    this.#takeSeat(caller)
    const name = `0x${(++this.#count).toString(16)}`
    const { addresses, opcodes } = ready.subscription
    const held: Held = { addresses: addresses.size, opcodes: opcodes.size, subscriber: null }
    this.#all.set(name, held)
    const begin = (): void => {
      if (this.#all.get(name) === held && this.#ws.readyState === WebSocket.OPEN)
        held.subscriber = streams.begin(ready, this.#sinkOf(name), this.#unfinished)
    }
    return { name, begin }
  }

  /** A plan's bound of addresses is one of the connection, and so is that of opcodes. */
  #demandRoom({ subscription: { addresses, opcodes } }: ReadySubscription, { tier }: Caller): void {
    if (this.#all.size >= MOST_SUBSCRIPTIONS)
      throw new SubscriptionRefused(`too many subscriptions of one socket: ${MOST_SUBSCRIPTIONS} at most`)
    const demand = (what: string, { current, more, most }: { current: number; more: number; most: number }): void => {
      if (current + more > most)
        throw new SubscriptionRefused(`${what} limit exceeded: current ${current} + new ${more} > max ${most}`)
    }
    const all = [...this.#all.values()]
    const listed = all.reduce((sum, held) => sum + held.addresses, 0)
    demand('address', { current: listed, more: addresses.size, most: streamLimitsOf(tier).addresses })
    const named = all.reduce((sum, held) => sum + held.opcodes, 0)
    demand('opcode', { current: named, more: opcodes.size, most: MOST_OPCODES })
  }

  #unsubscribe(name: unknown): boolean {
    const held = typeof name === 'string' ? this.#all.get(name) : undefined
    if (typeof name !== 'string' || held === undefined) return false
    this.#all.delete(name)
    if (held.subscriber !== null) this.#parts.streams.end(held.subscriber)
    if (this.#all.size === 0) this.#leaveSeat()
    return true
  }

  #takeSeat(caller: Caller): void {
    if (this.#seat !== null) return
    this.#seat = { caller, taken: this.#parts.streams.seats.take(caller, () => this.#ws.terminate()) }
  }

  #leaveSeat(): void {
    if (this.#seat !== null) this.#parts.streams.seats.leave(this.#seat.caller.subject, this.#seat.taken)
    this.#seat = null
  }

  #sinkOf(name: string) {
    const { streams, limits, held } = this.#parts
    const ws = this.#ws
    const end = (reason: string): void => closeSocket(ws, CLOSE.tryAgainLater, reason)
    const opening = `{"jsonrpc":"2.0","method":"stream.event","params":{"subscription":"${name}","result":`
    return pacedSink(
      {
        get isClosed() {
          return ws.readyState !== WebSocket.OPEN
        },
        write: (text) => {
          ws.send(`${opening}${text}}}`)
          held.note(text.length)
        },
        unread: () => ws.bufferedAmount,
        onTaken: (callback) => void setTimeout(callback, 5),
        tooSlow: () => end(SLOW_TEXT),
        fail: () => end('reconnect and resume'),
      },
      limits,
      () => streams.counts.slow++,
    )
  }
}

export function createRpcStreams(parts: RpcStreamParts, ws: WebSocket): RpcStreams {
  const subscriptions = new SocketSubscriptions(parts, ws)
  return {
    answer(text, caller) {
      const call = callIn(text, parts.limits.jsonDepth)
      return call === null ? null : subscriptions.serve(call, caller)
    },
    noteSilence: (isSilent) => subscriptions.noteSilence(isSilent),
    demandRights: (caller) => subscriptions.demandRights(caller),
  }
}
