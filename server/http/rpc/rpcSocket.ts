// One WebSocket at a JSON-RPC path. Frames go through the same guard as HTTP bodies; what is added is what a connection that
// stays open needs: reading pauses while too much is being answered, a client that does not read or answer pings is closed,
// its key is checked with every frame, and so is a socket whose frames are refused again and again.

import { setMaxListeners } from 'node:events'
import { type RawData, WebSocket } from 'ws'
import { ApiError } from '../../../shared/errors.ts'
import type { Caller } from '../../access/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { type ChargedCall, LONG_TEXT } from '../../methods/index.ts'
import type { Log } from '../../observe/index.ts'
import { RefusalWindow } from '../callers/barred.ts'
import type { Identify } from '../callers/caller.ts'
import { CLOSE, closeCodeOf, dropLate, SocketPulse, startClosing } from '../connections/socketLife.ts'
import type { WrittenReply } from '../dialect/dialect.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { HeldReplies, ReplyHolder } from '../replies/heldReplies.ts'
import type { RpcDoor } from '../requests/parsedCall.ts'
import type { RpcStreams } from '../streams/rpcStreams.ts'
import { LongReplies, lengthOf } from './longReplies.ts'
import type { Rpc } from './rpc.ts'

/** What is known of the other side when it connects. */
export interface SocketPeer {
  readonly identify: Identify
  readonly door: RpcDoor
  readonly whyNoControl: string | null
  readonly holder?: ReplyHolder | undefined
}

export interface RpcSocketParts {
  readonly rpc: Rpc
  readonly turns: Turns
  readonly held: HeldReplies
  readonly limits: Pick<HttpLimits, 'framesInFlight' | 'refusals' | 'refusalsMs' | 'pingMs' | 'slowBytes' | 'slowMs'>
  readonly newCall: (caller: Caller, signal: AbortSignal, whyNoControl: string | null) => ChargedCall
  /** Called when the frames of a caller were refused too often. */
  readonly onTooManyRefusals: (caller: Caller) => void
  readonly log: Pick<Log, 'error'>
}

export class RpcSocket {
  readonly #ws: WebSocket
  readonly #peer: SocketPeer
  readonly #streams: RpcStreams | undefined
  readonly #parts: RpcSocketParts
  readonly #refusals: RefusalWindow
  readonly #gone = new AbortController()
  readonly #long: LongReplies
  readonly #pulse: SocketPulse
  /** What was off the wire when reading stopped: one chunk at most. */
  #waiting: string[] = []
  #inFlight = 0
  #slowSince: NodeJS.Timeout | null = null
  #isDraining = false

  constructor(ws: WebSocket, peer: SocketPeer, streams: RpcStreams | undefined, parts: RpcSocketParts) {
    const { limits } = parts
    this.#ws = ws
    this.#peer = peer
    this.#streams = streams
    this.#parts = parts
    this.#refusals = new RefusalWindow(limits.refusals, limits.refusalsMs)
    // All calls of the connection may listen to it.
    setMaxListeners(0, this.#gone.signal)
    this.#pulse = new SocketPulse(ws, {
      everyMs: limits.pingMs,
      identify: async () => {
        const caller = await peer.identify()
        streams?.demandRights(caller)
      },
      onSilence: (isSilent) => streams?.noteSilence(isSilent),
      leave: (code, reason) => this.#leave(code, reason),
    })
    this.#long = new LongReplies({
      send: (bytes) => this.#finishWith(bytes),
      fail: this.#fail,
      isClogged: () => this.#isClogged(),
    })
    this.#hold(peer.holder)
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('error', () => {})
    ws.on('close', () => this.#onClose())
  }

  /** Finishes what is being answered, then closes with 1001. */
  drain(): void {
    this.#isDraining = true
    this.#settleFlow()
  }

  /** Adds the long replies that wait here to what the connection holds. */
  #hold(holder: ReplyHolder | undefined): void {
    if (holder === undefined) return
    holder.waiting = () => this.#long.held
    holder.giveWay = (why = this.#parts.held.reason) => {
      const { readyState, OPEN } = this.#ws
      if (readyState === OPEN) this.#leave(CLOSE.tryAgainLater, why)
      else this.#ws.terminate()
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (isBinary) this.#leave(CLOSE.textOnly, 'text frames only')
    else {
      this.#waiting.push(String(data))
      this.#settleFlow()
    }
  }

  #isClogged(): boolean {
    return this.#ws.bufferedAmount > this.#parts.limits.slowBytes
  }

  #isFull(): boolean {
    return this.#inFlight >= this.#parts.limits.framesInFlight || this.#isClogged()
  }

  readonly #settleFlow = (): void => {
    const ws = this.#ws
    if (ws.readyState !== WebSocket.OPEN) return
    this.#long.goOn()
    while (!this.#isFull()) {
      const text = this.#waiting.shift()
      if (text === undefined) break
      this.#answer(text)
    }
    if (this.#isDraining && this.#inFlight === 0 && this.#waiting.length === 0)
      this.#leave(CLOSE.goingAway, 'the service is stopping: connect again')
    else if (this.#isDraining || this.#isFull()) ws.pause()
    else ws.resume()
  }

  #answer(text: string): void {
    this.#inFlight++
    const inTurn = (caller: Caller) => this.#parts.turns.run(caller.subject, () => this.#run(text, caller))
    try {
      const caller = this.#peer.identify()
      if (caller instanceof Promise) caller.then(inTurn).catch(this.#fail)
      else inTurn(caller)
    } catch (error) {
      this.#fail(error)
    }
  }

  #run(text: string, caller: Caller): void {
    if (this.#ws.readyState !== WebSocket.OPEN) {
      this.#finish()
      return
    }
    try {
      const streaming = this.#streams?.answer(text, caller) ?? null
      if (streaming !== null) {
        streaming
          .then(({ said, begin }) => {
            this.#send(said, caller)
            begin?.()
          })
          .catch(this.#fail)
        return
      }
      const { rpc, newCall } = this.#parts
      const { door, whyNoControl } = this.#peer
      const reply = rpc(text, door, newCall(caller, this.#gone.signal, whyNoControl))
      if (reply instanceof Promise) reply.then((said) => this.#send(said, caller)).catch(this.#fail)
      else this.#send(reply, caller)
    } catch (error) {
      this.#fail(error)
    }
  }

  #send(said: WrittenReply | null, caller: Caller): void {
    if (said?.refused) this.#countRefusal(caller)
    const { texts } = said ?? {}
    const length = texts === undefined ? 0 : lengthOf(texts)
    if (texts === undefined || length <= LONG_TEXT) this.#finishWith(said?.text ?? null)
    else if (this.#ws.readyState !== WebSocket.OPEN) this.#finish()
    else {
      this.#long.add(texts, caller)
      this.#parts.held.note(length)
    }
  }

  #finishWith(reply: string | Buffer | null): void {
    if (reply !== null && this.#ws.readyState === WebSocket.OPEN) {
      this.#ws.send(reply, { binary: false }, this.#settleFlow)
      this.#parts.held.note(reply.length)
    }
    this.#watchReader()
    this.#finish()
  }

  #finish(): void {
    this.#inFlight--
    this.#settleFlow()
  }

  readonly #fail = (error: unknown): void => {
    if (error instanceof ApiError) this.#leave(closeCodeOf(error), error.message)
    else {
      this.#parts.log.error({ err: error }, 'WebSocket failed')
      this.#ws.terminate()
    }
    this.#finish()
  }

  /** Refused again and again: neither this socket nor the caller's next one is listened to for a while. */
  #countRefusal(caller: Caller): void {
    if (!this.#refusals.isTooMany(performance.now()) || this.#ws.readyState !== WebSocket.OPEN) return
    const { refusals: most, refusalsMs } = this.#parts.limits
    this.#parts.onTooManyRefusals(caller)
    this.#leave(CLOSE.policy, `too many refused frames: ${most} within ${refusalsMs} ms at most; heed retryAfter`)
  }

  #watchReader(): void {
    if (!this.#isClogged() || this.#slowSince) return
    const { slowBytes, slowMs } = this.#parts.limits
    this.#slowSince = setTimeout(() => {
      this.#slowSince = null
      if (!this.#isClogged()) return this.#settleFlow()
      this.#leave(CLOSE.tryAgainLater, `read faster: over ${slowBytes} bytes unread for ${slowMs} ms`)
    }, slowMs)
  }

  #leave(code: number, reason: string): void {
    this.#waiting.length = 0
    this.#long.clear()
    startClosing(this.#ws, code, reason)
    // Of a service that stops, what was answered is still read.
    if (!this.#isDraining || code !== CLOSE.goingAway) dropLate(this.#ws)
  }

  #onClose(): void {
    this.#waiting.length = 0
    this.#long.clear()
    this.#pulse.stop()
    if (this.#slowSince) clearTimeout(this.#slowSince)
    this.#gone.abort(new Error('the caller is gone'))
  }
}
