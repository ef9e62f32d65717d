// What both transports of streams do with a request.

import { isObject } from '../../../shared/isObject.ts'
import { SubscriptionRefused } from '../../streaming/index.ts'
import { parseJson } from '../requests/json.ts'

/** Of a request or a reply. */
export type StreamFields = Readonly<Record<string, unknown>>

/** Throws SubscriptionRefused, whose text begins with `refusal`, for what is no JSON object. */
export function requestIn(text: string, depth: number, refusal: string): StreamFields {
  let value: unknown
  try {
    value = parseJson(text, depth)
  } catch (error) {
    throw new SubscriptionRefused(`${refusal}: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isObject(value)) throw new SubscriptionRefused(`${refusal}: not an object`)
  return value
}

/** Longest id that is echoed. */
const MOST_ID = 256

/** The id of a request as its reply has it: nothing where it has none that can be echoed. */
export function echoOf(request: StreamFields): { readonly id?: string | number | bigint } {
  const { id } = request
  if (typeof id === 'number' || typeof id === 'bigint') return { id }
  return typeof id === 'string' && id.length <= MOST_ID ? { id } : {}
}

/** JSON of a reply that begins with the id: one of more than 53 bits has all its digits, as the request had them. */
export function replyText({ id, ...fields }: StreamFields): string {
  if (typeof id !== 'bigint') return JSON.stringify({ id, ...fields })
  return `{"id":${id},${JSON.stringify(fields).slice(1)}`
}
