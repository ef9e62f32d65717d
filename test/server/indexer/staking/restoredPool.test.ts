// A pool on a chain that goes back more than once.

import { expect, onTestFinished, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import { contractCode } from '../../../../server/demo/contracts/index.ts'
import { sql } from '../../../../server/store/index.ts'
import { createTvmPool } from '../../../../server/tvm/index.ts'
import { drivers } from '../../../setup/database.ts'
import { freshPool, poolStorage } from '../../demo/contracts/poolStorage.ts'
import { own } from '../../devchain/actor.ts'
import { account, coins } from '../../devchain/wallets.ts'
import { index, openNode, openStore, upToDate } from '../indexScene.ts'

const nominators = new Map([[0x17n, [5_000_000_000n, 0n] as const]])

test.each(drivers)('%s: a pool that came back with one revert stays with the next', async (driver) => {
  const { chain, node } = await openNode()
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const database = await openStore(driver)
  const indexer = index({ node, pool, database })
  const pools = async () => {
    await upToDate(indexer, chain)
    return await database.read.query(sql`select p.account, p.nominators_count, n.balance
      from nominator_pools p join pool_nominators n on n.pool = p.account`)
  }
  const at = account(0xbb, -1)
  const code = contractCode('staking/pool')
  const data = own(poolStorage({ ...freshPool, nominators }))
  await chain.control.setAccount({ ...at, balance: coins(100), code, data })
  const there = [{ account: Uint8Array.of(127, ...at.id), nominators_count: 1, balance: 5_000_000_000n }]
  expect(await pools()).toEqual(there)
  const names: string[] = []
  for (let i = 0; i < 2; i++) {
    await chain.control.mine(3)
    names.push(await chain.control.snapshot())
  }
  await chain.control.mine(2)
  await chain.control.setAccount({ ...at, data: beginCell().end() })
  expect(await pools()).toEqual([])
  for (const name of names.toReversed()) {
    await chain.control.revert(name)
    expect(await pools()).toEqual(there)
  }
})
