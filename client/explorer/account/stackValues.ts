// Arguments and results of get-methods: what a person types as values of the TVM, and the other way round.

import { parseAddress, toRawUpper } from '../../../shared/address.ts'
import { fromBase64, toBase64 } from '../../../shared/base64.ts'
import { idOfName } from '../../../shared/explorer/getMethods.ts'
import { fromHex } from '../../../shared/hex.ts'
import type { Api } from '../../index.ts'
import { bytesOfText, readBag } from '../cell/readBag.ts'

export type StackEntry = Api['v3.runGetMethod']['result']['stack'][number]

export const ARGUMENT_KINDS = ['number', 'address', 'text', 'cell', 'slice'] as const
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number]

export interface Argument {
  readonly kind: ArgumentKind
  readonly text: string
}

export const idOfMethodName = (name: string): number => idOfName(new TextEncoder().encode(name))

const MOST_BYTES = 127

/** A bag of one cell without references. */
function bagOf(data: readonly number[], bits: number): string {
  const bytes = data.slice()
  if (bits % 8 !== 0) bytes.push((bytes.pop() ?? 0) | (0x80 >> (bits % 8)))
  const cell = [0, (bits >> 3) + Math.ceil(bits / 8), ...bytes]
  return toBase64(Uint8Array.from([0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, cell.length, 0, ...cell]))
}

const ADDRESS_BITS = 267

function addressBag(text: string): string {
  const address = parseAddress(text.trim())
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

/** Throws TypeError or BagError with a sentence for the person who typed it. */
export function entryOf({ kind, text }: Argument): { readonly type: 'num' | 'cell' | 'slice'; readonly value: string } {
  if (kind === 'address') return { type: 'slice', value: addressBag(text) }
  if (kind === 'text') return { type: 'slice', value: textBag(text) }
  if (kind !== 'number') return { type: kind, value: bagText(text) }
  const number = text.trim()
  if (!/^-?(?:\d+|0x[0-9a-f]+)$/i.test(number)) throw new TypeError(`“${text}” is no whole number.`)
  return { type: 'num', value: number }
}

/** The account a slice of 267 bits names, in raw form; null for other cells. */
export function addressIn(boc: string): string | null {
  const root = rootOf(boc)
  if (root?.bits !== ADDRESS_BITS || root.refs.length > 0 || (root.data[0] ?? 0) >> 5 !== 0b100) return null
  const shifted = Array.from(
    { length: 33 },
    (_, at) => (((root.data[at] ?? 0) << 3) | ((root.data[at + 1] ?? 0) >> 5)) & 0xff,
  )
  const [workchain = 0, ...hash] = shifted
  return toRawUpper({ workchain: workchain > 127 ? workchain - 256 : workchain, hash: Uint8Array.from(hash) })
}

function rootOf(boc: string) {
  const bytes = fromBase64(boc) ?? fromHex(boc)
  try {
    return bytes === null ? null : (readBag(bytes).roots[0] ?? null)
  } catch {
    return null
  }
}

/** The text of a cell that is a comment or plain text, with what follows in references; null for other cells. */
export function textIn(boc: string): string | null {
  let cell = rootOf(boc)
  if (cell === null) return null
  const bytes: number[] = []
  const isComment = cell.bits >= 32 && cell.data.subarray(0, 4).every((byte) => byte === 0)
  for (let first = isComment; cell !== null; first = false) {
    if (cell.bits % 8 !== 0 || cell.refs.length > 1) return null
    bytes.push(...cell.data.subarray(first ? 4 : 0))
    cell = cell.refs[0] ?? null
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
    return text !== '' && (isComment || /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\n]+$/u.test(text)) ? text : null
  } catch {
    return null
  }
}
