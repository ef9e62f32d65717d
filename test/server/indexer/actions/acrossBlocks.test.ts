// Traces that go on from block to block: what they did is derived from what the indexer has seen of them itself, and is the
// same as when everything is there at once.

import { expect, test } from 'vitest'
import { type Database, sql } from '../../../../server/store/index.ts'
import { bornWallet, transfer } from '../../devchain/wallets.ts'
import { index, openNode, openStore, upToDate } from '../indexScene.ts'

const COIN = 1_000_000_000n
const ACTIONS = sql`select encode(action_id, 'hex') as id, type, success, start_lt, end_lt, trace_end_lt, details,
  array_length(transactions, 1) as transactions from actions order by trace_end_lt, action_id`
const OF_TRACES = /from transactions t where substring\(t\.trace_id for \d\) = any/

/** Counts statements that ask for the transactions of traces. */
function counting(database: Database): Database & { readonly requested: () => number } {
  let count = 0
  return {
    kind: database.kind,
    read: database.read,
    lead: (signal) => database.lead(signal),
    close: () => database.close(),
    transaction: (work) =>
      database.transaction((to) =>
        work({
          query: (statement, options) => {
            if (OF_TRACES.test(statement.text)) count++
            return to.query(statement, options)
          },
        }),
      ),
    requested: () => count,
  }
}

test('a trace over several blocks is reported without being read again', async () => {
  const { chain, node } = await openNode()
  const step = counting(await openStore())
  const stepwise = index({ node, database: step, batchTransactions: 1 })
  const wallet = bornWallet(1)
  // What comes back from the masterchain arrives in a later block than it was sent in.
  for (const byte of [1, 2, 3]) {
    const to = { workchain: -1, id: new Uint8Array(32).fill(byte) }
    await chain.send(transfer(wallet, { to, value: COIN, bounce: true }))
    await upToDate(stepwise, chain)
  }
  await chain.control.mine(3)
  await upToDate(stepwise, chain)

  const whole = await openStore()
  await upToDate(index({ node, database: whole }), chain)
  const ours = await step.read.query(ACTIONS)
  const theirs = await whole.read.query(ACTIONS)
  expect(ours).toEqual(theirs)
  expect(ours.filter(({ transactions }) => Number(transactions) > 1).length).toBeGreaterThanOrEqual(3)
  const [spread] = await step.read.query(
    sql`select count(*) as traces from traces where mc_seqno_start < mc_seqno_end and state = 'complete'`,
  )
  expect(spread?.traces).toBeGreaterThanOrEqual(3n)
  expect(step.requested()).toBe(0)

  // A process that starts again does not know what was before, and reads it.
  await stepwise.close()
  const to = { workchain: -1, id: new Uint8Array(32).fill(9) }
  chain.control.setMining('manual')
  await chain.send(transfer(wallet, { to, value: COIN, bounce: true }))
  await chain.control.mine(1)
  const before = index({ node, database: step, batchTransactions: 1 })
  await upToDate(before, chain)
  await before.close()
  await chain.control.mine(3)
  await upToDate(index({ node, database: step, batchTransactions: 1 }), chain)
  expect(step.requested()).toBe(1)
})
