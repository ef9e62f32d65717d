// What a token's description may be: an object of JSON in UTF-8, of bounded depth.

import { fittingMembers } from '../store/index.ts'
import { FetchError } from './fetchError.ts'

const DEEPEST = 32
/** Characters of what is kept, which every list that has the token repeats. */
const MOST_KEPT = 64 << 10
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Without zero bytes and halves of pairs, which no text of a database holds. */
const plainText = (text: string): string => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')

/** A value of such texts. Throws FetchError for one nested too deep. */
function plain(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new FetchError('refused', `the description is nested deeper than ${DEEPEST}`)
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [plainText(name), plain(one, depth + 1)]))
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new FetchError('refused', 'the description is not JSON in UTF-8', { cause })
  }
}

/** The description as JSON again, as it is kept: a large one without its longest members. Throws FetchError `refused` for anything else. */
export function metadataText(bytes: Uint8Array): string {
  const value = parsed(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FetchError('refused', 'the description is not an object')
  const kept = Object.entries(value).map(([name, one]): [string, unknown] => [plainText(name), plain(one, 1)])
  return JSON.stringify(fittingMembers(Object.fromEntries(kept), MOST_KEPT))
}
