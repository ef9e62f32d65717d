// What the bits of a cell may be: only readings that fit.

import { type CellReader, tryRead } from './cellReader.ts'
import type { BagCell } from './readBag.ts'

export interface Guess {
  readonly name: string
  readonly text: string
  /** Raw form, when it is an address. */
  readonly address?: string
}

const ADDRESS_BITS = 267
const MOST_TEXT = 2_000
const MOST_CELLS = 100

/** Whole bytes from some bit on, with those of the cells it continues in. */
function bytesFrom(cell: BagCell, skip: number): Uint8Array | null {
  const parts: number[] = []
  let next: BagCell | undefined = cell
  let from = skip
  for (let count = 0; next !== undefined && count < MOST_CELLS && parts.length < MOST_TEXT; count++) {
    if ((next.bits - from) % 8 !== 0 || next.bits < from) return null
    parts.push(...next.data.subarray(from / 8))
    next = next.refs[0]
    from = 0
  }
  return Uint8Array.from(parts)
}

/** The text of a cell and those it continues in; null for any other data. */
export function textOfCell(cell: BagCell): string | null {
  const bytes = bytesFrom(cell, 0)
  return bytes && textOf(bytes)
}

/** Text for people: no control characters but line breaks. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text !== '' && !/[\p{Cc}\p{Co}\p{Cn}]/u.test(text.replace(/[\n\r\t]/g, '')) ? text : null
  } catch {
    return null
  }
}

function addressAt(reader: CellReader): string | null {
  if (reader.uint(3) !== 4n) return null
  const workchain = reader.int(8)
  return `${workchain}:${reader.uint(256).toString(16).padStart(64, '0').toUpperCase()}`
}

export function guessesOf(cell: BagCell): readonly Guess[] {
  const found: Guess[] = []
  const opcode = tryRead(cell, (reader) => `0x${reader.uint(32).toString(16).padStart(8, '0')}`)
  const commentBytes = opcode === '0x00000000' ? bytesFrom(cell, 32) : null
  const comment = commentBytes && textOf(commentBytes)
  if (comment) found.push({ name: 'Comment', text: comment })
  else if (opcode !== null) found.push({ name: 'Opcode', text: opcode })
  const text = cell.bits > 0 && cell.bits % 8 === 0 ? textOfCell(cell) : null
  if (text) found.push({ name: 'Text', text })
  const address = cell.bits >= ADDRESS_BITS ? tryRead(cell, addressAt) : null
  if (address !== null) found.push({ name: 'Address', text: address, address })
  if (cell.bits > 0 && cell.bits <= 257) {
    const value = tryRead(cell, (reader) => reader.uint(cell.bits).toString())
    if (value !== null) found.push({ name: 'Number', text: value })
  }
  return found
}
