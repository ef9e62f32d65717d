// A connection to a lite server: bytes of queries out, bytes of answers in.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { bytesText } from '../../cell/index.ts'
import { PassingMap } from '../../fairness/index.ts'
import { manyListeners } from '../../process/index.ts'
import { decodePacket, type Packet, TlError } from '../../tl/index.ts'
import type { Clock } from '../systemClock.ts'
import { AdnlError, type AdnlErrorCode } from './adnlError.ts'
import { MAX_NONCE, random32 } from './adnlFrames.ts'
import type { Identity } from './adnlIdentity.ts'
import type { ClientLimits } from './adnlLimits.ts'
import { type Channel, MAX_PAYLOAD } from './channel.ts'

export interface AdnlQueryOptions {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ConnectionStats {
  readonly inFlight: number
  readonly queries: number
  readonly answers: number
  readonly timeouts: number
  /** Frames that answered no query in flight, and unreadable ones. */
  readonly unsolicited: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** The signature by our throw-away key was sent. */
  readonly isAuthenticated: boolean
}

export interface AdnlConnection {
  /**
   * Bytes of a query (`wrapQuery`) to the bytes of its answer. Rejects with AdnlError: `timeout`, `aborted`, `busy` and
   * `tooLarge` leave the connection as it is.
   */
  query(bytes: Uint8Array, options?: AdnlQueryOptions): Promise<Uint8Array>
  /** Calls back once with the reason, also when the connection has ended before. */
  onClose(listener: (reason: AdnlError) => void): void
  close(): void
  stats(): ConnectionStats
}

interface Flight {
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: AdnlError) => void
  readonly dispose: () => void
}

/** As a key of a map. */
const textOf = (id: Uint8Array): string => bytesText(id, 'latin1')

/** A copy, unless the answer is most of its buffer: a cached answer must not pin the frames around it. */
const owned = (answer: Uint8Array): Uint8Array =>
  answer.length * 2 < answer.buffer.byteLength ? answer.slice() : answer

export interface ConnectionParts {
  /** The throw-away key. */
  readonly identity: Identity
  readonly limits: ClientLimits
  readonly clock: Clock
  readonly onReady: () => void
}

export class OpenAdnlConnection implements AdnlConnection {
  readonly #socket: Socket
  readonly #channel: Channel
  readonly #limits: ClientLimits
  readonly #clock: Clock
  readonly #flights = new PassingMap<string, Flight>()
  readonly #listeners: ((reason: AdnlError) => void)[] = []
  readonly #identity: Identity
  #reason: AdnlError | null = null
  #onReady: (() => void) | null
  #heardAt: number
  #pingedAt = Number.NEGATIVE_INFINITY
  #stopWatch: () => void = () => {}
  #nonce: Uint8Array | null = null
  #counts = { queries: 0, answers: 0, timeouts: 0, unsolicited: 0 }
  /** Queries whose answers may come when no caller waits for them any more. */
  #givenUp = 0
  #isAuthenticated = false

  /** `onReady` is called with the server's first frame. */
  constructor(socket: Socket, channel: Channel, { identity, limits, clock, onReady }: ConnectionParts) {
    this.#socket = socket
    this.#channel = channel
    this.#identity = identity
    this.#limits = limits
    this.#clock = clock
    this.#onReady = onReady
    this.#heardAt = clock.now()
    socket.on('error', (cause) => this.fail('closed', `the connection broke: ${cause.message}`, cause))
    socket.on('close', () => this.fail('closed', 'the server closed the connection'))
  }

  query(bytes: Uint8Array, { timeoutMs = this.#limits.queryMs, signal }: AdnlQueryOptions = {}): Promise<Uint8Array> {
    if (this.#reason !== null) return Promise.reject(this.#reason)
    if (signal?.aborted) return Promise.reject(new AdnlError('aborted', 'the query was aborted'))
    const { maxInFlight, maxUnsentBytes } = this.#limits
    if (bytes.length > MAX_PAYLOAD) {
      return Promise.reject(
        new AdnlError('tooLarge', `a query of ${bytes.length} bytes; ${MAX_PAYLOAD} fit in a frame`),
      )
    }
    if (this.#flights.size >= maxInFlight) {
      return Promise.reject(new AdnlError('busy', `${maxInFlight} queries are in flight on this connection`))
    }
    if (this.#channel.unsent > maxUnsentBytes) {
      return Promise.reject(new AdnlError('busy', 'the server does not take the queries that are there for it'))
    }
    const query_id = random32().slice()
    const id = textOf(query_id)
    return new Promise((resolve, reject) => {
      const end = (code: 'timeout' | 'aborted', text: string): void => {
        this.#flights.delete(id)
        this.#givenUp++
        dispose()
        reject(new AdnlError(code, text))
      }
      const onAbort = (): void => end('aborted', 'the query was aborted')
      const stopTimer = this.#clock.after(timeoutMs, () => {
        this.#counts.timeouts++
        end('timeout', `no answer within ${timeoutMs} ms`)
      })
      const dispose = (): void => {
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
      }
      if (signal !== undefined) {
        // One signal may end a thousand queries.
        manyListeners(signal)
        signal.addEventListener('abort', onAbort, { once: true })
      }
      this.#flights.set(id, { resolve, reject, dispose })
      this.#counts.queries++
      this.#channel.send({ '@type': 'adnl.message.query', query_id, query: bytes })
    })
  }

  onClose(listener: (reason: AdnlError) => void): void {
    const reason = this.#reason
    if (reason === null) this.#listeners.push(listener)
    else queueMicrotask(() => listener(reason))
  }

  close(): void {
    this.fail('closed', 'the connection was closed')
  }

  stats(): ConnectionStats {
    return {
      ...this.#counts,
      inFlight: this.#flights.size,
      bytesIn: this.#socket.bytesRead,
      bytesOut: this.#socket.bytesWritten,
      isAuthenticated: this.#isAuthenticated,
    }
  }

  /** Ends the connection and everything in flight; only the first reason counts. */
  fail(code: AdnlErrorCode, text: string, cause?: unknown): void {
    if (this.#reason !== null) return
    const reason = new AdnlError(code, text, { cause })
    this.#reason = reason
    this.#stopWatch()
    this.#socket.destroy()
    for (const { reject, dispose } of this.#flights.clear()) {
      dispose()
      reject(reason)
    }
    for (const listener of this.#listeners) listener(reason)
  }

  /** What the socket has read; the bytes are not kept. */
  receive(chunk: Uint8Array): void {
    this.#heardAt = this.#clock.now()
    try {
      this.#channel.push(chunk)
      for (let payload = this.#channel.next(); payload !== null; payload = this.#channel.next()) {
        if (this.#reason !== null) return
        this.#onFrame(payload)
      }
    } catch (error) {
      this.fail('protocol', error instanceof AdnlError ? error.message : 'unreadable bytes', error)
    }
  }

  #onFrame(payload: Uint8Array): void {
    if (this.#onReady !== null) this.#begin(this.#onReady)
    if (payload.length === 0) return
    try {
      this.#onPacket(decodePacket(payload))
    } catch (error) {
      if (!(error instanceof TlError)) throw error
      this.#countUnsolicited()
    }
  }

  /** The first frame proves that the server has its key. */
  #begin(onReady: () => void): void {
    this.#onReady = null
    this.#nonce = randomBytes(32)
    this.#channel.send({ '@type': 'tcp.authentificate', nonce: this.#nonce })
    this.#watch()
    onReady()
  }

  #onPacket(packet: Packet): void {
    switch (packet['@type']) {
      case 'adnl.message.answer':
        this.#onAnswer(packet.query_id, packet.answer)
        break
      case 'tcp.authentificationNonce':
        this.#authenticate(packet.nonce)
        break
      case 'tcp.pong':
        return
      default:
        this.#countUnsolicited()
    }
  }

  #onAnswer(queryId: Uint8Array, answer: Uint8Array): void {
    const id = textOf(queryId)
    const flight = this.#flights.get(id)
    if (flight === undefined) {
      this.#countUnsolicited()
      return
    }
    this.#flights.delete(id)
    this.#counts.answers++
    flight.dispose()
    flight.resolve(owned(answer))
  }

  #authenticate(theirs: Uint8Array): void {
    const ours = this.#nonce
    if (ours === null || theirs.length > MAX_NONCE) {
      this.#countUnsolicited()
      return
    }
    this.#nonce = null
    const signature = this.#identity.sign(Buffer.concat([ours, theirs]))
    this.#channel.send({ '@type': 'tcp.authentificationComplete', key: { key: this.#identity.key }, signature })
    this.#isAuthenticated = true
  }

  #countUnsolicited(): void {
    this.#counts.unsolicited++
    if (this.#counts.unsolicited > this.#limits.maxUnsolicited + this.#givenUp)
      this.fail('protocol', `more than ${this.#limits.maxUnsolicited} unsolicited frames`)
  }

  /** Pings a silent server, and closes the connection when it stays silent. */
  #watch(): void {
    const { pingAfterMs, silenceMs } = this.#limits
    const now = this.#clock.now()
    const silent = now - this.#heardAt
    if (silent >= silenceMs) {
      this.fail('silence', `the server said nothing for ${Math.round(silent)} ms`)
      return
    }
    const pingAt = Math.max(this.#heardAt, this.#pingedAt) + pingAfterMs
    if (now >= pingAt) {
      this.#pingedAt = now
      this.#channel.send({ '@type': 'tcp.ping', random_id: randomBytes(8).readBigInt64LE() })
    }
    const next = Math.min(Math.max(this.#heardAt, this.#pingedAt) + pingAfterMs, this.#heardAt + silenceMs)
    this.#stopWatch = this.#clock.after(Math.max(1, next - now), () => this.#watch())
  }
}
