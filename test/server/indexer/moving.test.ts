// Who keeps results of the index drops them before it moves: nobody can read what is newer until they have.

import { expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { account } from '../devchain/wallets.ts'
import { headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

const PATIENCE = { timeout: 300_000 }

test.each(drivers)('%s: the index moves once those who were told of it are ready', async (driver) => {
  const { chain, node } = await openNode()
  const database = await openStore(driver)
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  const before = headSeqno(chain)
  let asked = 0
  let goOn: () => void = () => undefined
  const forget = indexer.onMoving(() => {
    asked++
    return new Promise<void>((resolve) => {
      goOn = resolve
    })
  })
  indexer.onMoving(() => null)
  await chain.control.setAccount({ ...account(0x71), balance: 7n })
  await expect.poll(() => asked, PATIENCE).toBe(1)
  const newest = () => database.read.query(sql`select max(seqno) as seqno from blocks where workchain = -1`)
  // The embedded database answers reads behind the write.
  if (driver === 'postgres') expect(await newest()).toEqual([{ seqno: before }])
  expect(indexer.indexed()?.seqno).toBe(before)
  forget()
  goOn()
  await upToDate(indexer, chain)
  expect(headSeqno(chain)).toBeGreaterThan(before)
  expect(await newest()).toEqual([{ seqno: headSeqno(chain) }])
  expect(asked).toBe(1)
})
