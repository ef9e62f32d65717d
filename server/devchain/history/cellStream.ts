// Trees of cells as a stream of bytes, written and read in small pieces: a bag of cells is made in one piece, which for the
// state of a large chain would block the event loop for too long. References come before those that refer to them:
//
//   u8 references + 8 if exotic + 16 with a hash | u16 bits | data | u32 per reference: the number of a cell before this one |
//     32 hash
//   ... | u8 255 | u32 per root
//
// Data that is no multiple of 8 bits ends with a bit 1 where there are hashes. Hashes are stored because making them takes
// most of the time of a start; cells of a level have none.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BinaryHash, beginCell, type Cell, makeCell } from '../../cell/index.ts'

const CHUNK_BYTES = 64 * 1024
const HASH_BYTES = 32
/** The longest entry: head, data, four references, hash. */
const LONGEST = 3 + 128 + 16 + HASH_BYTES
const EXOTIC = 8
const HASHED = 16
const END = 255
/** Cells that are read in one turn of the event loop. */
const TURN = 4096

interface Visit {
  readonly cell: Cell
  next: number
}

/** Numbers by hash, in many maps: one that grows is copied in one go, which with a million cells took 190 ms. */
class Numbers {
  #count = 0
  readonly #maps = Array.from({ length: 256 }, () => new Map<BinaryHash, number>())

  of(hash: BinaryHash): number | undefined {
    return this.#maps[hash.charCodeAt(0)]?.get(hash)
  }

  add(hash: BinaryHash): void {
    this.#maps[hash.charCodeAt(0)]?.set(hash, this.#count++)
  }
}

/** The cells of some trees, each once. Lets the event loop turn after each chunk. */
export async function* writeCells(roots: readonly Cell[]): AsyncGenerator<Uint8Array> {
  const numbers = new Numbers()
  const numberOf = (cell: Cell): number => numbers.of(cell.hash()) ?? 0
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  for (const root of roots) {
    const path: Visit[] = [{ cell: root, next: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { cell } = top
      const isWritten = numbers.of(cell.hash()) !== undefined
      const ref = isWritten ? undefined : cell.refs[top.next++]
      if (ref !== undefined) {
        path.push({ cell: ref, next: 0 })
        continue
      }
      path.pop()
      if (isWritten) continue
      numbers.add(cell.hash())
      at = putCell(chunk, at, cell, numberOf)
      if (at + LONGEST < CHUNK_BYTES) continue
      yield chunk.subarray(0, at)
      await nextTurn()
      chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      at = 0
    }
  }
  const end = Buffer.alloc(1 + 4 * roots.length)
  end[0] = END
  roots.forEach((root, i) => {
    end.writeUInt32LE(numberOf(root), 1 + 4 * i)
  })
  yield Buffer.concat([chunk.subarray(0, at), end])
}

function putCell(chunk: Buffer, start: number, cell: Cell, numberOf: (cell: Cell) => number): number {
  let at = start
  const isHashed = cell.mask === 0
  chunk[at++] = cell.refs.length + (cell.isExotic ? EXOTIC : 0) + (isHashed ? HASHED : 0)
  at = chunk.writeUInt16LE(cell.bits, at)
  const data = cell.data()
  chunk.set(data, at)
  at += data.length
  const used = cell.bits & 7
  if (isHashed && used !== 0) chunk[at - 1] = (chunk[at - 1] ?? 0) | (0x80 >> used)
  for (const ref of cell.refs) at = chunk.writeUInt32LE(numberOf(ref), at)
  return isHashed ? at + chunk.write(cell.hash(), at, 'latin1') : at
}

/**
 * Reads the trees of such a stream, with the hashes it has: it must be whole. Rejects when it is malformed; the caller checks
 * the hashes of the roots.
 */
export async function readCells(chunks: AsyncIterable<Uint8Array>): Promise<Cell[]> {
  const cells: Cell[] = []
  const space = new Space()
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at > LONGEST && rest[at] !== END) {
      at = takeCell(rest, at, cells, space)
      if (cells.length % TURN === 0) await nextTurn()
    }
    rest = rest.subarray(at)
    await nextTurn()
  }
  let at = 0
  while (rest[at] !== END) {
    if (at >= rest.length) throw new RangeError('A stream of cells has no end')
    at = takeCell(rest, at, cells, space)
  }
  const roots: Cell[] = []
  for (at++; at < rest.length; at += 4) roots.push(cellAt(cells, rest.readUInt32LE(at)))
  return roots
}

const SPACE_BYTES = 256 * 1024

/** Memory for the data of cells only: a view of the chunk would keep the whole chunk in memory. */
class Space {
  #bytes = Buffer.alloc(0)
  #used = 0

  /** Copies bytes and returns where they are. */
  put(from: Buffer, start: number, end: number): { readonly bytes: Buffer; readonly offset: number } {
    const length = end - start
    if (this.#used + length > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(SPACE_BYTES)
      this.#used = 0
    }
    const offset = this.#used
    this.#used += from.copy(this.#bytes, offset, start, end)
    return { bytes: this.#bytes, offset }
  }
}

function takeCell(source: Buffer, start: number, cells: Cell[], space: Space): number {
  const first = source.readUInt8(start)
  const bits = source.readUInt16LE(start + 1)
  const dataAt = start + 3
  let at = dataAt + ((bits + 7) >> 3)
  const dataEnd = at
  const refs: Cell[] = []
  for (let left = first & 7; left > 0; left--, at += 4) refs.push(cellAt(cells, source.readUInt32LE(at)))
  const isExotic = (first & EXOTIC) !== 0
  if ((first & HASHED) === 0) {
    const builder = beginCell().storeRange(source, dataAt * 8, bits)
    for (const ref of refs) builder.storeRef(ref)
    cells.push(builder.end(isExotic))
    return at
  }
  if (at + HASH_BYTES > source.length) throw new RangeError('A stream of cells is cut short')
  const { bytes, offset } = space.put(source, dataAt, dataEnd)
  const cell = makeCell(bytes, offset, bits, refs, isExotic)
  cell.adoptHashes(source, at)
  cells.push(cell)
  return at + HASH_BYTES
}

function cellAt(cells: readonly Cell[], number: number): Cell {
  const cell = cells[number]
  if (cell === undefined) throw new RangeError(`A stream of cells refers to cell ${number} before it has come`)
  return cell
}
