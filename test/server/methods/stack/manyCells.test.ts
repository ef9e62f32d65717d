// Thousands of cells on a stack, in each form in which they come.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { listValue, type StackValue } from '../../../../server/contracts/index.ts'
import { pairedArguments } from '../../../../server/methods/stack/stackArguments.ts'
import { bagsOfStack } from '../../../../server/methods/view/stack.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { longestJson } from '../../../setup/longestJson.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

interface Written {
  readonly data: { readonly b64: string; readonly len: number }
  readonly refs: readonly Written[]
}

const written = (cell: Cell): Written => ({
  data: { b64: Buffer.from(cell.data()).toString('base64'), len: cell.bits },
  refs: cell.refs.map(written),
})

test('a tree of cells, as it stands or as a text, leaves turns to others', async () => {
  const cell = treeOf(15_000)
  const tree = written(cell)
  for (const given of [tree, JSON.stringify(tree)]) {
    const { found, turns } = await turnsOf(() => pairedArguments([['cell', given]], {}))
    expect(found.map((value) => 'cell' in value && value.cell.hash())).toEqual([cell.hash()])
    expect(turns).toBeGreaterThan(100)
  }
})

test('a text of a tree is not read at once', async () => {
  const text = JSON.stringify(written(treeOf(15_000)))
  expect(await longestJson(() => pairedArguments([['cell', text]], {}))).toBeLessThan(70_000)
})

test('what is no tree is refused as before', async () => {
  for (const given of [null, 5, '{', '[]', { data: { b64: 'AA==', len: 9 } }, { data: { b64: '', len: 0 }, refs: [1] }])
    await expect(pairedArguments([['slice', given]], {})).rejects.toThrow(
      'Invalid slice, object with field bytes expected',
    )
})

/** Of this process, since others may keep it waiting: the least of some runs. */
async function leastCpu(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const began = process.cpuUsage()
    for (let run = 0; run < 10; run++) await work()
    least = Math.min(least, process.cpuUsage(began).user)
  }
  return least
}

test('a long list is looked through for large cells once, not once for each item before', async () => {
  const one: StackValue = { kind: 'cell', cell: beginCell().storeUint(1, 8).end() }
  const items = new Array<StackValue>(1000).fill(one)
  const flat = await leastCpu(() => bagsOfStack(items, {}))
  const nested = await leastCpu(() => bagsOfStack([listValue(items)], {}))
  expect(nested).toBeLessThan(20 * (flat + 1000))
})
