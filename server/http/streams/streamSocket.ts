// One WebSocket of streams: one subscription at a time, changed by operations in JSON frames. Operations are served one after
// the other, and their replies come in that order, before what they cause.

import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { Access, Caller } from '../../access/index.ts'
import { inPieces, SlicedWork } from '../../fairness/index.ts'
import type { Log } from '../../observe/index.ts'
import { RecentSet, readingNames, type Streaming, type Subscriber, SubscriptionRefused } from '../../streaming/index.ts'
import { chargeOne } from '../callers/chargeOne.ts'
import { CLOSE, closeCodeOf } from '../connections/socketLife.ts'
import type { HttpLimits } from '../httpOptions.ts'
import { type SeatedPeer, SeatedSocket, type SeatedSocketParts } from './seatedSocket.ts'
import { echoOf, replyText, requestIn, type StreamFields } from './streamRequest.ts'

export interface StreamSocketParts extends SeatedSocketParts {
  readonly streams: Streaming
  readonly access: Pick<Access, 'spend' | 'count'>
  readonly limits: SeatedSocketParts['limits'] & Pick<HttpLimits, 'framesInFlight' | 'jsonDepth'>
  readonly log: Pick<Log, 'error'>
}

export interface StreamPeer extends SeatedPeer {
  readonly actionsVersion: string | null
}

/** Bytes of a frame that is parsed in the turn in which it came, and costs nothing. */
const SHORT_FRAME = 4096
/** While replies are left unread, each operation waits so long for its reader. */
const UNREAD_MS = 1000

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A list of names to unsubscribe; absent is empty. Throws SubscriptionRefused. */
function textsIn(fields: StreamFields, name: string): string[] {
  const value = fields[name] ?? []
  if (!isTexts(value)) throw new SubscriptionRefused(`invalid unsubscribe request: ${name}: expected texts`)
  return value
}

const bytesOf = (data: RawData): number =>
  Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength

/** Throws where the caller has no free seat any more. */
export class StreamSocket {
  readonly #ws: WebSocket
  readonly #peer: StreamPeer
  readonly #parts: StreamSocketParts
  readonly #seated: SeatedSocket
  readonly #unfinished = new RecentSet()
  #subscriber: Subscriber | null = null
  /** The first subscription is part of the call that opened the socket, as with server-sent events. */
  #isPrepaid = true
  #queue: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(ws: WebSocket, socket: Duplex, peer: StreamPeer, parts: StreamSocketParts) {
    this.#ws = ws
    this.#peer = peer
    this.#parts = parts
    const identify = async () => this.#admitted(await peer.identify())
    this.#seated = new SeatedSocket(ws, socket, { ...peer, identify }, parts)
    ws.on('message', (data) => this.#enqueue(data))
  }

  /** Called when the connection has ended. */
  end(): void {
    if (this.#subscriber !== null) this.#parts.streams.end(this.#subscriber)
    this.#seated.end()
  }

  #enqueue(data: RawData): void {
    const { framesInFlight } = this.#parts.limits
    this.#queued++
    if (this.#queued >= framesInFlight) this.#ws.pause()
    this.#queue = this.#queue.then(async () => {
      if (this.#seated.isOpen) await this.#serve(data)
      await this.#seated.sink.drained(UNREAD_MS)
      this.#queued--
      if (this.#seated.isOpen && this.#queued < framesInFlight) this.#ws.resume()
    })
  }

  async #serve(data: RawData): Promise<void> {
    const { access, limits, log } = this.#parts
    let id: StreamFields = {}
    const isLong = bytesOf(data) > SHORT_FRAME
    // Many sockets may send what takes a part of a millisecond each in one turn of the event loop.
    if (isLong) await new SlicedWork({ subject: this.#peer.caller.subject }).ownTurn()
    try {
      const fields = requestIn(String(data), limits.jsonDepth, 'invalid request envelope')
      id = echoOf(fields)
      if (fields.operation === 'subscribe') return await this.#subscribe(fields, id)
      if (isLong) await chargeOne(access, { caller: this.#peer.caller }, 'stream.unsubscribe')
      await this.#run(fields, id)
    } catch (error) {
      if (!(error instanceof SubscriptionRefused || error instanceof ApiError)) {
        log.error({ err: error }, 'WebSocket failed')
        return this.#seated.leave(CLOSE.policy, 'internal error')
      }
      this.#send({ ...id, error: error.message })
      this.#seated.noteRefused()
    }
  }

  async #run(fields: StreamFields, id: StreamFields): Promise<void> {
    const { operation } = fields
    if (operation === 'unsubscribe') return await this.#unsubscribe(fields, id)
    if (operation === 'ping') return this.#send({ ...id, status: 'pong' })
    throw new SubscriptionRefused(`unknown operation: ${clip(typeof operation === 'string' ? operation : '')}`)
  }

  async #subscribe(fields: StreamFields, id: StreamFields): Promise<void> {
    const { streams, access } = this.#parts
    const { actionsVersion } = this.#peer
    const caller = await this.#identify()
    if (caller === null) return
    if (!this.#isPrepaid) await chargeOne(access, { caller }, 'stream.subscribe')
    this.#isPrepaid = false
    const isGone = (): boolean => !this.#seated.isOpen
    const ready = await streams.read(fields, { transport: 'socket', caller, actionsVersion, isGone })
    if (isGone()) return
    this.#send({ ...id, status: 'subscribed' })
    if (this.#subscriber !== null && streams.replace(this.#subscriber, ready)) return
    if (this.#subscriber !== null) streams.end(this.#subscriber)
    this.#subscriber = streams.begin(ready, this.#seated.sink, this.#unfinished)
  }

  /** Throws ApiError for a caller who may not have the subscription any more. */
  #admitted(caller: Caller): Caller {
    if (this.#subscriber !== null) this.#parts.streams.demandRight(this.#subscriber, caller)
    return caller
  }

  /** The caller, with what its plan allows now. A key that was revoked ends the connection: null then. */
  async #identify(): Promise<Caller | null> {
    try {
      return await this.#peer.identify()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#seated.leave(closeCodeOf(error), error.message)
      return null
    }
  }

  async #unsubscribe(fields: StreamFields, id: StreamFields): Promise<void> {
    const names = { addresses: textsIn(fields, 'addresses'), hashes: textsIn(fields, 'trace_external_hash_norms') }
    if (names.addresses.length + names.hashes.length === 0)
      throw new SubscriptionRefused('addresses or trace_external_hash_norms are required')
    const { addresses, hashes } = await inPieces(readingNames(names), { subject: this.#peer.caller.subject })
    if (!this.#seated.isOpen) return
    if (this.#subscriber !== null) this.#parts.streams.narrow(this.#subscriber, addresses, hashes)
    this.#send({ ...id, status: 'unsubscribed' })
  }

  #send(reply: StreamFields): void {
    if (!this.#seated.isOpen) return
    const text = replyText(reply)
    this.#ws.send(text)
    this.#parts.held.note(text.length)
  }
}
