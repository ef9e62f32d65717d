// What happens, as it happens: the notifications of a subscription, one after the other. Reconnects with growing pauses when the
// connection breaks or falls silent, and resumes behind the last finalized notification: of those none is missed and none comes twice.

import { httpEndpoint, shown, withPath } from './endpoint.ts'
import { checkNames, OF_STREAM } from './optionNames.ts'
import { answerText, checkFetch, LONGEST_ANSWER, parse, rootOf, statusError, tooLong } from './post.ts'
import { isObject } from './protocol.ts'
import { backoff, PASSING_STATUS, parseRetryAfter } from './retry.ts'
import { isTransportError, TransportError } from './rpcErrors.ts'
import { limit, sleep } from './sleep.ts'
import type { StreamNotification, StreamOptions } from './streamTypes.ts'

type Notifications = AsyncGenerator<StreamNotification, void, undefined>

const SILENCE_MS = 45_000
/** Unfinished traces that are kept. */
const MOST_UNFINISHED = 10_000
const PAUSES = { baseMs: 500, capMs: 8_000 }
/** Also those that say that the subscription is wrong, or its cursor too old: another try has the same answer. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && !PASSING_STATUS.has(status)

/** The error for a refused subscription, in the words of the service; a page of another server is not quoted. */
function refusal(address: string, status: number, text: string): TransportError {
  const body = parse(text)
  if (!isObject(body) || typeof body.error !== 'string') return statusError(status, address)
  const advice = 'change the subscription, its cursor or the key, as the service says'
  return new TransportError({ reason: 'status', text: `${address}: ${body.error}`, status, advice })
}

/** What a `fetch` or its body threw. */
function broken(address: string, cause: unknown): TransportError {
  if (isTransportError(cause)) return cause
  return new TransportError({ reason: 'network', text: `the stream from ${address} broke${rootOf(cause)}`, cause })
}

const isStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** One connection: it is given up when nothing comes for too long, as when its network has gone without a sign. */
class Attempt {
  readonly #abort = new AbortController()
  readonly #until: AbortSignal
  readonly #onEnd = (): void => this.#abort.abort()

  constructor(until: AbortSignal) {
    this.#until = until
    until.addEventListener('abort', this.#onEnd)
    // Chromium brings a page nothing more of an answer that went on while the page was frozen.
    globalThis.document?.addEventListener?.('resume', this.#onEnd)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  within<T>(wait: Promise<T>, ms: number): Promise<T> {
    return wait.finally(limit(ms, this.#onEnd))
  }

  /** Also of a reply that was not read. */
  end(): void {
    this.#until.removeEventListener('abort', this.#onEnd)
    globalThis.document?.removeEventListener?.('resume', this.#onEnd)
    this.#onEnd()
  }
}

interface Reading {
  readonly within: <T>(wait: Promise<T>) => Promise<T>
  readonly signal: AbortSignal
  /** For errors. */
  readonly address: string
}

/** Frames as they come until the signal; `within` bounds each wait. Throws TransportError for one that is too long. */
async function* framesOf(
  body: ReadableStream<Uint8Array>,
  { within, signal, address }: Reading,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  // The body of a custom `fetch` may ignore the signal.
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave)
  const decoder = new TextDecoder()
  /** Pieces of a frame that has not ended: joined at each new piece, a long frame would be copied again and again. */
  let pieces: string[] = []
  let length = 0
  let last = ''
  try {
    for (;;) {
      const { value, done } = await within(reader.read())
      if (done) return
      const piece = decoder.decode(value, { stream: true })
      length += piece.length
      pieces.push(piece)
      const hasEnd = `${last}${piece}`.includes('\n\n')
      last = piece.at(-1) ?? last
      if (!hasEnd) {
        if (length > LONGEST_ANSWER) throw tooLong(address)
        continue
      }
      const frames = pieces.join('').split('\n\n')
      const rest = frames.pop() ?? ''
      pieces = [rest]
      length = rest.length
      yield* frames
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

/** Hashes of traces that were reported before they were finalized. */
class Unfinished {
  readonly #all = new Set<string>()

  note({ type, finality, trace_external_hash_norm: hash }: StreamNotification): void {
    if (typeof hash !== 'string') return
    this.#all.delete(hash)
    if (finality !== 'finalized' && type !== 'trace_invalidated') this.#all.add(hash)
    const [oldest] = this.#all
    if (oldest !== undefined && this.#all.size > MOST_UNFINISHED) this.#all.delete(oldest)
  }

  take(): StreamNotification[] {
    const all = [...this.#all].map((hash) => ({ type: 'trace_invalidated' as const, trace_external_hash_norm: hash }))
    this.#all.clear()
    return all
  }
}

const NO_STREAMS =
  "React Native's fetch returns once the whole answer is there, and a stream never ends: pass another `fetch`, such as that of expo/fetch"

async function* follow({
  url,
  apiKey,
  headers: given,
  fetch: own,
  after,
  progress = false,
  signal,
  silenceMs = SILENCE_MS,
  onSetback = () => {},
  ...wish
}: StreamOptions): Notifications {
  const target = withPath(httpEndpoint(url), (path) => path.replace(/\/jsonRPC$/, '/api/streaming/v2/sse'))
  checkFetch(own)
  if (!own && globalThis.navigator?.product === 'ReactNative') throw new TypeError(NO_STREAMS)
  const address = shown(target)
  const until = signal ?? new AbortController().signal
  const unfinished = new Unfinished()
  // Outside of what is tried again, as is the body: a wrong one is the caller's to know.
  const headers = new Headers(given)
  headers.set('content-type', 'application/json')
  if (apiKey !== undefined) headers.set('x-api-key', apiKey)
  let cursor = after
  /** From `Retry-After` of the last answer. */
  let namedMs = 0
  let setback: unknown
  for (let failures = 0; !until.aborted; failures++) {
    if (failures > 0) {
      onSetback(broken(address, setback))
      await sleep(namedMs + backoff(failures, PAUSES, Math.random()), until)
      if (until.aborted) return
    }
    namedMs = 0
    setback = new TransportError({ reason: 'network', text: `the stream from ${address} ended` })
    // Also for a caller that does not want it: a long time without notifications has a cursor to resume from.
    const body = JSON.stringify({ ...wish, progress: true, after: cursor })
    const attempt = new Attempt(until)
    const within = <T>(wait: Promise<T>): Promise<T> => attempt.within(wait, silenceMs)
    try {
      const send = own ?? fetch
      const reply = await within(send(target, { method: 'POST', headers, body, signal: attempt.signal }))
      const { ok, status } = reply
      if (isFinal(status)) throw refusal(address, status, await within(answerText(reply, address)))
      const retryAfter = parseRetryAfter(reply.headers, Date.now())
      namedMs = 1000 * (retryAfter ?? 0)
      if (!ok) setback = statusError(status, address, retryAfter)
      if (!ok || reply.body === null) continue
      if (!isStream(reply))
        throw new TransportError({ reason: 'reply', text: `an answer that is no stream from ${address}: check url` })
      // The service does not repeat that an unfinished trace was dropped: all that were unfinished are reported as invalidated.
      yield* unfinished.take()
      for await (const frame of framesOf(reply.body, { within, signal: attempt.signal, address })) {
        // Received before the signal.
        if (until.aborted) return
        // A text in it may have U+2028, which ends a line for `.` and `$`, but not for JSON.
        const data = /^event: event\ndata: ([^\n]*)/m.exec(frame)?.[1]
        if (data === undefined) continue
        const notification: StreamNotification = JSON.parse(data)
        failures = 0
        if (progress || notification.type !== 'progress') {
          unfinished.note(notification)
          yield notification
        }
        cursor = notification.cursor ?? cursor
      }
    } catch (error) {
      if (error instanceof TransportError) throw error
      setback = error
    } finally {
      attempt.end()
    }
  }
}

/** Ends when the signal of the options or `left` aborts. */
async function* followUntil(left: AbortController, options: StreamOptions): Notifications {
  checkNames(options, OF_STREAM)
  const { signal } = options
  const end = (): void => left.abort()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    yield* follow({ ...options, signal: left.signal })
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Throws TransportError for a subscription that is refused, or a cursor that is not known any more. */
export function stream(options: StreamOptions): Notifications {
  const left = new AbortController()
  const notifications = followUntil(left, options)
  const { return: finish } = notifications
  // `return` of a generator waits for the pending notification, which may never come.
  notifications.return = (value) => {
    left.abort()
    return finish.call(notifications, value)
  }
  return notifications
}
