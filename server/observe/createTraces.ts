// Traces: what a request was made of, as spans inside each other. Work finds the span it belongs to by the asynchronous
// context. A service that exports no traces makes none of these.

import { AsyncLocalStorage } from 'node:async_hooks'
import { newSpanId, newTraceId, parseTraceparent, type TraceContext, traceparentOf } from './traceContext.ts'

export type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanKind = 'internal' | 'server' | 'client'

/** A finished span. Times are milliseconds of the unix clock. */
export interface FinishedSpan extends Pick<TraceContext, 'traceId' | 'spanId'> {
  /** Null for the first span of a trace. */
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Kind of the error it ended with; null when it went well. */
  readonly error: string | null
}

export interface Span {
  readonly traceparent: string
  /** A span inside this one; null when this one is finished, or its trace has as many as one may have. */
  child(name: string, kind: SpanKind, attributes?: Attributes): Span | null
  end(outcome?: { readonly error?: string | null; readonly attributes?: Attributes }): void
}

export interface Traces {
  /** The first span here of a request, as part of the caller's trace; null when it is not traced. */
  begin(name: string, kind: SpanKind, traceparent?: string | string[], attributes?: Attributes): Span | null
  /** The span of another process of this service, which has decided that it is traced. */
  joined(traceparent: string | undefined): Span | null
  /** The span that the running work belongs to. */
  current(): Span | null
  /** Does `work` as the content of `span`, which ends with it. */
  within<T>(span: Span | null, work: () => T | Promise<T>): T | Promise<T>
}

export interface TracesOptions {
  /** One of so many traces that begin here is recorded. */
  readonly sample: number
  /** Takes finished spans. */
  readonly take: (span: FinishedSpan) => void
  /** Milliseconds of a clock that does not jump. */
  readonly now?: () => number
}

/** One batch must not fill the queue of everyone. */
const MOST_SPANS = 256
/** Traces a second that are recorded because callers have decided so: beyond that, this service decides. */
const MOST_DEMANDED = 50
const LONGEST_TEXT = 2_000

/** What all spans of one trace share. */
interface Trace {
  readonly id: string
  /** Added to the steady clock, it gives the unix time: within a trace no jump of the clock is seen. */
  readonly offsetMs: number
  spans: number
}

const short = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value,
    ]),
  )

/** Errors have texts in which a caller's values may be: only the kind is recorded. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  for (const name of ['kind', 'code'] as const) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string') return value
  }
  return error.name
}

class RunningSpan implements Span {
  readonly #trace: Trace
  readonly #span: Omit<FinishedSpan, 'startMs' | 'endMs' | 'error'>
  readonly #startedAt: number
  readonly #options: Required<TracesOptions>
  #isOver = false

  constructor(trace: Trace, span: Omit<FinishedSpan, 'startMs' | 'endMs' | 'error'>, options: Required<TracesOptions>) {
    this.#trace = trace
    this.#span = span
    this.#options = options
    this.#startedAt = options.now()
  }

  get traceparent(): string {
    return traceparentOf({ ...this.#span, isSampled: true })
  }

  child(name: string, kind: SpanKind, attributes: Attributes = {}): Span | null {
    if (this.#isOver || this.#trace.spans >= MOST_SPANS) return null
    this.#trace.spans++
    const { traceId, spanId: parentId } = this.#span
    return new RunningSpan(
      this.#trace,
      { traceId, spanId: newSpanId(), parentId, name, kind, attributes },
      this.#options,
    )
  }

  end({ error = null, attributes = {} }: Parameters<Span['end']>[0] = {}): void {
    if (this.#isOver) return
    this.#isOver = true
    const { offsetMs } = this.#trace
    this.#options.take({
      ...this.#span,
      startMs: offsetMs + this.#startedAt,
      endMs: offsetMs + this.#options.now(),
      attributes: short({ ...this.#span.attributes, ...attributes }),
      error,
    })
  }
}

/** Lets so many pass in each second. */
function perSecond(most: number, now: () => number): () => boolean {
  let since = now()
  let passed = 0
  return () => {
    if (now() - since >= 1_000) {
      since = now()
      passed = 0
    }
    return passed++ < most
  }
}

export function createTraces(given: TracesOptions): Traces {
  const options: Required<TracesOptions> = { now: () => performance.now(), ...given }
  const { sample, now } = options
  const running = new AsyncLocalStorage<Span>()
  const mayDemand = perSecond(MOST_DEMANDED, now)
  let begun = 0
  const newTrace = (id: string): Trace => ({ id, offsetMs: Date.now() - now(), spans: 1 })
  const isChosen = (): boolean => begun++ % sample === 0

  return {
    begin(name, kind, header, attributes = {}) {
      const parent = parseTraceparent(header)
      if (parent?.isSampled === false) return null
      if (!(parent !== null && mayDemand()) && !isChosen()) return null
      const trace = newTrace(parent?.traceId ?? newTraceId())
      const parentId = parent?.spanId ?? null
      const span = { traceId: trace.id, spanId: newSpanId(), parentId, name, kind, attributes }
      return new RunningSpan(trace, span, options)
    },
    joined(header) {
      const parent = parseTraceparent(header)
      if (parent === null) return null
      const { traceId, spanId } = parent
      const span = { traceId, spanId, parentId: null, name: '', kind: 'internal' as const, attributes: {} }
      return new RunningSpan(newTrace(traceId), span, options)
    },
    current: () => running.getStore() ?? null,
    within(span, work) {
      if (span === null) return work()
      const failed = (error: unknown): never => {
        span.end({ error: kindOf(error) })
        throw error
      }
      let result: ReturnType<typeof work>
      try {
        result = running.run(span, work)
      } catch (error) {
        return failed(error)
      }
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      return result.then((value) => {
        span.end()
        return value
      }, failed)
    },
  }
}
