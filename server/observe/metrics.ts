// Counters and timings in Prometheus text. Labels come from the registry alone, so their number is bounded. Calls are
// counted in plain numbers and formatted only when `/metrics` is read: a client library's bookkeeping on every call
// cost more than a cached answer.

import type { Registry } from 'prom-client'

export interface MethodMeter {
  /** Counts one finished call by outcome: `ok`, an error kind or `abandoned`. Of each kind the newest request is kept. */
  done(outcome: string, ms: number, requestId?: string): void
}

/** A request that ended with an error. */
interface Failed {
  /** Unix milliseconds. */
  readonly at: number
  readonly ms: number
  readonly requestId: string
}

/** Failures of one kind of a method, with the newest of them. */
export interface FailureCount extends Failed {
  readonly method: string
  readonly kind: string
  /** Since the start. */
  readonly count: number
}

/** What one process has counted, to be summed with others. */
export interface MetricCounts {
  readonly methods: readonly (readonly [name: string, counts: MeterCounts])[]
  /** By the name with its label. */
  readonly gauges: readonly Sample[]
  /** Numbers since the start, which stay when the process ends. */
  readonly totals: readonly Sample[]
}

type Sample = readonly [name: string, value: number]

export interface MeterCounts {
  readonly ok: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly buckets: Float64Array
  readonly sumMs: number
  /** By outcome. */
  readonly newest: ReadonlyMap<string, Failed>
}

export interface Metrics {
  method(name: string): MethodMeter
  /** A number read at each scrape. One that workers have too is the sum of all running processes. */
  gauge(name: string, help: string, read: () => number): void
  /** A number since the start, a counter: the sum of all processes, also of those that have ended. */
  total(name: string, help: string, read: () => number): void
  /** Numbers of this process alone, for each of a few things that the operator named, distinguished by a label. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [value: string, number]>): void
  /** The same as sums over all processes: of those that run, or with `isTotal`, as counters, also of those that have ended. */
  sums(
    name: string,
    of: { readonly help: string; readonly label: string; readonly isTotal: boolean },
    read: () => Iterable<readonly [value: string, number]>,
  ): void
  /** All of it, with what other processes have counted. */
  text(others?: readonly MetricCounts[]): Promise<string>
  /** Failures since the start by method and kind, with those other processes have counted; the newest first. */
  failures(others?: readonly MetricCounts[]): readonly FailureCount[]
  /** Calls, and numbers that are summed. */
  counts(): MetricCounts
}

interface Gauge {
  readonly help: string
  /** How numbers of several processes become one; null when they do not. */
  readonly sum: 'running' | 'total' | null
  /** Samples by what follows the name. */
  readonly read: () => readonly (readonly [labels: string, value: number])[]
}

const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')

/** Upper bounds of the timing buckets, in milliseconds. */
const BOUNDS_MS = [1, 5, 20, 100, 500, 2000, 10_000]

class Meter implements MethodMeter, MeterCounts {
  readonly outcomes = new Map<string, number>()
  readonly newest = new Map<string, Failed>()
  /** One more than there are bounds: the last holds what exceeds all of them. */
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1)
  ok = 0
  sumMs = 0

  done(outcome: string, ms: number, requestId?: string): void {
    if (outcome === 'ok') this.ok++
    else {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
      if (requestId !== undefined) this.newest.set(outcome, { at: Date.now(), ms, requestId })
    }
    let bucket = 0
    while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] ?? 0)) bucket++
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
    this.sumMs += ms
  }

  add(other: MeterCounts): void {
    this.ok += other.ok
    for (const [outcome, count] of other.outcomes) this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + count)
    for (const [i, count] of other.buckets.entries()) this.buckets[i] = (this.buckets[i] ?? 0) + count
    this.sumMs += other.sumMs
    for (const [outcome, failed] of other.newest)
      if (failed.at > (this.newest.get(outcome)?.at ?? 0)) this.newest.set(outcome, failed)
  }
}

function summed(own: ReadonlyMap<string, Meter>, others: readonly MetricCounts[]): ReadonlyMap<string, Meter> {
  if (others.length === 0) return own
  const sums = new Map<string, Meter>()
  for (const [name, counts] of [...own, ...others.flatMap(({ methods }) => methods)]) {
    const sum = sums.get(name) ?? new Meter()
    sum.add(counts)
    sums.set(name, sum)
  }
  return sums
}

/** The calls of several processes that have ended, as one: their gauges have ended with them. */
export const callsOf = (ended: readonly MetricCounts[]): MetricCounts => ({
  methods: [...summed(new Map(), ended)],
  gauges: [],
  totals: [...summedSamples(ended.flatMap(({ totals }) => totals))],
})

function summedSamples(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, value] of samples) sums.set(name, (sums.get(name) ?? 0) + value)
  return sums
}

function counted(meters: ReadonlyMap<string, Meter>): string[] {
  const lines = ['# HELP tonrpc_calls_total Calls by method and outcome.', '# TYPE tonrpc_calls_total counter']
  for (const [method, { ok, outcomes }] of meters) {
    for (const [outcome, count] of [['ok', ok] as const, ...outcomes]) {
      lines.push(`tonrpc_calls_total{method="${method}",outcome="${outcome}"} ${count}`)
    }
  }
  return lines
}

function timed(meters: ReadonlyMap<string, Meter>): string[] {
  const lines = ['# HELP tonrpc_call_seconds Time from dispatch to answer.', '# TYPE tonrpc_call_seconds histogram']
  for (const [method, { buckets, sumMs }] of meters) {
    let below = 0
    for (const [i, count] of buckets.entries()) {
      below += count
      const bound = BOUNDS_MS[i]
      const le = bound === undefined ? '+Inf' : String(bound / 1000)
      lines.push(`tonrpc_call_seconds_bucket{method="${method}",le="${le}"} ${below}`)
    }
    lines.push(`tonrpc_call_seconds_sum{method="${method}"} ${sumMs / 1000}`)
    lines.push(`tonrpc_call_seconds_count{method="${method}"} ${below}`)
  }
  return lines
}

function measured(gauges: ReadonlyMap<string, Gauge>, others: readonly MetricCounts[]): string[] {
  const further = summedSamples(others.flatMap((counts) => [...counts.gauges, ...counts.totals]))
  return [...gauges].flatMap(([name, { help, sum, read }]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${sum === 'total' ? 'counter' : 'gauge'}`,
    ...read().map(([labels, value]) => {
      const sample = `${name}${labels}`
      return `${sample} ${sum === null ? value : value + (further.get(sample) ?? 0)}`
    }),
  ])
}

const labelled =
  (label: string, read: () => Iterable<readonly [value: string, number]>): Gauge['read'] =>
  () =>
    [...read()].map(([of, value]) => [`{${label}="${escaped(of)}"}`, value] as const)

/** What is summed in this way. */
const samplesOf = (gauges: ReadonlyMap<string, Gauge>, sum: Gauge['sum']): readonly Sample[] =>
  [...gauges].flatMap(([name, gauge]) =>
    gauge.sum === sum ? gauge.read().map(([labels, value]) => [`${name}${labels}`, value] as const) : [],
  )

const library = () => import('prom-client')

/** Ninety modules, which take 30 ms: loaded while a start waits for something else, no caller waits for them. */
export async function loadProcessMetrics(): Promise<void> {
  await library()
}

/** Metrics of the process, measured from here on. */
async function watchProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Registry } = await library()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tonrpc_' })
  // Gauges with the name of a counter: each is the sum of the one beside it.
  for (const what of ['resources', 'handles', 'requests'])
    registry.removeSingleMetric(`tonrpc_nodejs_active_${what}_total`)
  // Counted from here on: what the process has used before belongs to it as well.
  const { user, system } = process.cpuUsage()
  const before = { process_cpu_user: user, process_cpu_system: system, process_cpu: user + system }
  for (const [name, micros] of Object.entries(before)) {
    const metric = registry.getSingleMetric(`tonrpc_${name}_seconds_total`)
    if (metric instanceof Counter) metric.inc(micros / 1e6)
  }
  return registry
}

/** Without a sample the delays of the event loop have the largest number there is as their least, and others that look real. */
const NO_DELAYS = /^tonrpc_nodejs_eventloop_lag_min_seconds 9223372036/m
const DELAY = /^tonrpc_nodejs_eventloop_lag_\w+ /

function measuredLines(text: string): string {
  const isWithout = NO_DELAYS.test(text)
  const isMeasured = (line: string): boolean => !(isWithout && DELAY.test(line)) && !/ NaN$/i.test(line)
  return text.split('\n').filter(isMeasured).join('\n')
}

export function createMetrics(): Metrics {
  const gauges = new Map<string, Gauge>()
  const meters = new Map<string, Meter>()
  let watched: Promise<Registry> | null = null
  return {
    method(name) {
      const meter = meters.get(name) ?? new Meter()
      meters.set(name, meter)
      return meter
    },
    gauge(name, help, read) {
      gauges.set(name, { help, sum: 'running', read: () => [['', read()]] })
    },
    total(name, help, read) {
      gauges.set(name, { help, sum: 'total', read: () => [['', read()]] })
    },
    gauges(name, help, label, read) {
      gauges.set(name, { help, sum: null, read: labelled(label, read) })
    },
    sums(name, { help, label, isTotal }, read) {
      gauges.set(name, { help, sum: isTotal ? 'total' : 'running', read: labelled(label, read) })
    },
    counts: () => ({
      methods: [...meters].map(([name, { ok, outcomes, buckets, sumMs, newest }]) => [
        name,
        { ok, outcomes, buckets, sumMs, newest },
      ]),
      gauges: samplesOf(gauges, 'running'),
      totals: samplesOf(gauges, 'total'),
    }),
    failures: (others = []) =>
      [...summed(meters, others)]
        .flatMap(([method, { outcomes, newest }]) =>
          [...newest].map(([kind, failed]) => ({ method, kind, count: outcomes.get(kind) ?? 0, ...failed })),
        )
        .sort((a, b) => b.at - a.at),
    async text(others = []) {
      watched ??= watchProcess()
      const ofProcess = measuredLines(await (await watched).metrics())
      const all = summed(meters, others)
      return [ofProcess, ...measured(gauges, others), ...counted(all), ...timed(all), ''].join('\n')
    },
  }
}
