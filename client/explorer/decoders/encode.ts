// What a person typed into the fields of a description, as the cell a contract reads.

import type { AbiField, FieldType, MessageType } from '../../../shared/abi/abi.ts'
import { parseAddress } from '../../../shared/address.ts'
import { fromHex } from '../../../shared/hex.ts'
import { parseTon } from '../../units.ts'
import { BagBuilder, BuildError, EMPTY_CELL, snakeCell } from '../cell/build.ts'
import { type BagCell, BagError, bytesOfText, readBag } from '../cell/readBag.ts'

/** Texts by the path of their field; a field without text is zero, empty or absent. */
export type Typed = Readonly<Record<string, string>>

export interface Encoded {
  readonly cell: BagCell
  /** Why fields are refused, by path. */
  readonly wrong: Readonly<Record<string, string>>
}

/** Present in `Typed` when an optional field is there. */
export const presenceOf = (path: string): string => `${path}?`

export const pathTo = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

class FieldError extends Error {}

function whole(text: string): bigint {
  if (!/^-?(?:\d+|0x[0-9a-f]+)$/i.test(text)) throw new FieldError('A whole number, decimal or 0x….')
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}

/** Smallest units, or an amount with its unit. */
function amount(text: string): bigint {
  const tons = /^([\d.]+)\s*ton$/i.exec(text)?.[1]
  if (tons === undefined) return whole(text)
  try {
    return parseTon(tons)
  } catch {
    throw new FieldError('An amount such as 1.5 ton, with 9 decimals at most.')
  }
}

function address(text: string): ReturnType<typeof parseAddress> {
  if (text === '') return null
  const found = parseAddress(text)
  if (found === null) throw new FieldError('An address, or nothing for none.')
  return found
}

function given(text: string): BagCell {
  if (text === '') return EMPTY_CELL
  const [root] = readBag(bytesOfText(text)).roots
  return root ?? EMPTY_CELL
}

function storeBits(builder: BagBuilder, text: string, width: number): void {
  const plain = text.replace(/^0x/i, '')
  if (plain === '') builder.uint(0, width)
  else if (width % 8 === 0) {
    const bytes = fromHex(plain)
    if (bytes?.length !== width / 8) throw new FieldError(`${width / 4} hex digits.`)
    builder.bytes(bytes)
  } else {
    if (!/^[01]+$/.test(plain) || plain.length !== width) throw new FieldError(`${width} digits 0 and 1.`)
    builder.uint(BigInt(`0b${plain}`), width)
  }
}

class Encoder {
  readonly wrong: Record<string, string> = {}
  readonly #typed: Typed

  constructor(typed: Typed) {
    this.#typed = typed
  }

  fields(builder: BagBuilder, fields: readonly AbiField[], path: string): void {
    for (const { name, type } of fields)
      this.#field(builder, type, type.kind === 'prefix' || type.kind === 'next' ? path : pathTo(path, name))
  }

  #field(builder: BagBuilder, type: FieldType, path: string): void {
    try {
      if (type.kind === 'struct') this.fields(builder, type.fields, path)
      else if (type.kind === 'prefix') builder.uint(type.number, type.width)
      else if (type.kind === 'next') {
        const next = new BagBuilder()
        this.fields(next, type.fields, path)
        builder.ref(next.end())
      } else this.#store(builder, type, path)
    } catch (error) {
      if (!(error instanceof FieldError || error instanceof BuildError || error instanceof BagError)) throw error
      this.wrong[path] = error.message
    }
  }

  #store(builder: BagBuilder, type: FieldType, path: string): void {
    const text = (this.#typed[path] ?? '').trim()
    if (type.kind === 'maybe') {
      const isThere = Object.hasOwn(this.#typed, presenceOf(path))
      builder.uint(isThere ? 1 : 0, 1)
      if (isThere) this.#field(builder, type.of, path)
    } else if (type.kind === 'ref') builder.ref(this.#below(type.of, path, text))
    else if (type.kind === 'uint') builder.uint(whole(text || '0'), type.width)
    else if (type.kind === 'int') builder.int(whole(text || '0'), type.width)
    else if (type.kind === 'bits') storeBits(builder, text, type.width)
    else if (type.kind === 'varuint') builder.varUint(amount(text || '0'), type.lengthBits)
    else if (type.kind === 'varint') builder.varInt(whole(text || '0'), type.lengthBits)
    else if (type.kind === 'bool') builder.uint(text === 'true' ? 1 : 0, 1)
    else if (type.kind === 'address') builder.address(address(text))
    else if (type.kind === 'cell') builder.ref(given(text))
    else if (type.kind === 'dict') builder.maybeRef(text === '' ? null : given(text))
    else if (type.kind === 'text') builder.slice(snakeCell(new TextEncoder().encode(this.#typed[path] ?? '')))
    else if (type.kind === 'rest') builder.slice(given(text))
  }

  #below(type: FieldType, path: string, text: string): BagCell {
    if (type.kind === 'rest' || type.kind === 'cell') return given(text)
    const below = new BagBuilder()
    this.#field(below, type, path)
    return below.end()
  }
}

const OPCODE_BITS = 32

function encode(fields: readonly AbiField[], typed: Typed, begin: (builder: BagBuilder) => void): Encoded {
  const builder = new BagBuilder()
  const encoder = new Encoder(typed)
  begin(builder)
  encoder.fields(builder, fields, '')
  return { cell: builder.end(), wrong: encoder.wrong }
}

export const encodeMessage = ({ opcode, fields }: MessageType, typed: Typed): Encoded =>
  encode(fields, typed, (builder) => builder.uint(opcode, OPCODE_BITS))

export const encodeFields = (fields: readonly AbiField[], typed: Typed): Encoded =>
  encode(fields, typed, () => undefined)
