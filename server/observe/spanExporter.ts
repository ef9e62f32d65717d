// Sends spans to a collector in batches, one request at a time. What cannot be sent waits in a bounded queue; what finds it
// full is dropped and counted: a collector that is gone must not cost the service anything.

import { timeLimit } from '../process/index.ts'
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

export interface SpanExporter {
  add(span: FinishedSpan): void
  /** Spans that were not sent and never will be. */
  readonly dropped: number
  /** Spans the collector has accepted. */
  readonly sent: number
  /** Tries once more to send what is left, for a moment. */
  close(): Promise<void>
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
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? code : error.message
}

type Sent = { readonly state: 'accepted' } | { readonly state: 'refused' | 'away'; readonly why: string }

export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { service, log, everyMs = EVERY_MS } = options
  const { url, headers } = targetOf(options.endpoint)
  const to = new URL(url).host
  let queue: FinishedSpan[] = []
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let failures = 0
  let isClosed = false
  let dropped = 0
  let sent = 0

  async function post(batch: readonly FinishedSpan[], ms: number): Promise<Sent> {
    try {
      const body = otlpJson(service, batch)
      const signal = timeLimit(ms)
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      await response.body?.cancel()
      if (response.ok) return { state: 'accepted' }
      return { state: PASSING.has(response.status) ? 'away' : 'refused', why: `status ${response.status}` }
    } catch (error) {
      return { state: 'away', why: reasonOf(error) }
    }
  }

  async function sendBatch(ms: number): Promise<void> {
    const batch = queue.slice(0, BATCH)
    const outcome = await post(batch, ms)
    if (outcome.state !== 'away') queue = queue.slice(batch.length)
    if (outcome.state === 'accepted') {
      if (failures > 0) log.info({ to, dropped }, 'traces are sent again')
      failures = 0
      sent += batch.length
      return
    }
    if (outcome.state === 'refused') dropped += batch.length
    if (failures++ === 0) log.warn({ to, why: outcome.why }, 'traces cannot be sent: spans are dropped when 4096 wait')
  }

  function send(): void {
    timer = null
    if (sending !== null || queue.length === 0) return
    sending = sendBatch(TIMEOUT_MS).finally(() => {
      sending = null
      plan()
    })
  }

  /** The next batch: at once when it is full, unless the collector had trouble. */
  function plan(): void {
    if (isClosed || sending !== null || queue.length === 0) return
    if (failures === 0 && queue.length >= BATCH) {
      if (timer !== null) clearTimeout(timer)
      send()
      return
    }
    timer ??= setTimeout(send, Math.min(everyMs * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS)).unref()
  }

  return {
    add(span) {
      if (isClosed || queue.length >= MOST_QUEUED) dropped++
      else {
        queue.push(span)
        plan()
      }
    },
    get dropped() {
      return dropped
    },
    get sent() {
      return sent
    },
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      const end = performance.now() + CLOSE_MS
      const left = (): number => Math.max(0, Math.round(end - performance.now()))
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([sending, late])
      if (sending !== null) return
      while (queue.length > 0 && failures === 0 && left() > 0) await sendBatch(left())
      dropped += queue.length
      queue = []
    },
  }
}
