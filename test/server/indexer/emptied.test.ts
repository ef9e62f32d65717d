// Tables of an index that another process empties, fills or changes while this one reads where to go on.

import { expect, test } from 'vitest'
import { tipIn } from '../../../server/indexer/chain/chainTips.ts'
import { lockIndex, rollbackTo, type Sql, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { headSeqno, index, openNode, openStore, type SharedDatabase, upToDate } from './indexScene.ts'

/** Has the leader read again where it is. */
async function interrupt(store: SharedDatabase): Promise<void> {
  const before = store.leaders
  store.depose()
  await expect.poll(() => store.leaders).toBeGreaterThan(before)
}

test('an index whose last block is not there yet, as while a dump is restored, stops no leader', async () => {
  const { chain, node } = await openNode()
  const store = await openStore('pglite')
  const leader = index({ node, database: store })
  await upToDate(leader, chain)
  const move = (): Promise<unknown> => store.transaction((to) => to.query(sql`update blocks set seqno = -1 - seqno`))
  await move()
  await interrupt(store)
  await expect.poll(() => leader.status().trouble).toMatch(/but not that block/)
  expect(leader.status().state).not.toBe('stopped')
  await move()
  await chain.control.mine(1)
  await upToDate(leader, chain)
  expect(leader.status()).toMatchObject({ leads: true, trouble: null })
})

/** As pg_restore makes the tables: without rows, and without indexes until the rows are there. */
const RESTORED = ['chain_identity', 'indexer_cursor', 'blocks']

test('while a dump is restored nothing is read of tables that are still empty, and no process begins the index anew', async () => {
  const { chain, node } = await openNode()
  const store = await openStore('pglite')
  const leader = index({ node, database: store })
  await upToDate(leader, chain)
  const follower = index({ node, database: store, writes: false })
  await upToDate(follower, chain)
  const all = (statement: (table: string) => string): Promise<unknown> =>
    store.transaction((to) => Promise.all(RESTORED.map((table) => to.query(sql.raw(statement(table))))))
  await all((table) => `alter table ${table} rename to whole_${table}`)
  await all((table) => `create table ${table} (like whole_${table} including defaults)`)
  await interrupt(store)
  // One that starts now knows nothing of the blocks that were there.
  const newcomer = index({ node, database: store })
  for (const one of [leader, follower]) {
    await expect.poll(() => one.status()).toMatchObject({ isRefused: true, head: null })
    await expect(one.readable()).rejects.toMatchObject({ code: 'mismatch', message: /blocks has no indexes yet/ })
    expect(one.status().state).not.toBe('stopped')
  }
  await expect(newcomer.readable()).rejects.toMatchObject({ message: /blocks has no indexes yet/ })
  await chain.control.mine(1)
  await leader.close()
  await expect.poll(() => newcomer.status()).toMatchObject({ leads: true, trouble: /no indexes yet/ })
  for (const table of RESTORED)
    expect(await store.read.query(sql`select 1 as one from ${sql.raw(table)}`)).toHaveLength(0)
  await all((table) => `drop table ${table}`)
  await all((table) => `alter table whole_${table} rename to ${table}`)
  await upToDate(newcomer, chain)
  await upToDate(follower, chain)
  await follower.readable()
  expect(newcomer.status()).toMatchObject({ leads: true, trouble: null })
})

test.runIf(drivers.includes('postgres'))(
  'a process that leads and has nothing to write notices that a dump is restored, and goes on behind it',
  async () => {
    const { chain, node } = await openNode()
    const store = await openStore('postgres')
    const leader = index({ node, database: store })
    await upToDate(leader, chain)
    const all = (statement: string): Promise<unknown> => store.transaction((to) => to.query(sql.raw(statement)))
    await all('alter table transactions rename to whole_transactions')
    await all('create table transactions (like whole_transactions)')
    await expect.poll(() => leader.status()).toMatchObject({ isRefused: true, head: null, leads: true })
    await expect(leader.readable()).rejects.toMatchObject({ message: /transactions has no indexes yet/ })
    await all('drop table transactions')
    await all('alter table whole_transactions rename to transactions')
    await expect.poll(() => leader.status()).toMatchObject({ isRefused: false, leads: true, trouble: null })
    await leader.readable()
    await upToDate(leader, chain)
    expect(store.leaders).toBe(1)
  },
)

test.runIf(drivers.includes('postgres'))(
  'a block that another process undoes while it is read with its shards is read whole',
  async () => {
    const { chain, node } = await openNode()
    const store = await openStore('postgres')
    const leader = index({ node, database: store })
    await upToDate(leader, chain)
    await leader.close()
    const seqno = headSeqno(chain)
    const whole = await store.transaction((to) => tipIn(to, seqno))
    expect(whole.tops.size).toBeGreaterThan(0)
    const undo = (): Promise<void> =>
      store.transaction(async (to) => {
        await to.query(sql`set local lock_timeout = 100`)
        await lockIndex(to)
        await rollbackTo(to, { mcSeqno: seqno - 1, accounts: [], gone: [] })
      })
    const torn = await store.transaction((to) => {
      const query: Sql['query'] = async (statement, options) => {
        if (statement.text.includes('from shard_tops')) await undo().catch(() => undefined)
        return await to.query(statement, options)
      }
      return tipIn({ query }, seqno)
    })
    expect(torn).toEqual(whole)
  },
)
