// Fields of JSON that other programs wrote, each read as what it should be.

import { isObject } from '../../../shared/isObject.ts'

export type Json = Readonly<Record<string, unknown>>

export const jsonString = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const jsonNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A whole number, also as text. */
export const jsonBigint = (value: unknown): bigint | null =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : null

export const jsonBytes = (base64: string | undefined): Uint8Array => Buffer.from(base64 ?? '', 'base64')

export const jsonObject = (value: unknown): Json | null => (isObject(value) ? value : null)

export const jsonList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const jsonTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Amounts of extra currencies by id. */
export const jsonCurrencies = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(jsonObject(value) ?? {}).map(([id, amount]) => [id, String(amount)]))
