// A large block whose cells were dropped is parsed in pieces, once for all who read it meanwhile.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { openDevchain } from '../../../server/devchain/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const CELLS = 20_000
/** Far beyond what is kept parsed. */
const BLOCKS = 6

test('behavior: eight readers of a large block take the turns of one', async () => {
  const chain = await openDevchain({ idleBlockMs: 3_600_000 })
  const code = beginCell().storeUint(1, 8).end()
  const seqnos: number[] = []
  for (let i = 0; i < BLOCKS; i++) {
    const to = { workchain: 0, id: new Uint8Array(32).fill(i + 1) }
    await chain.control.setAccount({ ...to, balance: 10n ** 9n, code, data: treeOf(CELLS, i) })
    seqnos.push(chain.head().shard?.id.seqno ?? 0)
  }
  const open = async (seqno: number | undefined) => {
    const facts = chain.reader.bySeqno(0, seqno ?? 0)
    if (facts === undefined) throw new Error('there is no such block')
    return await chain.reader.block(facts)
  }
  const first = await open(seqnos[0])
  const second = await open(seqnos[1])
  const slicing = { sliceMs: 0 }
  const alone = await turnsOf(() => first.root(slicing))
  expect(alone.turns).toBeGreaterThan(10)
  const together = await turnsOf(() => Promise.all(Array.from({ length: 8 }, () => second.root(slicing))))
  expect(new Set(together.found).size).toBe(1)
  expect(together.turns).toBeLessThan(3 * alone.turns)
  await chain.close()
})
