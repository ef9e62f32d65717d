// Cursors: opaque text with the sort key of a page's last row, bound by a digest to the method, its filters and its
// sort. Nothing in one is secret: a made-up cursor returns what a filter would.

import { hash } from 'node:crypto'
import { ApiError } from '../../shared/errors.ts'
import { bytesText } from '../cell/index.ts'
import type { PageKey, PageKeyPart, PageRequest } from '../store/index.ts'

export interface PageParams {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

export interface OpenPage {
  readonly ask: PageRequest
  /** The cursor that goes out for where a page ended. */
  cursor(next: PageKey | null): string | null
}

const DIGEST_BYTES = 8

/** One text per value, however a caller had spelled it. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `x${hex(value)}`
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${membersText(value)}}`
}

function membersText(object: object): string {
  let text = ''
  for (const [name, member] of Object.entries(object))
    if (member !== undefined) text += `${text === '' ? '' : ','}${name}:${textOf(member)}`
  return text
}

const hex = (bytes: Uint8Array): string => bytesText(bytes, 'hex')

function partText(part: PageKeyPart): string {
  if (part === null) return 'n'
  if (typeof part === 'string') return `t${Buffer.from(part).toString('base64url')}`
  return part instanceof Uint8Array ? `x${hex(part)}` : `d${part}`
}

function partOf(text: string): PageKeyPart | undefined {
  if (text === 'n') return null
  // As long as a number of 256 bits.
  if (/^d-?\d{1,78}$/.test(text)) return BigInt(text.slice(1))
  if (/^t[\w-]*$/.test(text)) return Buffer.from(text.slice(1), 'base64url').toString()
  return /^x(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text.slice(1), 'hex') : undefined
}

const digestOf = (filters: string, key: string): Buffer =>
  hash('sha256', `${filters} ${key}`, 'buffer').subarray(0, DIGEST_BYTES)

/** The refusal of a cursor that is damaged, or came from another list. */
export const wrongCursor = (): ApiError =>
  new ApiError('invalidParams', 'cursor is not one of this method with these parameters', { param: 'cursor' })

function readCursor(cursor: string, filters: string): PageKey {
  const bytes = Buffer.from(cursor, 'base64url')
  const text = bytes.subarray(DIGEST_BYTES).toString('latin1')
  const parts = text.split(',').map(partOf)
  const known = parts.filter((part) => part !== undefined)
  if (known.length !== parts.length || bytes.toString('base64url') !== cursor) throw wrongCursor()
  if (!digestOf(filters, text).equals(bytes.subarray(0, DIGEST_BYTES))) throw wrongCursor()
  return known
}

/** Reads where a page begins. Throws ApiError for a cursor that is not of this list. */
export function openPage(method: string, params: PageParams): OpenPage {
  const { limit, offset, cursor, ...filters } = params
  let text: string | null = null
  const bound = (): string => {
    text ??= `${method}${textOf(filters)}`
    return text
  }
  if (cursor !== undefined && offset > 0) {
    throw new ApiError('invalidParams', 'cursor and offset exclude each other', { param: 'offset' })
  }
  return {
    ask: { limit, offset, after: cursor === undefined ? null : readCursor(cursor, bound()) },
    cursor(next) {
      if (next === null) return null
      const key = next.map(partText).join()
      return Buffer.concat([digestOf(bound(), key), Buffer.from(key, 'latin1')]).toString('base64url')
    },
  }
}
