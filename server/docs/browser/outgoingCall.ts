// From a form to a call.

import type { CallData, CallDoor, CallField } from './callData.ts'
import { ROOT } from './dom.ts'
import { currentKey } from './key.ts'

export interface Outgoing {
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
}

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** Whether all numbers have the digits that were typed: a browser rounds larger ones. */
function isExact(json: unknown): boolean {
  if (typeof json === 'number') return Math.abs(json) <= Number.MAX_SAFE_INTEGER
  return typeof json !== 'object' || json === null || Object.values(json).every(isExact)
}

/** What is no number, or too large for one, goes as text, so that the service words the refusal. */
function typed(kind: 'text' | 'number' | 'any', text: string): unknown {
  if (kind === 'text') return text
  const value = kind === 'any' ? jsonOr(text, text) : Number(text)
  return isExact(value) ? value : text
}

/** Value of one field, or undefined when it is left out. Sets the field's message when it cannot be read. */
export function readValue(field: CallField, input: Input): unknown {
  const text = input.value
  input.setCustomValidity('')
  if (text.trim() === '') return undefined
  switch (field.kind) {
    case 'boolean':
      return text === 'true'
    case 'list':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => typed(field.item ?? 'text', line))
    case 'json': {
      const value = jsonOr(text, undefined)
      if (value === undefined) input.setCustomValidity('This is not JSON.')
      else if (!isExact(value)) input.setCustomValidity('Write large numbers in quotes: a browser rounds them.')
      return value
    }
    case 'number':
    case 'any':
      return typed(field.kind, text.trim())
    default:
      return text
  }
}

function queryOf(params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    }
  }
  return query.size === 0 ? '' : `?${query}`
}

export function outgoing(call: CallData, door: CallDoor, params: Readonly<Record<string, unknown>>): Outgoing {
  const { path, carries } = door
  if (carries === 'query') return { verb: 'GET', path: path + queryOf(params), body: null }
  const body = carries === 'body' ? params : { jsonrpc: '2.0', id: 1, method: call.name, params }
  return { verb: 'POST', path, body: JSON.stringify(body) }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Without the key, which must not end up in a shell's history. */
export function curlOf(call: Outgoing): string {
  const parts = [`curl ${quoted(ROOT + call.path)}`]
  if (currentKey() !== '') parts.push('-H "X-API-Key: $API_KEY"')
  if (call.body !== null) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(call.body)}`)
  return parts.join(' \\\n  ')
}
