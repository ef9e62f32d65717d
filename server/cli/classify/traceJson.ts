// Fields of JSON that other programs wrote, each read as what it should be.

import { isObject } from '../../../shared/isObject.ts'

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
