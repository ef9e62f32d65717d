// A caller's modifiers: headers, or query parameters of the same names with underscores. What cannot be read is as if it
// were not there, except a seqno.

import type { IncomingMessage } from 'node:http'
import { MOST_QUERY_MS, type Modifiers, NO_MODIFIERS } from '../methods/index.ts'
import { toBoolean } from './callParams.ts'

const NAMES = ['x-no-address-book', 'x-no-metadata', 'x-timeout', 'x-actions-version', 'x-min-seqno'] as const

/** Longest list of kinds of actions that is looked at. */
const VERSION_LENGTH = 64

const isTrue = (text: string | null): boolean => text !== null && toBoolean(text) === true

function toTimeout(text: string | null): number {
  const ms = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
  return ms > 0 ? Math.min(ms, MOST_QUERY_MS) : MOST_QUERY_MS
}

/** NaN for a text that is no number: a demand that is not understood must not be passed over. */
const toSeqno = (text: string | null): number | null =>
  text === null ? null : /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN

export function modifiersOf({ headers }: Pick<IncomingMessage, 'headers'>, query: string): Modifiers {
  const inQuery = query.includes('x_')
  if (!inQuery && !NAMES.some((name) => name in headers)) return NO_MODIFIERS
  const params = inQuery ? new URLSearchParams(query) : null
  const textOf = (name: (typeof NAMES)[number]): string | null => {
    const header = headers[name]
    return typeof header === 'string' ? header : (params?.getAll(name.replaceAll('-', '_')).at(-1) ?? null)
  }
  // The one that has no query parameter.
  const version = headers['x-actions-version']
  return {
    noAddressBook: isTrue(textOf('x-no-address-book')),
    noMetadata: isTrue(textOf('x-no-metadata')),
    timeoutMs: toTimeout(textOf('x-timeout')),
    actionsVersion: typeof version === 'string' && version.length <= VERSION_LENGTH ? version : null,
    minSeqno: toSeqno(textOf('x-min-seqno')),
    minSeqnoName: 'x-min-seqno' in headers ? 'X-Min-Seqno' : 'x_min_seqno',
  }
}
