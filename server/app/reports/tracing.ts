// Traces of this process, when the settings name a collector for them.

import { hostname } from 'node:os'
import { createTraces, type Log, type Metrics, SpanExporter, type Traces } from '../../observe/index.ts'
import { programVersion } from '../programVersion.ts'
import type { Config } from '../settings/settings.ts'

export interface Tracing {
  readonly traces: Traces
  measure(metrics: Metrics): void
  close(): Promise<void>
}

/** Null when nothing is traced. `worker` numbers a worker process. */
export function openTracing(
  { otlpEndpoint, traceSample }: Pick<Config, 'otlpEndpoint' | 'traceSample'>,
  log: Log,
  worker = 0,
): Tracing | null {
  if (otlpEndpoint === '') return null
  const instance = `${hostname()}:${process.pid}${worker === 0 ? '' : `:${worker}`}`
  const service = { name: 'tonrpc', version: programVersion(), instance }
  const exporter = new SpanExporter({ endpoint: otlpEndpoint, service, log })
  return {
    traces: createTraces({ sample: traceSample, take: (span) => exporter.add(span) }),
    measure(metrics) {
      const sent = 'Spans the collector has accepted since the start.'
      metrics.total('tonrpc_trace_spans_sent_total', sent, () => exporter.sent)
      metrics.total(
        'tonrpc_trace_spans_dropped_total',
        'Spans lost since the start: the collector refused them, or could not be reached for too long.',
        () => exporter.dropped,
      )
    },
    close: () => exporter.close(),
  }
}
