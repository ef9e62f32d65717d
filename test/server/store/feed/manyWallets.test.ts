// An owner of thousands of jetton wallets, few of which have anything new: the others are not looked up in each range of blocks.

import { expect, test } from 'vitest'
import { readConcerningBlocks, type Sql, type SqlText, sql } from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'
import { planOf, rowsRead } from '../../../setup/plans.ts'

const FIRST = 100_000
const BLOCKS = 2_000
const WALLETS = 10_000
/** One of so many wallets has a transaction, in a block of its own. */
const OTHERS = 1_000
/** Transactions of strangers in each block. */
const EACH = 20
const EARLIER = FIRST - 5_000

const OWNER = Buffer.alloc(33, 0x80)
const lt = sql`i * 1000000::int8`
const wallet = sql`'\\x80'::bytea || sha256(('w' || i)::bytea)`

async function lengthen(to: Sql): Promise<void> {
  await to.query(sql`insert into blocks select r.*
    from (select b from blocks b where b.workchain = -1 limit 1) o(b)
      cross join generate_series(${EARLIER}::int4, ${FIRST + BLOCKS}::int4) i cross join lateral
      jsonb_populate_record(b, jsonb_build_object('seqno', i, 'mc_seqno', i, 'start_lt', ${lt}, 'end_lt', ${lt} + 10,
        'root_hash', sha256(i::text::bytea))) r`)
  await to.query(sql`insert into jetton_wallets (account, code_hash, data_hash, last_tx_lt, balance, owner, jetton)
    select ${wallet}, sha256('c'), sha256('d'), case when i % ${OTHERS}::int4 = 0
        then (${FIRST}::int8 + i / ${OTHERS}::int4) * 1000000 + 5 else ${EARLIER}::int8 * 1000000 + i end, 1, ${OWNER}, sha256('j')
      from generate_series(1, ${WALLETS}::int4) i`)
  await to.query(sql`insert into transactions select r.*
    from (select t from transactions t limit 1) o(t) cross join jetton_wallets w cross join lateral
      jsonb_populate_record(t, jsonb_build_object('hash', sha256(w.account), 'account', w.account, 'lt', w.last_tx_lt,
        'mc_seqno', w.last_tx_lt / 1000000)) r where w.owner = ${OWNER}`)
  await to.query(sql`insert into transactions select r.*
    from (select t from transactions t limit 1) o(t) cross join generate_series(${FIRST}::int4, ${FIRST + BLOCKS}::int4) i
      cross join generate_series(1, ${EACH}::int4) k cross join lateral
      jsonb_populate_record(t, jsonb_build_object('hash', sha256((i || 'x' || k)::bytea),
        'account', '\\x80'::bytea || sha256((i || 'x' || k)::bytea), 'lt', ${lt} + 5, 'mc_seqno', i)) r`)
  await to.query(sql`update indexer_cursor set last_mc_seqno = ${FIRST + BLOCKS}`)
}

test.each(drivers)('%s: blocks with transactions of few of many wallets', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 100, accounts: 20 })
  await store.transaction(lengthen)
  await store.transaction((to) => to.query(sql`analyze`))
  const statements: SqlText[] = []
  const watched: Sql = {
    query(statement, options) {
      if (statement.text.includes('jetton_wallets')) statements.push(statement)
      return store.read.query(statement, options)
    },
  }
  const accounts = [OWNER]
  const range = { first: FIRST, last: FIRST + BLOCKS, limit: 256 }
  const found = await readConcerningBlocks(watched, { accounts, messages: [], everyBlock: false, ...range })
  expect(found).toEqual(Array.from({ length: WALLETS / OTHERS }, (_, i) => FIRST + 1 + i))
  let looks = 0
  for (const statement of statements) {
    const plan = await planOf(store.read, statement, store.kind)
    looks += rowsRead(plan, 'transactions')
    for (const node of plan.nodes) if (node['Relation Name'] === 'transactions') looks += node['Actual Loops']
  }
  expect(looks).toBeLessThan(500)
})
