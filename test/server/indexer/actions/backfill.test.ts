// An index that was written before traces were classified catches up by itself.

import { expect, onTestFinished, test } from 'vitest'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import { Backfill } from '../../../../server/indexer/actions/backfill.ts'
import { type Database, sql } from '../../../../server/store/index.ts'
import { drivers } from '../../../setup/database.ts'
import { gate } from '../../../setup/gate.ts'
import { prepare } from '../../devchain/traffic.ts'
import { AssetScene, person } from '../assets/assetScene.ts'
import { index, openNode, openStore, playOut, upToDate } from '../indexScene.ts'

const TRACES = 10
const AT_ONCE = 8

test('older traces are classified step by step when there is nothing else to do', async () => {
  const scene = await AssetScene.open()
  for (let i = 0; i < TRACES; i++)
    await scene.send({ from: person(1), to: person(2), body: commentBody(`number ${i}`), bounce: false })
  const before = await scene.rows('actions', 'trace_id, action_id')
  const concerned = await scene.rows('action_accounts', 'account, trace_start, action_id')
  expect(before.length).toBeGreaterThanOrEqual(TRACES)
  await scene.indexer.close()

  const { database, chain } = scene
  await database.transaction(async (on) => {
    await on.query(sql`truncate actions, action_accounts`)
    await on.query(sql`update traces set classification = 'unclassified'`)
  })
  const untold = async () =>
    Number(
      (
        await database.read.query(sql`select count(*) as n from traces
        where classification = 'unclassified' and state = 'complete'`)
      )[0]?.n,
    )
  const all = await untold()
  // One that ends after its first round, as if it had been killed.
  let rounds = 0
  await new Backfill(database, (_, failure) => expect(failure).toBeUndefined(), AT_ONCE).while(() => rounds++ === 0)
  expect(await untold()).toBe(all - AT_ONCE)

  // So do changes of owners that were written without their blocks.
  await database.transaction((on) =>
    on.query(sql`insert into nft_owners (tx_hash, account, new_owner, is_alone)
      select hash, account, account, true from transactions`),
  )
  const withoutBlock = async () =>
    (await database.read.query(sql`select from nft_owners where mc_seqno is null`)).length
  expect(await withoutBlock()).toBeGreaterThan(TRACES)

  const again = index({ node: scene.node, database, pool: scene.pool })
  onTestFinished(() => again.close())
  await upToDate(again, chain)
  await expect.poll(untold).toBe(0)
  await expect.poll(withoutBlock).toBe(0)
  const rows = async (table: string, order: string) => {
    const found = await database.read.query(sql`select * from ${sql.identifier(table)} order by ${sql.raw(order)}`)
    return found.length
  }
  expect(await rows('actions', 'trace_id')).toBe(before.length)
  expect(await rows('action_accounts', 'action_id')).toBe(concerned.length)
  // What comes after is reported at once, as ever.
  await chain.control.faucet({ workchain: 0, id: person(3).hash }, 5n)
  await upToDate(again, chain)
  expect(await rows('actions', 'trace_id')).toBeGreaterThan(before.length)
})

test.runIf(drivers.includes('postgres'))('two processes at once write the actions of each trace once', async () => {
  const { chain, node } = await openNode()
  const database = await openStore('postgres')
  const indexer = index({ node, database })
  await playOut(chain, await prepare(chain, 4), 1)
  await upToDate(indexer, chain)
  await indexer.close()
  const counts = async () =>
    await database.read.query(sql`select (select count(*) from actions) as actions,
      (select count(*) from action_accounts) as accounts`)
  const before = await counts()
  await database.transaction(async (on) => {
    await on.query(sql`truncate actions, action_accounts`)
    await on.query(sql`update traces set classification = 'unclassified'`)
  })
  const fill = (of: Pick<Database, 'transaction'>) =>
    new Backfill(of, (_, failure) => expect(failure).toBeUndefined()).while(() => true)
  // One that leads no more, and has not committed its last traces yet.
  const written = gate()
  const mayCommit = gate()
  const late: Pick<Database, 'transaction'> = {
    transaction: (work) =>
      database.transaction(async (on) => {
        const found = await work(on)
        written.open()
        await mayCommit.opened
        return found
      }),
  }
  const one = fill(late)
  await written.opened
  const other = fill(database)
  const waiting = () =>
    database.read.query(sql`select 1 as one from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 300_000 }).toHaveLength(1)
  mayCommit.open()
  await Promise.all([one, other])
  expect(await counts()).toEqual(before)
})
