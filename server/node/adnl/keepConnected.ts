// A connection that is made again whenever it is lost.

import type { AdnlConnection, QueryOptions } from './connection.ts'
import { AdnlError } from './errors.ts'
import { type Clock, systemClock } from './options.ts'

export interface KeepOptions {
  /** Must end by itself: `connectAdnl` has times for all it does. */
  readonly connect: (signal: AbortSignal) => Promise<AdnlConnection>
  /** Before the first new attempt; doubled after each one. */
  readonly firstDelayMs?: number
  /** A connection that lasts as long starts the delays anew. */
  readonly mostDelayMs?: number
  readonly clock?: Clock
  /** From 0 up to 1. */
  readonly random?: () => number
  /** Called with every change of state. */
  readonly onState?: (state: LinkState) => void
}

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly connection: AdnlConnection }
  /** Until the next attempt. */
  | { readonly kind: 'waiting'; readonly error: Error; readonly delayMs: number }
  | { readonly kind: 'closed' }

export interface AdnlLink {
  readonly state: LinkState
  /** Waits for an attempt that is under way, never for the next one: rejects at once with why there is no connection. */
  query(bytes: Uint8Array, options?: QueryOptions): Promise<Uint8Array>
  close(): void
}

const FIRST_DELAY_MS = 500
const MOST_DELAY_MS = 30_000

/** The attempt that is under way, for as long as the caller of a query waits. */
function within<T>(attempt: Promise<T>, { timeoutMs, signal }: QueryOptions, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new AdnlError('aborted', 'the query was aborted'))
    const onTimeout = (): void => reject(new AdnlError('timeout', `not connected within ${timeoutMs} ms`))
    const stopTimer = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, onTimeout)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    attempt.then(resolve, reject).finally(() => {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
    })
  })
}

class Link implements AdnlLink {
  readonly #options: Required<KeepOptions>
  readonly #aborter = new AbortController()
  #state: LinkState = { kind: 'connecting' }
  #attempt: Promise<AdnlConnection>
  #delayMs: number
  #stopTimer: () => void = () => {}

  constructor(options: Required<KeepOptions>) {
    this.#options = options
    this.#delayMs = options.firstDelayMs
    this.#attempt = this.#connect()
  }

  get state(): LinkState {
    return this.#state
  }

  async query(bytes: Uint8Array, options: QueryOptions = {}): Promise<Uint8Array> {
    const state = this.#state
    if (state.kind === 'connected') return state.connection.query(bytes, options)
    if (state.kind === 'closed') throw new AdnlError('closed', 'the connection was closed')
    if (state.kind === 'waiting') {
      throw new AdnlError('connect', `not connected: ${state.error.message}`, { cause: state.error })
    }
    const { clock } = this.#options
    const began = clock.now()
    const connection = await within(this.#attempt, options, clock)
    const { timeoutMs, ...rest } = options
    if (timeoutMs === undefined) return connection.query(bytes, rest)
    return connection.query(bytes, { ...rest, timeoutMs: Math.max(1, timeoutMs - (clock.now() - began)) })
  }

  close(): void {
    const state = this.#state
    if (state.kind === 'closed') return
    this.#set({ kind: 'closed' })
    this.#stopTimer()
    this.#aborter.abort()
    if (state.kind === 'connected') state.connection.close()
  }

  #set(state: LinkState): void {
    this.#state = state
    this.#options.onState(state)
  }

  #connect(): Promise<AdnlConnection> {
    const attempt = this.#options.connect(this.#aborter.signal)
    attempt.then(
      (connection) => this.#onConnected(connection),
      (error: unknown) => this.#onLost(error),
    )
    return attempt
  }

  #onConnected(connection: AdnlConnection): void {
    if (this.#state.kind === 'closed') {
      connection.close()
      return
    }
    const { clock, firstDelayMs, mostDelayMs } = this.#options
    const since = clock.now()
    this.#set({ kind: 'connected', connection })
    connection.onClose((reason) => {
      // A server that takes connections only to drop them is not asked more often than one that takes none.
      if (clock.now() - since >= mostDelayMs) this.#delayMs = firstDelayMs
      this.#onLost(reason)
    })
  }

  #onLost(cause: unknown): void {
    if (this.#state.kind === 'closed') return
    const { clock, random, mostDelayMs } = this.#options
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // Between half and one and a half of it: servers that come back must not meet all their clients at once.
    const delayMs = Math.round(this.#delayMs * (0.5 + random()))
    this.#delayMs = Math.min(2 * this.#delayMs, mostDelayMs)
    this.#stopTimer = clock.after(delayMs, () => {
      this.#set({ kind: 'connecting' })
      this.#attempt = this.#connect()
    })
    this.#set({ kind: 'waiting', error, delayMs })
  }
}

/** Begins to connect at once and never gives up until it is closed. */
export function keepConnected({
  connect,
  firstDelayMs = FIRST_DELAY_MS,
  mostDelayMs = MOST_DELAY_MS,
  clock = systemClock,
  random = Math.random,
  onState = () => {},
}: KeepOptions): AdnlLink {
  return new Link({ connect, firstDelayMs, mostDelayMs, clock, random, onState })
}
