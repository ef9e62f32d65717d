// Makes cells in the browser, bit by bit, and writes them as bags of cells: messages that a person composes.

import type { ParsedAddress } from '../../../shared/address.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { type BagCell, taggedBytes } from './readBag.ts'

const MOST_BITS = 1023
const MOST_REFS = 4

/** Thrown for what does not fit; its words are for the person who typed it. */
export class BuildError extends RangeError {}

export class BagBuilder {
  readonly #bits: number[] = []
  readonly #refs: BagCell[] = []

  uint(value: bigint | number, width: number): this {
    const number = BigInt(value)
    if (number < 0n || number >> BigInt(width) !== 0n)
      throw new BuildError(`${number} does not fit into ${width} bits.`)
    if (this.#bits.length + width > MOST_BITS) throw new BuildError(`A cell holds ${MOST_BITS} bits at most.`)
    for (let bit = width - 1; bit >= 0; bit--) this.#bits.push(Number((number >> BigInt(bit)) & 1n))
    return this
  }

  int(value: bigint, width: number): this {
    if (BigInt.asIntN(width, value) !== value) throw new BuildError(`${value} does not fit into ${width} bits.`)
    return this.uint(BigInt.asUintN(width, value), width)
  }

  bytes(bytes: Uint8Array): this {
    for (const byte of bytes) this.uint(byte, 8)
    return this
  }

  /** Length in bytes in front, as amounts have it. */
  varUint(value: bigint, lengthBits: number): this {
    if (value < 0n) throw new BuildError(`${value} is below zero.`)
    const length = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
    if (length >= 1 << lengthBits) throw new BuildError(`${value} is too large for an amount.`)
    return this.uint(length, lengthBits).uint(value, 8 * length)
  }

  /** The same for numbers below zero, too. */
  varInt(value: bigint, lengthBits: number): this {
    const most = (1 << lengthBits) - 1
    let length = 0
    while (length <= most && BigInt.asIntN(8 * length, value) !== value) length++
    if (length > most) throw new BuildError(`${value} does not fit into ${most} bytes.`)
    return this.uint(length, lengthBits).int(value, 8 * length)
  }

  /** Two zero bits for none. */
  address(address: ParsedAddress | null): this {
    if (address === null) return this.uint(0, 2)
    return this.uint(4, 3).int(BigInt(address.workchain), 8).bytes(address.hash)
  }

  ref(cell: BagCell): this {
    if (this.#refs.length === MOST_REFS) throw new BuildError(`A cell has ${MOST_REFS} references at most.`)
    this.#refs.push(cell)
    return this
  }

  maybeRef(cell: BagCell | null): this {
    return cell === null ? this.uint(0, 1) : this.uint(1, 1).ref(cell)
  }

  /** The bits and references of another cell. */
  slice({ data, bits, refs }: BagCell): this {
    for (let bit = 0; bit < bits; bit++) this.uint(((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1, 1)
    for (const ref of refs) this.ref(ref)
    return this
  }

  end(): BagCell {
    const data = new Uint8Array(Math.ceil(this.#bits.length / 8))
    this.#bits.forEach((bit, at) => {
      data[at >> 3] = (data[at >> 3] ?? 0) | (bit << (7 - (at & 7)))
    })
    const depth = this.#refs.reduce((most, ref) => Math.max(most, ref.depth + 1), 0)
    return { data, bits: this.#bits.length, refs: [...this.#refs], exotic: null, depth }
  }
}

export const EMPTY_CELL: BagCell = new BagBuilder().end()

const BYTES = 127
const MOST_CELLS = 200

/** Bytes over as many cells as they need, each referring to the next: the form of long texts. */
export function snakeCell(bytes: Uint8Array): BagCell {
  const count = Math.max(1, Math.ceil(bytes.length / BYTES))
  if (count > MOST_CELLS) throw new BuildError(`This is longer than the ${MOST_CELLS * BYTES} bytes that are sent.`)
  let next: BagCell | null = null
  for (let at = count - 1; at >= 0; at--) {
    const builder: BagBuilder = new BagBuilder().bytes(bytes.subarray(at * BYTES, (at + 1) * BYTES))
    if (next !== null) builder.ref(next)
    next = builder.end()
  }
  return next ?? EMPTY_CELL
}

const MAGIC = [0xb5, 0xee, 0x9c, 0x72]
const SIZE_BYTES = 2
const OFFSET_BYTES = 4

const bigEndian = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256)

/** A bag with one root, base64, without a checksum. A cell that occurs twice is written once. */
export function bagOf(root: BagCell): string {
  const found = new Set<BagCell>()
  const stack = [root]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (found.has(cell)) continue
    found.add(cell)
    stack.push(...cell.refs)
  }
  // References lead to cells of less depth, which come later.
  const order = [...found].sort((a, b) => b.depth - a.depth)
  const places = new Map(order.map((cell, at) => [cell, at]))
  const body = order.flatMap((cell) => [
    cell.refs.length + (cell.exotic === null ? 0 : 8),
    (cell.bits >> 3) + Math.ceil(cell.bits / 8),
    ...taggedBytes(cell),
    ...cell.refs.flatMap((ref) => bigEndian(places.get(ref) ?? 0, SIZE_BYTES)),
  ])
  const header = [SIZE_BYTES, OFFSET_BYTES]
  const counts = [order.length, 1, 0].flatMap((count) => bigEndian(count, SIZE_BYTES))
  return toBase64(
    Uint8Array.from([...MAGIC, ...header, ...counts, ...bigEndian(body.length, OFFSET_BYTES), 0, 0, ...body]),
  )
}
