// Counters and timings in Prometheus text. Labels come from the registry alone, so their number is bounded.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface MethodMeter {
  /** Counts one finished call by outcome: `ok` or an error kind. */
  done(outcome: string, ms: number): void
}

export interface Metrics {
  method(name: string): MethodMeter
  /** A number read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void
  text(): Promise<string>
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tonrpc_' })
  const calls = new Counter({
    name: 'tonrpc_calls_total',
    help: 'Calls by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'tonrpc_call_seconds',
    help: 'Time from dispatch to answer.',
    labelNames: ['method'],
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    method(method) {
      const ok = calls.labels({ method, outcome: 'ok' })
      const time = seconds.labels({ method })
      return {
        done(outcome, ms) {
          if (outcome === 'ok') ok.inc()
          else calls.inc({ method, outcome })
          time.observe(ms / 1000)
        },
      }
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
    },
    text: () => registry.metrics(),
  }
}
