import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, prune } from '../../../../server/cell/index.ts'
import { readCells, writeCells } from '../../../../server/devchain/history/cellStream.ts'
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

async function bytesOf(roots: readonly Cell[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeCells(roots)) chunks.push(chunk)
  return Buffer.concat(chunks)
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

  test('behavior: exotic cells, and a root inside another tree', async () => {
    const inner = tree(50, 3)
    const library = beginCell().storeUint(2, 8).storeHash(inner.hash()).end(true)
    const outer = beginCell().storeRef(inner).storeRef(library).storeRef(prune(inner, 0)).end()
    const again = await readCells(inPieces(await bytesOf([inner, outer, inner]), 100))
    expect(again.map((cell) => cell.hashHex())).toEqual([inner, outer, inner].map((cell) => cell.hashHex()))
  })

  test('error: a stream that is cut short or refers to nothing', async () => {
    const bytes = await bytesOf([tree(100, 4)])
    await expect(readCells(inPieces(bytes.subarray(0, 200), 64))).rejects.toThrow()
    await expect(readCells(inPieces(Buffer.from([1, 0, 0, 9, 0, 0, 0, 255]), 64))).rejects.toBeInstanceOf(RangeError)
  })
})
