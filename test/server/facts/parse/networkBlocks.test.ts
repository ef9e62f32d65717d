// Blocks of a network of C++ nodes: what they show of accounts as they were before.

import { expect, test } from 'vitest'
import { parseBlock } from '../../../../server/facts/index.ts'
import { recordedChain } from '../../../setup/recordedBlocks.ts'
import { hex } from './namedBlocks.ts'

test('every account that existed is shown as its first transaction says it was', async () => {
  const { blocks } = await recordedChain()
  let existed = 0
  let withCurrencies = 0
  const last = new Map<string | null, string | null>()
  for (const { id, root, mcSeqno } of blocks) {
    const { transactions, accounts } = parseBlock(id, root, { mcSeqno })
    const first = new Map(transactions.toReversed().map((one) => [hex(one.account), one]))
    for (const { account, before, hash } of accounts) {
      const name = hex(account)
      const one = first.get(name)
      if (one === undefined || one.origStatus === 'nonexist') expect(before).toBeNull()
      else if (before === null) withCurrencies++
      else {
        existed++
        expect([hex(before.hash), before.status]).toEqual([hex(one.stateBefore), one.origStatus])
        if (last.has(name)) expect(last.get(name)).toBe(hex(before.hash))
      }
      last.set(name, hex(hash))
    }
  }
  // Extra currencies that were not looked at are not shown, so that what an account had is not known.
  expect([existed, withCurrencies]).toEqual([211, 6])
})
