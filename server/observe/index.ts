// What an operator sees of a running service: its log and its metrics. Other rooms take the types alone and are given a
// logger and the metrics; only the composition and the command line make them.

export { createLog, type Log } from './log.ts'
export { createMetrics, type MethodMeter, type MetricCounts, type Metrics } from './metrics.ts'
export { openRequestLog, type RequestLog, type RequestRecord } from './requestLog.ts'
