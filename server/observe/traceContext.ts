// Which trace a request belongs to, as callers say it: the header `traceparent` of W3C Trace Context.

import { randomBytes } from 'node:crypto'

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the one who began the trace records it. */
  readonly isSampled: boolean
}

/** Later versions may append fields; version ff does not exist. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Null for a header that is absent or cannot be read: the trace then begins here. */
export function parseTraceparent(header: string | string[] | undefined): TraceContext | null {
  if (typeof header !== 'string' || header.length > 128) return null
  const [, version, traceId, spanId, flags = '0', more] = TRACEPARENT.exec(header.trim()) ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')
