// What a person types as arguments of a get-method, as values of the TVM.

import { parseAddress } from '../../../shared/address.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { searchedText } from '../../../shared/explorer/classifyText.ts'
import { isObject } from '../../../shared/isObject.ts'
import { bytesOfText, readBag } from '../cell/readBag.ts'
import { ADDRESS_BITS, type Argument, isArgumentKind } from './stackValues.ts'

export type ArgumentEntry =
  | { readonly type: 'num' | 'cell' | 'slice'; readonly value: string }
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'tuple'; readonly value: readonly ArgumentEntry[] }

const MOST_BYTES = 127

/** A bag of one cell without references. */
function bagOf(data: readonly number[], bits: number): string {
  const bytes = data.slice()
  if (bits % 8 !== 0) bytes.push((bytes.pop() ?? 0) | (0x80 >> (bits % 8)))
  const cell = [0, (bits >> 3) + Math.ceil(bits / 8), ...bytes]
  return toBase64(Uint8Array.from([0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, cell.length, 0, ...cell]))
}

function addressBag(text: string): string {
  const address = parseAddress(searchedText(text))
  if (address === null) throw new TypeError(`“${text}” is no address.`)
  // Two bits of the tag, one of anycast, eight of the workchain, then the hash: all moved by three bits.
  const whole = [0b100, address.workchain & 0xff, ...address.hash]
  const shifted = whole.map((byte, at) => (at === 0 ? 0 : (((whole[at - 1] ?? 0) << 5) | (byte >> 3)) & 0xff)).slice(1)
  shifted.push(((whole.at(-1) ?? 0) << 5) & 0xff)
  return bagOf(shifted, ADDRESS_BITS)
}

function textBag(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  if (bytes.length > MOST_BYTES) throw new TypeError(`A text argument has ${MOST_BYTES} bytes at most.`)
  return bagOf(bytes, bytes.length * 8)
}

function bagText(text: string): string {
  const bytes = bytesOfText(text)
  readBag(bytes)
  return toBase64(bytes)
}

const NUMBER = /^-?(?:\d+|0x[0-9a-f]+)$/i

const TUPLE_FORM =
  'A tuple is written as JSON: numbers, addresses, null, lists for tuples in it, and {"cell": "te6c…"}, {"slice": "te6c…"} or {"text": "…"}.'

/** The service takes tuples nested so deep. */
const MOST_DEPTH = 100

function entryIn(value: unknown, depth = 0): ArgumentEntry {
  if (depth > MOST_DEPTH) throw new TypeError(`Tuples are nested ${MOST_DEPTH} deep at most.`)
  if (value === null) return { type: 'null', value }
  if (Array.isArray(value)) return { type: 'tuple', value: value.map((one: unknown) => entryIn(one, depth + 1)) }
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { type: 'num', value: String(value) }
    throw new TypeError('In a tuple, large numbers are written in quotes.')
  }
  if (typeof value === 'string' && NUMBER.test(value)) return { type: 'num', value }
  if (typeof value === 'string') return entryOf({ kind: 'address', text: value }, depth)
  const [[kind, text] = [], other] = isObject(value) ? Object.entries(value) : []
  if (other !== undefined || typeof text !== 'string' || !isArgumentKind(kind)) throw new TypeError(TUPLE_FORM)
  return entryOf({ kind, text }, depth)
}

function tupleIn(text: string, depth: number): ArgumentEntry {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!Array.isArray(value)) throw new TypeError(TUPLE_FORM)
  return entryIn(value, depth)
}

/** Throws TypeError or BagError with a sentence for the person who typed it. */
export function entryOf({ kind, text }: Argument, depth = 0): ArgumentEntry {
  if (kind === 'null') return { type: 'null', value: null }
  if (kind === 'tuple') return tupleIn(text, depth)
  if (kind === 'address') return { type: 'slice', value: addressBag(text) }
  if (kind === 'text') return { type: 'slice', value: textBag(text) }
  if (kind !== 'number') return { type: kind, value: bagText(text) }
  const number = text.trim()
  if (!NUMBER.test(number)) throw new TypeError(`“${text}” is no whole number.`)
  return { type: 'num', value: number }
}
