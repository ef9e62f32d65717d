// What became of a message: `sent()` and `finalized()` on the promise of a send.

import type { Api, Client } from '../index.ts'

type SentResult = Api['v3.sendAndWait']['result']

export interface FollowMethods {
  readonly v3: Pick<Client['v3'], 'sendAndWait'>
}

export interface FollowOptions {
  /** How long to wait, in milliseconds. Default 60 s. */
  readonly timeoutMs?: number | undefined
  /** Include the actions of the trace. */
  readonly includeActions?: boolean | undefined
  /** Ends the wait; the message stays sent. */
  readonly signal?: AbortSignal | undefined
}

export interface Following {
  /** Resolves when the node has taken the message: its hashes, and what it will lead to. */
  sent(options?: FollowOptions): Promise<SentResult>
  /** Resolves when everything that followed from the message is in blocks. Throws RpcError when the message is lost. */
  finalized(options?: FollowOptions): Promise<SentResult>
}

/** A send, with its result. */
export type Sending<R> = Promise<R> & Following

/** The same for two copies of this file, as in a page whose wallet part is bundled apart. */
const BOCS: unique symbol = Symbol.for('tonrpc.bocs')
const TIMEOUT_MS = 60_000
/** Of one call; the service takes from 100 to 30,000. */
const ONE_CALL_MS = 20_000
/** Before a call is repeated that was answered at once. */
const PAUSE_MS = 500
/** The shortest wait of one call. */
const LEAST_MS = 100
/** How much longer than the service the client waits, whatever its own limit for calls. */
const SPARE_MS = 10_000

/** Of a service that starts, catches up or has too much to do. */
const PASSING: ReadonlySet<unknown> = new Set(
  'messagePending indexBehind notIndexed unavailable busy timeout rateLimited'.split(' '),
)

/** Statuses of a proxy: its service does not answer, or too many calls come. */
const PASSING_STATUS: ReadonlySet<unknown> = new Set([408, 429, 502, 503, 504])

/** It waits still, or nothing is known of it: the call can be repeated, and no message is sent twice. */
function isPending(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const of = (name: string): unknown => Reflect.get(error, name)
  const isUnheard = of('reason') === 'network' || (of('reason') === 'status' && PASSING_STATUS.has(of('status')))
  return isUnheard || of('name') === 'TimeoutError' || PASSING.has(of('kind'))
}

/** Milliseconds after which the service wants to be called again. */
function restMs(error: unknown): number {
  const data: unknown = Reflect.get(Object(error), 'data')
  const seconds: unknown = Reflect.get(Object(error), 'retryAfter') ?? Reflect.get(Object(data), 'retryAfter')
  return typeof seconds === 'number' ? 1_000 * seconds : 0
}

/** Beyond it a timer fires at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Resolves after that time, 25 days at most, or at once when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, LONGEST_MS))
    signal?.addEventListener('abort', done)
    if (signal?.aborted === true) done()
  })
}

async function wait(
  { v3 }: FollowMethods,
  boc: string,
  level: 'pending' | 'finalized',
  { timeoutMs = TIMEOUT_MS, includeActions = false, signal }: FollowOptions,
): Promise<SentResult> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const begun = performance.now()
    const timeout = Math.round(Math.min(Math.max(end - begun, LEAST_MS), ONE_CALL_MS))
    const params = { boc, wait: level, timeout_ms: timeout, include_actions: includeActions }
    try {
      return await v3.sendAndWait(params, { timeoutMs: timeout + SPARE_MS, signal })
    } catch (error) {
      const now = performance.now()
      // The reason of an AbortSignal.timeout() is a TimeoutError, too.
      const rest = restMs(error)
      if (signal?.aborted === true || !isPending(error) || end - now < Math.max(LEAST_MS, rest)) throw error
      await pause(Math.max(rest, Math.min(PAUSE_MS, Math.max(0, begun + timeout - now))), signal)
    }
  }
}

/** Resolves when the send has ended, in whatever way, or the signal aborts. */
function endOf(running: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal?.removeEventListener('abort', done)
      resolve()
    }
    running.then(done, done)
    signal?.addEventListener('abort', done)
    if (signal?.aborted === true) done()
  })
}

/** The send with ways to follow the message; `bocs` has the messages it sent, once it has resolved. */
export function follow<R>(methods: FollowMethods, running: Promise<R>, bocs: readonly string[]): Sending<R> {
  const only = async (): Promise<string> => {
    await running
    const [boc] = bocs
    if (boc === undefined || bocs.length > 1)
      throw new Error(`one message can be followed, and ${bocs.length} were sent through this client`)
    return boc
  }
  const waitFor = async (level: 'pending' | 'finalized', options: FollowOptions): Promise<SentResult> => {
    const { signal } = options
    await endOf(running, signal)
    // A call with a signal that has aborted is not sent, and rejects with its reason.
    return wait(methods, signal?.aborted === true ? '' : await only(), level, options)
  }
  return Object.assign(running, {
    [BOCS]: bocs,
    sent: async (options: FollowOptions = {}) => waitFor('pending', options),
    finalized: async (options: FollowOptions = {}) => waitFor('finalized', options),
  })
}

/** Messages of a send that can be followed; none of another promise. */
export const bocsOf = (sending: Promise<unknown>): readonly string[] =>
  typeof sending === 'object' && sending !== null && BOCS in sending && Array.isArray(sending[BOCS])
    ? sending[BOCS]
    : []
