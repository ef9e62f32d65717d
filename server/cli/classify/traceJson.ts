// Fields of JSON that other programs wrote, each read as what it should be.

import { isObject } from '../../../shared/isObject.ts'
import type { TraceInput, TraceTransaction } from '../../actions/index.ts'

export type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json | null => (isObject(value) ? value : null)

export const read = {
  text: (value: unknown): string | null => (typeof value === 'string' ? value : null),
  number: (value: unknown): number | null => (typeof value === 'number' ? value : null),
  /** A whole number, also as text. */
  bigint: (value: unknown): bigint | null =>
    typeof value === 'string' || typeof value === 'number' ? BigInt(value) : null,
  bytes: (base64: string | undefined): Uint8Array => Buffer.from(base64 ?? '', 'base64'),
  object,
  list: (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []),
  texts: (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [],
  /** Amounts of extra currencies by id. */
  currencies: (value: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(object(value) ?? {}).map(([id, amount]) => [id, String(amount)])),
} as const

/** What a trace has besides its transactions. */
export const traceBounds = (json: Json): Omit<TraceInput, 'transactions'> => ({
  traceId: String(json.trace_id),
  externalHash: read.text(json.external_hash),
  externalHashNorm: null,
  mcSeqnoEnd: Number(json.mc_seqno_end),
  startLt: BigInt(String(json.start_lt)),
  endLt: BigInt(String(json.end_lt)),
  startUtime: Number(json.start_utime),
  endUtime: Number(json.end_utime),
})

type TransactionHead = Pick<TraceTransaction, 'hash' | 'account' | 'lt' | 'now' | 'origStatus' | 'endStatus'>

/** Which transaction it is, and what it did to the status of its account. */
export const transactionHead = (json: Json): TransactionHead => ({
  hash: String(json.hash),
  account: String(json.account),
  lt: BigInt(String(json.lt)),
  now: Number(json.now),
  origStatus: String(json.orig_status),
  endStatus: String(json.end_status),
})
