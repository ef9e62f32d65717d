// The smallest pieces: bits as text, numbers of variable length, text that runs through a chain of cells.

import { type BitString, beginCell, type Cell, CellError, openCell, type Slice } from '../cell/index.ts'
import { COST } from './decodeBudget.ts'
import type { DecodedRecord, DecodeRead, Within } from './value.ts'

/** Upper-case hex. Bits that do not fill a digit are filled up with a one and zeros, and `_` says so. */
export function bitsText({ bytes, bits }: BitString): string {
  if (bits % 4 === 0)
    return Buffer.from(bytes)
      .toString('hex')
      .toUpperCase()
      .slice(0, bits / 4)
  const filled = Buffer.from(bytes)
  const last = bits >> 3
  filled[last] = (filled[last] ?? 0) | (0x80 >> (bits & 7))
  return `${filled
    .toString('hex')
    .toUpperCase()
    .slice(0, (bits >> 2) + 1)}_`
}

/** A number of so many bits, as digits. */
export const uintText = (slice: Slice, bits: number): string => String(slice.loadUintBig(bits))

export function readVarUint(slice: Slice, n: number): DecodedRecord {
  const before = slice.remainingBits
  const value = slice.loadVarUint(n)
  const lengthBits = 32 - Math.clz32(n - 1)
  return { '@type': 'var_uint', len: String((before - slice.remainingBits - lengthBits) / 8), value: String(value) }
}

/** What is left, as a cell. */
export const restOf = (slice: Slice): Cell => beginCell().storeSlice(slice.loadRest()).end()

/** The bytes of a cell and of the chain of cells behind its first reference. */
export function decodedSnake(slice: Slice, { budget }: Within): BitString {
  const parts: Uint8Array[] = []
  let at: Slice | null = slice
  while (at !== null) {
    if (at.remainingBits % 8 !== 0 || at.remainingRefs > 1) throw new CellError('value', 'no text in a chain of cells')
    budget.spend(COST.cell)
    parts.push(at.loadBytes(at.remainingBits / 8))
    at = at.remainingRefs === 0 ? null : openCell(at.loadRef())
  }
  const bytes = Buffer.concat(parts)
  budget.spendText(bytes.length)
  return { bytes, bits: bytes.length * 8 }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The same as text; throws when it is not UTF-8. */
export const snakeText: DecodeRead = (slice, within) => utf8.decode(decodedSnake(slice, within).bytes)
