import { describe, expect, test, vi } from 'vitest'
import { beginCell, type Cell, prune } from '../../../../server/cell/index.ts'
import { readCells, writeCells } from '../../../../server/devchain/history/cellStream.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { random } from '../traffic.ts'

/** A tree of many cells that share some of their children. */
function tree(cells: number, seed: number): Cell {
  const next = random(seed)
  const made: Cell[] = [beginCell().end()]
  for (let number = 1; number < cells; number++) {
    const builder = beginCell()
      .storeUint(number, 32)
      .storeRepeat(number % 2 === 0 ? 0 : 1, Math.floor(next() * 900))
    for (let refs = Math.floor(next() * 4); refs > 0; refs--) {
      const ref = made[Math.max(0, made.length - 1 - Math.floor(next() * 40))]
      if (ref !== undefined && ref.depth() < 500) builder.storeRef(ref)
    }
    made.push(builder.end())
  }
  const [a, b] = made.slice(-2)
  return beginCell()
    .storeRef(a ?? beginCell().end())
    .storeRef(b ?? beginCell().end())
    .end()
}

const original = Map.prototype.set

async function bytesOf(roots: readonly Cell[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeCells(roots)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A stream without hashes, as earlier versions wrote it. */
function withoutHashes(root: Cell): Buffer {
  const numbers = new Map<string, number>()
  const pieces: Buffer[] = []
  const put = (cell: Cell): void => {
    if (numbers.has(cell.hash())) return
    for (const ref of cell.refs) put(ref)
    const head = Buffer.from([cell.refs.length, 0, 0])
    head.writeUInt16LE(cell.bits, 1)
    const refs = cell.refs.map((ref) => u32(numbers.get(ref.hash()) ?? 0))
    pieces.push(head, Buffer.from(cell.data()), ...refs)
    numbers.set(cell.hash(), numbers.size)
  }
  put(root)
  return Buffer.concat([...pieces, Buffer.from([255]), u32(numbers.get(root.hash()) ?? 0)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('a stream of cells', () => {
  test.each([1, 7, 1000, 1 << 20])('default: comes back the same in pieces of %i bytes', async (size) => {
    const roots = [tree(600, 1), tree(80, 2)]
    const again = await readCells(inPieces(await bytesOf(roots), size))
    expect(again.map((cell) => cell.hashHex())).toEqual(roots.map((cell) => cell.hashHex()))
  })

  test('behavior: no map grows with all cells, for one that grows is copied in one go', async () => {
    const root = treeOf(40_000)
    root.hash()
    let largest = 0
    const set = vi.spyOn(Map.prototype, 'set')
    set.mockImplementation(function (this: Map<unknown, unknown>, ...entry) {
      const made = original.apply(this, entry)
      largest = Math.max(largest, this.size)
      return made
    })
    try {
      await bytesOf([root])
    } finally {
      set.mockRestore()
    }
    expect(largest).toBeGreaterThan(0)
    expect(largest).toBeLessThan(1000)
  })

  test('behavior: exotic cells, and a root inside another tree', async () => {
    const inner = tree(50, 3)
    const library = beginCell().storeUint(2, 8).storeHash(inner.hash()).end(true)
    const outer = beginCell().storeRef(inner).storeRef(library).storeRef(prune(inner, 0)).end()
    const again = await readCells(inPieces(await bytesOf([inner, outer, inner]), 100))
    expect(again.map((cell) => cell.hashHex())).toEqual([inner, outer, inner].map((cell) => cell.hashHex()))
  })

  test('behavior: hashes are those of the cells, of cells of a level too', async () => {
    const inner = tree(50, 5)
    const root = beginCell().storeUint(5, 7).storeRef(tree(80, 6)).storeRef(prune(inner, 0)).end()
    const [again] = await readCells(inPieces(await bytesOf([root]), 1000))
    const check = (cell: Cell, stored: Cell | undefined): void => {
      expect([stored?.hashHex(), stored?.bits, stored?.data()]).toEqual([cell.hashHex(), cell.bits, cell.data()])
      for (const [i, ref] of cell.refs.entries()) check(ref, stored?.refs[i])
    }
    check(root, again)
  })

  test('behavior: streams of earlier versions, which have no hashes', async () => {
    const root = tree(600, 7)
    const [again] = await readCells(inPieces(withoutHashes(root), 1000))
    expect(again?.hashHex()).toBe(root.hashHex())
  })

  test('error: a stream that is cut short or refers to nothing', async () => {
    const bytes = await bytesOf([tree(100, 4)])
    await expect(readCells(inPieces(bytes.subarray(0, 200), 64))).rejects.toThrow()
    await expect(readCells(inPieces(Buffer.from([1, 0, 0, 9, 0, 0, 0, 255]), 64))).rejects.toBeInstanceOf(RangeError)
  })
})
