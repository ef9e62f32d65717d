// Traces that wait for a message while more are unfinished than a process keeps in memory.

import { expect, test } from 'vitest'
import { type Database, sql } from '../../../server/store/index.ts'
import { prepare } from '../devchain/traffic.ts'
import { account, coins, transfer } from '../devchain/wallets.ts'
import { index, openNode, openStore, upToDate } from './indexScene.ts'

/** As many as a process loads when it begins. */
const MOST = 50_000

/** Adds so many traces that began later and wait for messages that never come, each with its first transaction. */
const addWaiting = (database: Pick<Database, 'transaction'>, count: number): Promise<void> =>
  database.transaction(async (to) => {
    await to.query(sql`create temp table made on commit drop as
      select decode(lpad(to_hex(n), 64, '0'), 'hex') as id from generate_series(1, ${count}::int4) n`)
    await to.query(sql`insert into transactions select added.* from made, transactions t,
      lateral jsonb_populate_record(t, jsonb_build_object('hash', id, 'trace_id', id, 'in_msg_hash', id)) added
      where t.hash = (select min(hash) from transactions)`)
    await to.query(sql`insert into traces select added.* from made, traces k,
      lateral jsonb_populate_record(k, jsonb_build_object('trace_id', id, 'mc_seqno_end', k.mc_seqno_end + 1)) added
      where k.state = 'pending'`)
    await to.query(sql`insert into pending_edges (msg_hash, trace_id) select id, id from made`)
  })

test('a trace that is not among those in memory is found when its message arrives', { timeout: 600_000 }, async () => {
  const { chain, node } = await openNode()
  const [database, whole] = [await openStore(), await openStore()]
  const { wallets } = await prepare(chain, 1)
  chain.control.setMining('manual')
  const [wallet] = wallets
  if (wallet === undefined) throw new Error('No such account')
  await chain.send(transfer(wallet, { to: account(0x61, -1), value: coins(1), bounce: true }))
  await chain.control.mine()
  const first = index({ node, database })
  await upToDate(first, chain)
  await first.close()
  const [begun] = await database.read.query<{ trace_id: Uint8Array }>(
    sql`select trace_id from traces where state = 'pending'`,
  )
  if (begun === undefined) throw new Error('No trace waits')
  await addWaiting(database, MOST)
  await chain.control.mine(4)
  await upToDate(index({ node, database }), chain)
  await upToDate(index({ node, database: whole }), chain)
  const found = async ({ read }: Pick<Database, 'read'>) => [
    await read.query(sql`select * from traces where trace_id = ${begun.trace_id}`),
    await read.query(sql`select hash, trace_id from transactions where trace_id = ${begun.trace_id} order by lt`),
    await read.query(sql`select * from trace_accounts where trace_id = ${begun.trace_id} order by account`),
    await read.query(sql`select * from pending_edges where trace_id = ${begun.trace_id}`),
  ]
  const expected = await found(whole)
  expect(expected).toMatchObject([[{ state: 'complete', nodes: 3 }], { length: 3 }, { length: 2 }, []])
  expect(await found(database)).toEqual(expected)
})
