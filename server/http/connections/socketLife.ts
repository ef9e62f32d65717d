// The life of a WebSocket, whatever it carries: it is pinged, its key is checked with every ping, and it is closed for good.

import type { WebSocket } from 'ws'
import { ApiError } from '../../../shared/errors.ts'

/** Close codes of WebSockets. */
export const CLOSE = { goingAway: 1001, textOnly: 1003, policy: 1008, restart: 1012, tryAgainLater: 1013 } as const

/** Policy for a caller who may not go on; try again later for one who may, as while keys cannot be read. */
export const closeCodeOf = ({ row }: ApiError): number => (row.retry ? CLOSE.tryAgainLater : CLOSE.policy)

/** Whether a key does not hold any more, as against not being known for a while. */
export const hasEnded = (error: unknown): error is ApiError => error instanceof ApiError && !error.row.retry

/** Consecutive pings that may stay unanswered. */
const MOST_UNANSWERED = 2
/** A ping that comes so late: the process stood still, and has not read what came meanwhile. */
const LATE_MS = 1_000
/** A close frame queues behind what is not being read: after this long the socket is dropped. */
const CLOSE_MS = 1000

/** Reading has to go on, or the other side's close frame is never seen. */
export function startClosing(ws: WebSocket, code: number, reason: string): void {
  ws.close(code, reason)
  ws.resume()
}

/** Drops the socket when the other side does not close it in time. */
export const dropLate = (ws: WebSocket): void => void setTimeout(() => ws.terminate(), CLOSE_MS).unref()

export function closeSocket(ws: WebSocket, code: number, reason: string): void {
  startClosing(ws, code, reason)
  dropLate(ws)
}

/** What a pulse needs of a WebSocket. */
export interface PingedSocket {
  readonly isPaused: boolean
  ping(): void
  on(event: 'pong' | 'message', listener: () => void): unknown
}

export interface SocketPulseParts {
  readonly everyMs: number
  /** Throws ApiError once the key that the connection came with no longer holds. */
  readonly identify: () => unknown
  /** Called with true while a ping is unanswered. */
  readonly onSilence: (isSilent: boolean) => void
  readonly leave: (code: number, reason: string) => void
}

/** Pings a socket until it is stopped. */
export class SocketPulse {
  readonly #ws: PingedSocket
  readonly #parts: SocketPulseParts
  readonly #timer: NodeJS.Timeout
  #unanswered = 0
  #pingedAt = performance.now()

  constructor(ws: PingedSocket, parts: SocketPulseParts) {
    this.#ws = ws
    this.#parts = parts
    this.#timer = setInterval(() => this.#ping(), parts.everyMs)
    const heard = (): void => {
      this.#unanswered = 0
      parts.onSilence(false)
    }
    ws.on('pong', heard)
    // A client that has sent thousands of frames can answer a ping only after them: each frame counts as an answer.
    ws.on('message', heard)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #ping(): void {
    const { everyMs, identify, onSilence, leave } = this.#parts
    const now = performance.now()
    const stoodStill = now - this.#pingedAt > everyMs + LATE_MS
    this.#pingedAt = now
    // While nothing is read no pong is seen either.
    if (this.#ws.isPaused || stoodStill) this.#unanswered = 0
    onSilence(this.#unanswered > 0)
    if (this.#unanswered++ >= MOST_UNANSWERED) {
      leave(CLOSE.goingAway, 'pings were not answered')
      return
    }
    this.#ws.ping()
    // One that only listens to streams sends no frame with which its key would be checked.
    void (async () => await identify())().catch((error: unknown) => {
      if (hasEnded(error)) leave(CLOSE.policy, error.message)
    })
  }
}
