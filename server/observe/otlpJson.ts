// Spans in the JSON of the OpenTelemetry protocol, as every collector takes it at /v1/traces.

import type { Attributes, FinishedSpan } from './createTraces.ts'

/** What sends the spans. */
export interface TracedService {
  readonly name: string
  readonly version: string
  /** Distinguishes the processes of one service. */
  readonly instance: string
}

const KINDS = { internal: 1, server: 2, client: 3 } as const
const STATUS_ERROR = 2

const typedValue = (value: Attributes[string]): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: typedValue(value) }))

/** Nanoseconds as digits: they are more than a double holds. */
const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`

function spanOf({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, error }: FinishedSpan): object {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(error === null ? attributes : { ...attributes, 'error.type': error }),
    status: error === null ? {} : { code: STATUS_ERROR },
  }
}

export function otlpJson({ name, version, instance }: TracedService, spans: readonly FinishedSpan[]): string {
  const resource = { 'service.name': name, 'service.version': version, 'service.instance.id': instance }
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name, version }, spans: spans.map(spanOf) }],
      },
    ],
  })
}
