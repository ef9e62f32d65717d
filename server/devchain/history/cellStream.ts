// Trees of cells as a stream of bytes, written and read in small pieces: a bag of cells is made in one piece, which for the
// state of a large chain would block the event loop for too long. References come before those that refer to them:
//
//   u8 references + 8 if exotic | u16 bits | data | u32 per reference: the number of a cell before this one
//   ... | u8 255 | u32 per root

import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginCell, type Cell, type Hash } from '../../cell/index.ts'

const CHUNK_BYTES = 64 * 1024
/** The longest entry: head, data, four references. */
const LONGEST = 3 + 128 + 16
const EXOTIC = 8
const END = 255

interface Visit {
  readonly cell: Cell
  next: number
}

/** The cells of some trees, each once. Lets the event loop turn after each chunk. */
export async function* writeCells(roots: readonly Cell[]): AsyncGenerator<Uint8Array> {
  const numbers = new Map<Hash, number>()
  const numberOf = (cell: Cell): number => numbers.get(cell.hash()) ?? 0
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  for (const root of roots) {
    const path: Visit[] = [{ cell: root, next: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { cell } = top
      const ref = numbers.has(cell.hash()) ? undefined : cell.refs[top.next++]
      if (ref !== undefined) {
        path.push({ cell: ref, next: 0 })
        continue
      }
      path.pop()
      if (numbers.has(cell.hash())) continue
      numbers.set(cell.hash(), numbers.size)
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
  chunk[at++] = cell.refs.length + (cell.isExotic ? EXOTIC : 0)
  at = chunk.writeUInt16LE(cell.bits, at)
  const data = cell.data()
  chunk.set(data, at)
  at += data.length
  for (const ref of cell.refs) at = chunk.writeUInt32LE(numberOf(ref), at)
  return at
}

/** Reads the trees of such a stream. Rejects when it is malformed; the caller checks the hashes. */
export async function readCells(chunks: AsyncIterable<Uint8Array>): Promise<Cell[]> {
  const cells: Cell[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at > LONGEST && rest[at] !== END) at = takeCell(rest, at, cells)
    rest = rest.subarray(at)
    await nextTurn()
  }
  let at = 0
  while (rest[at] !== END) {
    if (at >= rest.length) throw new RangeError('A stream of cells has no end')
    at = takeCell(rest, at, cells)
  }
  const roots: Cell[] = []
  for (at++; at < rest.length; at += 4) roots.push(cellAt(cells, rest.readUInt32LE(at)))
  return roots
}

function takeCell(bytes: Buffer, start: number, cells: Cell[]): number {
  const first = bytes.readUInt8(start)
  const bits = bytes.readUInt16LE(start + 1)
  const builder = beginCell().storeRange(bytes, (start + 3) * 8, bits)
  let at = start + 3 + ((bits + 7) >> 3)
  for (let refs = first & 7; refs > 0; refs--, at += 4) builder.storeRef(cellAt(cells, bytes.readUInt32LE(at)))
  cells.push(builder.end((first & EXOTIC) !== 0))
  return at
}

function cellAt(cells: readonly Cell[], number: number): Cell {
  const cell = cells[number]
  if (cell === undefined) throw new RangeError(`A stream of cells refers to cell ${number} before it has come`)
  return cell
}
