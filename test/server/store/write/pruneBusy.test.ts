// What is removed of a busy account of which very many transactions were removed before: the index of accounts still has these until it is
// vacuumed, in front of those that are to go now.

import { expect, test } from 'vitest'
import { moveBound, type PrunedSlice, pruneSlice, type Sql, sql } from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

const REMOVED = 30_000

interface ExplainedDelete {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
}

/** Pages that deletes of states look at, in the database of these statements. */
function countPages(to: Sql): Sql & { pages: number } {
  const counted: Sql & { pages: number } = {
    pages: 0,
    async query(statement, options) {
      if (statement.text.includes('delete from account_states')) {
        const [row] = await to.query(sql`explain (analyze, buffers, timing off, format json) ${statement}`)
        const json = row?.['QUERY PLAN']
        // The cast: it is what EXPLAIN writes.
        const [{ Plan }] = (typeof json === 'string' ? JSON.parse(json) : json) as [ExplainedDelete]
        counted.pages += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
      }
      return to.query(statement, options)
    },
  }
  return counted
}

test.each(drivers)('%s: states are removed without a look at the transactions removed before', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 600, accounts: 10 })
  await store.transaction(async (to) => {
    await to.query(sql`create table copies as select t.*, i from transactions t cross join generate_series(1, ${REMOVED}::int4) i
      where t.hash = (select hash from transactions where account = (
        select account from transactions where workchain = 0 group by 1 order by count(*) desc limit 1) limit 1)`)
    await to.query(
      sql`update copies set hash = sha256(i::text::bytea), trace_id = sha256(i::text::bytea), lt = i, in_msg_hash = null`,
    )
    await to.query(sql`alter table copies drop column i`)
    await to.query(sql`insert into transactions select * from copies`)
  })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  await store.transaction(async (to) => {
    await to.query(sql`delete from transactions where hash in (select hash from copies)`)
    await to.query(sql`drop table copies`)
    await moveBound(to, 0)
  })
  let transactions = 0
  let pages = 0
  for (let next: PrunedSlice['next'] | undefined; next !== null; ) {
    const slice: PrunedSlice = await store.transaction(async (to) => {
      const counted = countPages(to)
      const found = await pruneSlice(counted, 200, next ?? undefined)
      pages += counted.pages
      return found
    })
    transactions += slice.transactions
    next = slice.next
  }
  expect(transactions).toBeGreaterThan(500)
  expect(pages / transactions).toBeLessThan(60)
})
