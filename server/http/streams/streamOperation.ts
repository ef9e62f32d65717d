// Operations on the WebSocket of streams as they come in: one JSON object per frame.

import type { RawData } from 'ws'
import { isObject } from '../../../shared/isObject.ts'
import { SubscriptionRefused } from '../../streaming/index.ts'
import { parseJson } from '../requests/json.ts'

export type OperationFields = Readonly<Record<string, unknown>>

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A list of names; absent is empty. Throws SubscriptionRefused. */
export function textsIn(fields: OperationFields, name: string): string[] {
  const value = fields[name] ?? []
  if (!isTexts(value)) throw new SubscriptionRefused(`invalid unsubscribe request: ${name}: expected texts`)
  return value
}

/** Throws SubscriptionRefused. */
export function readOperation(data: RawData, depth: number): OperationFields {
  let value: unknown
  try {
    value = parseJson(String(data), depth)
  } catch (error) {
    throw new SubscriptionRefused(`invalid request envelope: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isObject(value)) throw new SubscriptionRefused('invalid request envelope: not an object')
  return value
}
