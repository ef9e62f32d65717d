// Reads values out of a cell, bit by bit.

import type { BagCell } from './readBag.ts'

/** Thrown when a cell ends before what is read from it. */
export class CellEnd extends Error {}

export class CellReader {
  readonly #cell: BagCell
  #bit = 0
  #ref = 0

  constructor(cell: BagCell) {
    this.#cell = cell
  }

  get bitsLeft(): number {
    return this.#cell.bits - this.#bit
  }

  get refsLeft(): number {
    return this.#cell.refs.length - this.#ref
  }

  bit(): number {
    if (this.bitsLeft < 1) throw new CellEnd('the cell ends here')
    const value = ((this.#cell.data[this.#bit >> 3] ?? 0) >> (7 - (this.#bit & 7))) & 1
    this.#bit++
    return value
  }

  uint(width: number): bigint {
    if (this.bitsLeft < width) throw new CellEnd('the cell ends here')
    let value = 0n
    for (let i = 0; i < width; i++) value = (value << 1n) | BigInt(this.bit())
    return value
  }

  int(width: number): bigint {
    return BigInt.asIntN(width, this.uint(width))
  }

  /** Length in bytes in front, as amounts have it. */
  varUint(lengthBits: number): bigint {
    return this.uint(8 * Number(this.uint(lengthBits)))
  }

  ref(): BagCell {
    const found = this.#cell.refs[this.#ref]
    if (found === undefined) throw new CellEnd('the cell has no further reference')
    this.#ref++
    return found
  }
}

/** What is read from the beginning of a cell; null where the cell ends before, or is something else. */
export function tryRead<T>(cell: BagCell, read: (reader: CellReader) => T | null): T | null {
  try {
    return read(new CellReader(cell))
  } catch (error) {
    if (error instanceof CellEnd) return null
    throw error
  }
}

/** Smallest width that holds a number up to `most`. */
const widthOf = (most: number): number => 32 - Math.clz32(most)

/** The label of an edge of a dictionary, as bits. */
function label(reader: CellReader, most: number): string {
  if (reader.bit() === 0) {
    let length = 0
    while (reader.bit() === 1) length++
    return bits(reader, length)
  }
  if (reader.bit() === 0) return bits(reader, Number(reader.uint(widthOf(most))))
  const same = String(reader.bit())
  return same.repeat(Number(reader.uint(widthOf(most))))
}

const bits = (reader: CellReader, length: number): string => Array.from({ length }, () => reader.bit()).join('')

const MOST_ENTRIES = 5_000

/** Entries of a dictionary by their keys as bits; each value begins at the position of the reader. */
export function dictionary(root: BagCell, width: number): { readonly key: bigint; readonly value: CellReader }[] {
  const found: { readonly key: bigint; readonly value: CellReader }[] = []
  const stack = [{ cell: root, prefix: '' }]
  for (let next = stack.pop(); next !== undefined && found.length < MOST_ENTRIES; next = stack.pop()) {
    const reader = new CellReader(next.cell)
    const key = next.prefix + label(reader, width - next.prefix.length)
    if (key.length > width) throw new CellEnd('this is no dictionary with keys of this length')
    if (key.length === width) {
      found.push({ key: BigInt(`0b0${key}`), value: reader })
      continue
    }
    const left = reader.ref()
    stack.push({ cell: reader.ref(), prefix: `${key}1` }, { cell: left, prefix: `${key}0` })
  }
  return found
}
