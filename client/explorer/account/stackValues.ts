// Arguments and results of get-methods: the kinds a person chooses of, and what a value of the TVM may mean.

import { toRawUpper } from '../../../shared/address.ts'
import { fromBase64 } from '../../../shared/base64.ts'
import { idOfName } from '../../../shared/explorer/getMethods.ts'
import { fromHex } from '../../../shared/hex.ts'
import type { Api } from '../../index.ts'
import { readBag } from '../cell/readBag.ts'

export type StackEntry = Api['v3.runGetMethod']['result']['stack'][number]

export const ARGUMENT_KINDS = ['number', 'address', 'text', 'cell', 'slice', 'null', 'tuple'] as const
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number]

export const isArgumentKind = (text: string | undefined): text is ArgumentKind =>
  ARGUMENT_KINDS.some((kind) => kind === text)

export interface Argument {
  readonly kind: ArgumentKind
  readonly text: string
}

/** A method that is given by its number; `0x1c` is 28, not a name. */
export const isMethodId = (method: string): boolean => /^(?:-?\d+|0x[\da-f]+)$/i.test(method)

export const idOfMethodName = (name: string): number => idOfName(new TextEncoder().encode(name))

/** Of a name or a number. */
export const idOfMethod = (method: string): number => (isMethodId(method) ? Number(method) : idOfMethodName(method))

export const ADDRESS_BITS = 267

/** The account a slice of 267 bits names, in raw form; null for other cells. */
export function addressOfSlice(boc: string): string | null {
  const root = rootOf(boc)
  if (root?.bits !== ADDRESS_BITS || root.refs.length > 0 || (root.data[0] ?? 0) >> 5 !== 0b100) return null
  const shifted = Array.from(
    { length: 33 },
    (_, at) => (((root.data[at] ?? 0) << 3) | ((root.data[at + 1] ?? 0) >> 5)) & 0xff,
  )
  const [workchain = 0, ...hash] = shifted
  return toRawUpper({ workchain: workchain > 127 ? workchain - 256 : workchain, hash: Uint8Array.from(hash) })
}

/** Letters and digits that a number is the bytes of, such as a ticker; null for most numbers. */
export function wordsIn(number: bigint): string | null {
  const hex = number > 0n ? number.toString(16) : ''
  const bytes = fromHex(hex.length % 2 === 0 ? hex : `0${hex}`) ?? new Uint8Array()
  const text = String.fromCharCode(...bytes)
  return bytes.length > 2 && /^[\w .:/-]*[a-z]{2}[\w .:/-]*$/i.test(text) ? text : null
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
