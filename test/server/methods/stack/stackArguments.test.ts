// Arguments of get-methods with bags of cells as large as a request may have.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, writeBoc } from '../../../../server/cell/index.ts'
import { pairedArguments, typedArguments } from '../../../../server/methods/stack/stackArguments.ts'

/** A tree of so many different small cells. */
function treeOf(leaves: number): Cell {
  let level = Array.from({ length: leaves }, (_, i) => beginCell().storeUint(i, 16).end())
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 4) }, (_, i) =>
      level
        .slice(4 * i, 4 * i + 4)
        .reduce((builder, cell) => builder.storeRef(cell), beginCell())
        .end(),
    )
  return level[0] ?? beginCell().end()
}

const textOf = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString('base64')
const large = treeOf(20_000)
const small = treeOf(5)
const typed = (bytes: string) => ({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } }) as const

/** Turns the event loop has while something is awaited. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

describe('a large bag of cells', () => {
  test('is read as a small one is, wherever it stands', async () => {
    const bags = [large, small].map(textOf)
    const hashes = [large.hash(), small.hash()]
    const tuple = ['tuple', { '@type': 'tvm.tuple', elements: bags.map(typed) }]
    const pairs = [...bags.map((text) => ['tvm.Cell', text]), ['slice', { bytes: bags[0] }], tuple]
    const [first, second, slice, nested] = await pairedArguments(pairs, {})
    expect([first, second]).toMatchObject([{ kind: 'cell' }, { kind: 'cell' }])
    const cells = [first, second, slice].map((value) =>
      value !== undefined && 'cell' in value ? value.cell.hash() : '',
    )
    expect(cells).toEqual([...hashes, hashes[0]])
    const items = nested?.kind === 'tuple' ? nested.items : []
    expect(items.map((value) => ('cell' in value ? value.cell.hash() : ''))).toEqual(hashes)
    expect(await typedArguments(bags.map(typed))).toMatchObject([{ kind: 'cell' }, { kind: 'cell' }])
  })

  test('leaves turns of the event loop to others', async () => {
    const pairs = [['tvm.Cell', textOf(large)]]
    // 256 cells of 26,000 in each turn.
    expect(await turnsDuring(pairedArguments(pairs, { sliceMs: 0 }))).toBeGreaterThan(50)
  })

  test('is refused in the same words when it is none', async () => {
    const cut = Buffer.from(writeBoc(large)).subarray(0, 90_000).toString('base64')
    for (const broken of ['te6ccgEB', cut])
      await expect(pairedArguments([['tvm.Cell', broken]], {})).rejects.toThrow('INVALID_BAG_OF_CELLS: stack')
    await expect(pairedArguments([['tvm.Cell', '?'.repeat(9000)]], {})).rejects.toThrow(
      'Invalid tvm.Cell, base64 string expected',
    )
  })
})
