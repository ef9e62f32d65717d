// Keeps one WebSocket open for as long as it is needed: opened by the first call, and again by the
// next call after it broke, with growing pauses between failed attempts.

import { createFlight, type Flight, seatedUntil } from './flight.ts'
import type { Complete } from './protocol.ts'
import { backoff } from './retry.ts'
import { TransportError } from './rpcErrors.ts'
import { limit, sleep } from './sleep.ts'

/** What is used of a WebSocket: the browser's and that of the `ws` package both have it. */
export interface SocketLike {
  send(text: string): void
  close(code?: number): void
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(
    type: 'error',
    listener: (event: { readonly error?: unknown; readonly message?: string }) => void,
  ): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason?: string | undefined }) => void,
  ): void
}
export type SocketConstructor = new (url: string) => SocketLike

export interface ReconnectOptions {
  /** Attempts to connect before the waiting calls fail. */
  readonly tries?: number | undefined
  /** Maximum pause after the first failed attempt; doubles with each further one. */
  readonly baseMs?: number | undefined
  readonly capMs?: number | undefined
  /** For one attempt; 0 is no limit. */
  readonly timeoutMs?: number | undefined
}

export const RECONNECT: Complete<ReconnectOptions> = { tries: 8, baseMs: 250, capMs: 5_000, timeoutMs: 10_000 }

export interface ConnectionOptions {
  readonly dial: () => SocketLike
  /** Address for error texts, without the key. */
  readonly address: string
  readonly reconnect: Complete<ReconnectOptions>
  readonly onText: (text: string) => void
  /** The socket broke: calls without a reply fail. */
  readonly onBreak: (code: number, reason?: string) => void
}

/** The close code that browsers report for a connection that broke. */
const ABNORMAL = 1006

const CONNECTS_AGAIN = 'check that the service runs and takes WebSockets at this address; the next call connects again'

export class ReconnectingSocket {
  readonly #options: ConnectionOptions
  #live: SocketLike | undefined
  #opening: Flight<SocketLike> | undefined
  /** Ends the attempts to open it. */
  #stop: AbortController | undefined
  #ended: TransportError | undefined
  /** Of the newest failed attempt; browsers never report it. */
  #lastError: unknown

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** The open socket. Rejects with the signal's reason, or with `closed` when no attempt succeeded. */
  async open(signal: AbortSignal): Promise<SocketLike> {
    if (this.#ended) throw this.#ended
    if (this.#live) return this.#live
    this.#opening ??= createFlight({
      start: () => {
        const stop = new AbortController()
        this.#stop = stop
        return { promise: this.#connect(stop.signal), stop: (reason) => stop.abort(reason) }
      },
      onOver: () => {
        this.#opening = undefined
      },
    })
    return seatedUntil(this.#opening.join(), signal)
  }

  /** Gives up the open socket: the next call opens another. */
  drop(): void {
    const socket = this.#live
    if (!socket) return
    this.#live = undefined
    socket.close()
    this.#options.onBreak(ABNORMAL)
  }

  close(): void {
    this.#ended = new TransportError({ reason: 'closed', text: 'the transport was closed' })
    this.#stop?.abort()
    this.#live?.close(1000)
  }

  async #connect(signal: AbortSignal): Promise<SocketLike> {
    const { reconnect, address } = this.#options
    for (let tried = 1; tried <= reconnect.tries && !signal.aborted; tried++) {
      const socket = await this.#attempt(signal)
      if (signal.aborted) break
      if (socket) return socket
      if (tried < reconnect.tries) await sleep(backoff(tried, reconnect, Math.random()), signal)
    }
    if (this.#ended) throw this.#ended
    const text = `no WebSocket at ${address} after ${reconnect.tries} attempts: check url and apiKey`
    throw new TransportError({ reason: 'closed', text, advice: CONNECTS_AGAIN, cause: this.#lastError })
  }

  #attempt(signal: AbortSignal): Promise<SocketLike | null> {
    const { dial, reconnect, onText, onBreak } = this.#options
    return new Promise((resolve) => {
      const socket = dial()
      const giveUp = () => {
        done()
        signal.removeEventListener('abort', giveUp)
        socket.close()
        resolve(null)
      }
      const done = limit(reconnect.timeoutMs, giveUp)
      signal.addEventListener('abort', giveUp)
      // Without a listener the `ws` package throws; `close` follows in any case.
      socket.addEventListener('error', ({ error, message }) => {
        this.#lastError = error ?? (message === undefined ? undefined : new Error(message))
      })
      socket.addEventListener('open', () => {
        done()
        signal.removeEventListener('abort', giveUp)
        this.#live = socket
        resolve(socket)
      })
      socket.addEventListener('message', ({ data }) => {
        if (socket === this.#live && typeof data === 'string') onText(data)
      })
      socket.addEventListener('close', ({ code, reason }) => {
        if (socket !== this.#live) return giveUp()
        this.#live = undefined
        onBreak(code, reason)
      })
    })
  }
}
