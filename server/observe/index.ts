// What an operator sees of a running service: its log, its metrics and its traces. Other rooms take the types alone and are
// given what they use; only the composition and the command line make them.

export { type Attributes, createTraces, type Span, type Traces } from './createTraces.ts'
export { createLog, type Log, type Notes } from './log.ts'
export {
  callsOf,
  createMetrics,
  type FailureCount,
  loadProcessMetrics,
  type MethodMeter,
  type MetricCounts,
  type Metrics,
} from './metrics.ts'
export { openRequestLog, type RequestLog, type RequestRecord } from './requestLog.ts'
export { SpanExporter } from './spanExporter.ts'
