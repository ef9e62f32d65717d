// Sends spans to a collector in batches, one request at a time. What cannot be sent waits in a bounded queue; what finds it
// full is dropped and counted: a collector that is gone must not cost the service anything.

import { boundedTime, codeOf, failureText, waitAtMost } from '../process/index.ts'
import type { FinishedSpan } from './createTraces.ts'
import type { Log } from './log.ts'
import { otlpJson, type TracedService } from './otlpJson.ts'

export interface SpanExporterOptions {
  /** Base address of the collector; a user and password in it are sent as basic authentication. */
  readonly endpoint: string
  readonly service: TracedService
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Milliseconds after which a batch goes that is not full. */
  readonly everyMs?: number
}

const MOST_QUEUED = 4_096
const BATCH = 512
const EVERY_MS = 1_000
const TIMEOUT_MS = 5_000
const CLOSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
const TRACES_PATH = '/v1/traces'
/** By the protocol: others are refused for good. */
const PASSING = new Set([429, 502, 503, 504])

/** Where spans go, and with which headers. */
function targetOf(endpoint: string): { readonly url: string; readonly headers: Record<string, string> } {
  const url = new URL(endpoint)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (!url.pathname.endsWith(TRACES_PATH)) url.pathname = url.pathname.replace(/\/*$/, TRACES_PATH)
  const headers = { 'Content-Type': 'application/json' }
  if (username === '' && password === '') return { url: url.href, headers }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, headers: { ...headers, Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** Fetch says only that it failed; the reason is the cause. */
const reasonOf = (error: unknown): string => codeOf(error instanceof Error && error.cause) ?? failureText(error)

type Sent = { readonly state: 'accepted' } | { readonly state: 'refused' | 'away'; readonly why: string }

export class SpanExporter {
  readonly #options: SpanExporterOptions
  readonly #url: string
  readonly #to: string
  readonly #headers: Record<string, string>
  #queue: FinishedSpan[] = []
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  /** Requests in a row that failed. */
  #failures = 0
  #isClosed = false
  readonly #end = new AbortController()
  #dropped = 0
  #sent = 0

  constructor(options: SpanExporterOptions) {
    const { url, headers } = targetOf(options.endpoint)
    this.#options = options
    this.#url = url
    this.#to = new URL(url).host
    this.#headers = headers
  }

  /** Spans that were not sent and never will be. */
  get dropped(): number {
    return this.#dropped
  }

  /** Spans the collector has accepted. */
  get sent(): number {
    return this.#sent
  }

  add(span: FinishedSpan): void {
    if (this.#isClosed || this.#queue.length >= MOST_QUEUED) this.#dropped++
    else {
      this.#queue.push(span)
      this.#plan()
    }
  }

  /** Tries once more to send what is left, for a moment. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const end = performance.now() + CLOSE_MS
    const left = (): number => Math.max(0, Math.round(end - performance.now()))
    if (this.#sending !== null) await waitAtMost(this.#sending, CLOSE_MS)
    // A request that is stuck ends now, so that its spans are counted with the others.
    if (this.#sending !== null) this.#end.abort()
    await this.#sending
    while (this.#queue.length > 0 && this.#failures === 0 && left() > 0) await this.#sendBatch(left())
    this.#dropped += this.#queue.length
    this.#queue = []
  }

  /** The next batch: at once when it is full, unless the collector had trouble. */
  #plan(): void {
    if (this.#isClosed || this.#sending !== null || this.#queue.length === 0) return
    if (this.#failures === 0 && this.#queue.length >= BATCH) {
      if (this.#timer !== null) clearTimeout(this.#timer)
      this.#send()
      return
    }
    const pause = (this.#options.everyMs ?? EVERY_MS) * 2 ** Math.min(this.#failures, 10)
    this.#timer ??= setTimeout(() => this.#send(), Math.min(pause, LONGEST_PAUSE_MS)).unref()
  }

  #send(): void {
    this.#timer = null
    if (this.#sending !== null || this.#queue.length === 0) return
    this.#sending = this.#sendBatch(TIMEOUT_MS).finally(() => {
      this.#sending = null
      this.#plan()
    })
  }

  async #sendBatch(ms: number): Promise<void> {
    const { log } = this.#options
    const to = this.#to
    const batch = this.#queue.slice(0, BATCH)
    const outcome = await this.#post(batch, ms)
    if (outcome.state !== 'away') this.#queue = this.#queue.slice(batch.length)
    if (outcome.state === 'accepted') {
      if (this.#failures > 0) log.info({ to, dropped: this.#dropped }, 'traces are sent again')
      this.#failures = 0
      this.#sent += batch.length
      return
    }
    if (outcome.state === 'refused') this.#dropped += batch.length
    if (this.#failures++ === 0)
      log.warn({ to, why: outcome.why }, `traces cannot be sent: spans are dropped when ${MOST_QUEUED} wait`)
  }

  async #post(batch: readonly FinishedSpan[], ms: number): Promise<Sent> {
    const bound = boundedTime(ms, this.#end.signal)
    try {
      const body = otlpJson(this.#options.service, batch)
      const request = { method: 'POST', headers: this.#headers, body, signal: bound.signal }
      const response = await fetch(this.#url, { ...request, redirect: 'error' })
      await response.body?.cancel()
      if (response.ok) return { state: 'accepted' }
      return { state: PASSING.has(response.status) ? 'away' : 'refused', why: `status ${response.status}` }
    } catch (error) {
      return { state: 'away', why: reasonOf(error) }
    } finally {
      bound.done()
    }
  }
}
