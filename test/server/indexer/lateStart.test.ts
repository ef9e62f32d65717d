// An index that begins in the middle of a chain: of accounts that were there before it knows what the blocks show.

import { expect, test } from 'vitest'
import { type Database, sql } from '../../../server/store/index.ts'
import type { IndexFrom } from '../../../shared/indexFrom.ts'
import { play, prepare } from '../devchain/traffic.ts'
import { account, coins } from '../devchain/wallets.ts'
import { headSeqno, index, openNode, openRemote, openStore, playOut, upToDate } from './indexScene.ts'

type Before = Readonly<Record<'hash' | 'before', string>>

/** Of each transaction from a block on: what its account was before it, as far as the index can say. */
const statesBefore = async ({ read }: Pick<Database, 'read'>, from: number): Promise<readonly Before[]> =>
  await read.query<Before>(sql`select encode(t.hash, 'hex') as hash,
      concat_ws(' ', s.status, s.balance, s.extra, s.frozen_hash, s.data_hash, s.code_hash) as before
    from transactions t left join account_states s on s.hash = t.state_before where t.mc_seqno >= ${from} order by t.hash`)

/** States that no transaction, no account and no first state of the chain names. */
const needless = async ({ read }: Pick<Database, 'read'>): Promise<number> => {
  const rows = await read.query<{ hash: Uint8Array }>(sql`select hash from account_states where hash not in (
    select state_before from transactions union select state_after from transactions union select hash from accounts)`)
  return rows.length
}

test('says of each transaction what an index of the whole chain says', async () => {
  const { chain, node } = await openNode()
  const scene = await prepare(chain, 5)
  await play(chain, scene, { count: 30, seed: 5 })
  // Neighbours in the tree of accounts move when others come, and are no change.
  for (let i = 1; i <= 20; i++)
    await chain.control.sendInternal({ from: account(1), to: account(i * 7), value: coins(1), bounce: false })
  await chain.control.setAccount({ ...account(0x7d), balance: coins(5) })
  await chain.control.mine()
  const middle = headSeqno(chain) + 1
  await chain.control.setAccount({ ...account(0x7d), balance: coins(6) })
  await chain.control.sendInternal({ from: account(1), to: account(0x7d), value: coins(1), bounce: false })
  for (let i = 1; i <= 20; i++)
    await chain.control.sendInternal({ from: account(1), to: account(i * 7 + 3), value: coins(1), bounce: false })
  await playOut(chain, scene, 6, 60)

  const whole = await openStore()
  const late = await openStore()
  const far = await openStore()
  await upToDate(index({ node, database: whole }), chain)
  await upToDate(index({ node, database: late, indexFrom: { seqno: middle } }), chain)
  await upToDate(index({ node: await openRemote(chain), database: far, indexFrom: { seqno: middle } }), chain)
  const expected = await statesBefore(whole, middle)
  expect(expected.filter(({ before }) => before !== '').length).toBeGreaterThan(30)
  expect(await statesBefore(late, middle)).toEqual(expected)
  expect(await statesBefore(far, middle)).toEqual(expected)
  expect(await Promise.all([late, far].map(needless))).toEqual([0, 0])
})

test('begins at a time, or with the newest block', async () => {
  const { chain, node } = await openNode()
  for (let i = 0; i < 4; i++) {
    await chain.control.increaseTime(1000)
    await chain.control.mine(1)
  }
  const { utime } = chain.head().master
  const firstOf = async (indexFrom: IndexFrom): Promise<unknown> => {
    const database = await openStore()
    await upToDate(index({ node, database, indexFrom }), chain)
    const [row] = await database.read.query(sql`select first_mc_seqno as first from indexer_cursor`)
    return row?.first
  }
  const newest = headSeqno(chain)
  expect(await firstOf('now')).toBe(newest)
  expect(await firstOf({ utime })).toBe(newest)
  expect(await firstOf({ utime: utime - 900 })).toBe(newest)
  expect(await firstOf({ utime: utime - 1100 })).toBe(newest - 1)
  expect(await firstOf({ utime: 0 })).toBe(1)
})

test('waits for a time, or a block, that the chain has not reached', async () => {
  const { chain, node } = await openNode()
  const { utime } = chain.head().master
  const stores = [await openStore(), await openStore(), await openStore()]
  const far = await openRemote(chain)
  const [byTime, bySeqno, remote] = stores
  if (byTime === undefined || bySeqno === undefined || remote === undefined) throw new Error('no stores')
  const first = headSeqno(chain) + 2
  const late = [
    index({ node, database: byTime, indexFrom: { utime: utime + 1000 } }),
    index({ node, database: bySeqno, indexFrom: { seqno: first } }),
    index({ node: far, database: remote, indexFrom: { seqno: first } }),
  ]
  for (const { status } of late)
    await expect.poll(() => status().trouble, { timeout: 300_000 }).toMatch(/^waiting to begin the index at .* newest/)
  await chain.control.mine(1)
  await chain.control.increaseTime(1000)
  await chain.control.mine(2)
  for (const [i, indexer] of late.entries()) {
    await upToDate(indexer, chain)
    const [row] = (await stores[i]?.read.query(sql`select first_mc_seqno as first from indexer_cursor`)) ?? []
    expect(row?.first).toBe(first)
  }
})

test('is indexed again from an earlier block', async () => {
  const { chain } = await openNode()
  await chain.control.mine(6)
  const node = await openRemote(chain)
  const database = await openStore()
  const first = index({ node, database, indexFrom: { seqno: 5 } })
  await upToDate(first, chain)
  await first.close()
  // As the service starts it without --index-from.
  const again = index({ node, database, indexFrom: null, reindexFrom: 3 })
  await expect.poll(() => again.status().blocks).toBeGreaterThan(0)
  const [row] = await database.read.query(sql`select first_mc_seqno as first from indexer_cursor`)
  expect(row?.first).toBe(3)
})
