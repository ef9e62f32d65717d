// An account with a transaction in every block, missed for long: the next blocks that concern it are found without all others.

import { expect, test } from 'vitest'
import { type AccountKey, readConcerningBlocks, type Sql, type SqlText, sql } from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fillActions } from '../../../setup/filledActions.ts'
import { planOf, rowsRead } from '../../../setup/plans.ts'

const FIRST = 100_000
const BLOCKS = 20_000

/** Masterchain blocks behind those there are, each with one transaction of the account. */
async function lengthen(to: Sql, account: AccountKey): Promise<void> {
  const seqnos = sql`generate_series(${FIRST}::int4, ${FIRST + BLOCKS}::int4) i`
  const lt = sql`i * 1000000::int8`
  await to.query(sql`insert into blocks select r.*
    from (select b from blocks b where b.workchain = -1 limit 1) o(b) cross join ${seqnos} cross join lateral
      jsonb_populate_record(b, jsonb_build_object('seqno', i, 'mc_seqno', i, 'start_lt', ${lt}, 'end_lt', ${lt} + 10,
        'root_hash', sha256(i::text::bytea))) r`)
  await to.query(sql`insert into transactions select r.*
    from (select t from transactions t where t.account = ${account} limit 1) o(t) cross join ${seqnos} cross join lateral
      jsonb_populate_record(t, jsonb_build_object('hash', sha256(i::text::bytea), 'mc_seqno', i, 'lt', ${lt} + 5)) r`)
  await to.query(sql`update indexer_cursor set last_mc_seqno = ${FIRST + BLOCKS}`)
}

test.each(drivers)('%s: the first of many blocks of an account', async (driver) => {
  await using store = await freshDatabase(driver)
  await fillActions(store, { transactions: 100, accounts: 20 })
  const [row] = await store.read.query<{ account: AccountKey }>(sql`select account from transactions limit 1`)
  if (row === undefined) throw new Error('no account')
  await store.transaction((to) => lengthen(to, row.account))
  await store.transaction((to) => to.query(sql`analyze`))
  const statements: SqlText[] = []
  const watched: Sql = {
    query(statement, options) {
      statements.push(statement)
      return store.read.query(statement, options)
    },
  }
  const found = await readConcerningBlocks(watched, {
    accounts: [row.account],
    messages: [],
    everyBlock: false,
    first: FIRST,
    last: FIRST + BLOCKS,
    limit: 256,
  })
  expect(found).toEqual(Array.from({ length: 256 }, (_, i) => FIRST + i))
  let rows = 0
  for (const statement of statements) rows += rowsRead(await planOf(store.read, statement, store.kind))
  expect(rows).toBeLessThan(5000)
})
