// A revert sets contracts back to what they were when they changed last, also where that block was removed (`--keep`).

import { expect, onTestFinished, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { createGifts } from '../../../server/demo/index.ts'
import { sql } from '../../../server/store/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { drivers } from '../../setup/database.ts'
import { prepare } from '../devchain/traffic.ts'
import { account, coins } from '../devchain/wallets.ts'
import { index, openNode, openStore, playOut, upToDate } from './indexScene.ts'

const PATIENCE = { timeout: 300_000 }

test.each(drivers)('%s: a wallet whose jetton is gone since stays one after a revert', PATIENCE, async (driver) => {
  const { chain, node } = await openNode()
  const scene = await prepare(chain, 4)
  const { master, wallet } = await createGifts(chain).jetton(account(0x55), 5n)
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const database = await openStore(driver)
  const indexer = index({ node, pool, database, keepSeconds: 3_600 })
  await upToDate(indexer, chain)
  await chain.control.setAccount({ workchain: 0, id: master.hash, data: beginCell().end() })
  await chain.control.increaseTime(9_000)
  await playOut(chain, scene, 2)
  await upToDate(indexer, chain)
  const oldest = async () => (await database.read.query(sql`select min(mc_seqno) as seqno from transactions`))[0]?.seqno
  await expect.poll(oldest, PATIENCE).toBeGreaterThan(4)
  const wallets = () => database.read.query(sql`select * from jetton_wallets`)
  const before = await wallets()
  expect(before).toHaveLength(1)
  const late = await chain.control.snapshot()
  await chain.control.setAccount({ workchain: 0, id: wallet.hash, balance: coins(3) })
  await upToDate(indexer, chain)
  await chain.control.revert(late)
  await upToDate(indexer, chain)
  expect(await wallets()).toEqual(before)
})

test(
  'a wallet that changed without a transaction, once its jetton was gone, is none after a revert either',
  PATIENCE,
  async () => {
    const { chain, node } = await openNode()
    const { master, wallet } = await createGifts(chain).jetton(account(0x55), 5n)
    const pool = await createTvmPool({ workers: 1 })
    onTestFinished(() => pool.close())
    const database = await openStore()
    const indexer = index({ node, pool, database })
    await upToDate(indexer, chain)
    const wallets = () => database.read.query(sql`select account from jetton_wallets`)
    expect(await wallets()).toHaveLength(1)
    const setBalance = (balance: bigint) => chain.control.setAccount({ workchain: 0, id: wallet.hash, balance })
    await chain.control.setAccount({ workchain: 0, id: master.hash, data: beginCell().end() })
    await setBalance(coins(2))
    await upToDate(indexer, chain)
    expect(await wallets()).toEqual([])
    const late = await chain.control.snapshot()
    await setBalance(coins(3))
    await upToDate(indexer, chain)
    await chain.control.revert(late)
    await upToDate(indexer, chain)
    expect(await wallets()).toEqual([])
  },
)
