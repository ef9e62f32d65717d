import { expect, test } from 'vitest'
import { PreviousBlocksTuple } from '../../../../server/devchain/collate/index.ts'
import { openChain } from '../devchains.ts'

test('behavior: what is known from one state to the next is what one state alone says', async () => {
  const { chain } = await openChain()
  const kept = new PreviousBlocksTuple()
  const check = (): void => {
    const { master } = chain.reader.moment()
    expect(kept.entry(master).hashHex()).toBe(new PreviousBlocksTuple().entry(master).hashHex())
  }
  check()
  for (let step = 0; step < 20; step++) {
    await chain.control.mine(1)
    check()
    check()
  }
  const name = await chain.control.snapshot()
  // Beyond a hundred, one after the other and with gaps.
  for (const count of [3, 70, 1, 1, 5, 1, 1, 1]) {
    await chain.control.mine(count)
    check()
  }
  expect(chain.head().master.id.seqno).toBeGreaterThan(100)
  await chain.control.revert(name)
  await chain.control.mine(1)
  check()
  await chain.control.mine(1)
  check()
})

test('behavior: of two states with one number each has its own blocks', async () => {
  const { chain } = await openChain()
  await chain.control.mine(2)
  const name = await chain.control.snapshot()
  const kept = new PreviousBlocksTuple()
  await chain.control.mine(1)
  kept.entry(chain.reader.moment().master)
  await chain.control.revert(name)
  await chain.control.mine(2)
  const { master } = chain.reader.moment()
  expect(kept.entry(master).hashHex()).toBe(new PreviousBlocksTuple().entry(master).hashHex())
})
