// What all WebSockets that are sent events share: a seat of their caller, pings, and a bound on what is left unread.

import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Caller } from '../../access/index.ts'
import type { Sink, Streaming } from '../../streaming/index.ts'
import { RefusalWindow } from '../callers/barred.ts'
import type { Identify } from '../callers/caller.ts'
import { CLOSE, closeSocket, SocketPulse } from '../connections/socketLife.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { HeldReplies, ReplyHolder } from '../replies/heldReplies.ts'
import { unreadBytes } from './gathered.ts'
import { type Pace, pacedSink, SLOW_TEXT } from './paced.ts'
import { writeFrame } from './textFrames.ts'

export interface SeatedSocketParts {
  readonly streams: Pick<Streaming, 'seats' | 'counts'>
  readonly held: HeldReplies
  readonly limits: Pick<HttpLimits, 'refusals' | 'refusalsMs' | 'streamPingMs' | keyof Pace>
}

export interface SeatedPeer {
  readonly caller: Caller
  readonly identify: Identify
  readonly holder?: ReplyHolder | undefined
}

/** Throws where the caller has no free seat any more. */
export class SeatedSocket {
  readonly sink: Sink
  readonly #ws: WebSocket
  readonly #parts: SeatedSocketParts
  readonly #refusals: RefusalWindow
  readonly #leaveSeat: () => void
  readonly #pulse: SocketPulse

  constructor(ws: WebSocket, socket: Duplex, { caller, identify, holder }: SeatedPeer, parts: SeatedSocketParts) {
    const { streams, limits, held } = parts
    this.#ws = ws
    this.#parts = parts
    this.#refusals = new RefusalWindow(limits.refusals, limits.refusalsMs)
    this.sink = this.#newSink(socket)
    ws.on('error', () => {})
    if (holder !== undefined)
      holder.giveWay = (why = held.reason) => (this.isOpen ? this.leave(CLOSE.tryAgainLater, why) : ws.terminate())
    const seat = streams.seats.take(caller, () => ws.terminate())
    this.#leaveSeat = () => streams.seats.leave(caller.subject, seat)
    this.#pulse = new SocketPulse(ws, {
      everyMs: limits.streamPingMs,
      identify,
      onSilence: (isSilent) => {
        seat.isSilent = isSilent
      },
      leave: this.leave,
    })
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  readonly leave = (code: number, reason: string): void => closeSocket(this.#ws, code, reason)

  /** Counts a frame that was refused. Too many of them end the connection. */
  noteRefused(): void {
    const { refusals, refusalsMs } = this.#parts.limits
    if (this.#refusals.isTooMany(performance.now()))
      this.leave(CLOSE.policy, `too many refused frames: ${refusals} within ${refusalsMs} ms at most`)
  }

  /** Called when the connection has ended. */
  end(): void {
    this.#pulse.stop()
    this.#leaveSeat()
  }

  #newSink(socket: Duplex): Sink {
    const ws = this.#ws
    const { streams, limits, held } = this.#parts
    return pacedSink(
      {
        get isClosed() {
          return ws.readyState !== WebSocket.OPEN
        },
        write: (text) => {
          writeFrame(socket, text)
          held.note(text.length)
        },
        unread: () => unreadBytes(socket, limits.streamBytes / 4),
        onTaken: (callback) => void setTimeout(callback, 5),
        tooSlow: () => this.leave(CLOSE.tryAgainLater, SLOW_TEXT),
        fail: () => this.leave(CLOSE.tryAgainLater, 'reconnect and resume'),
      },
      limits,
      () => streams.counts.slow++,
    )
  }
}
