// A webhook may name a hundred thousand accounts: which blocks concern it is read with some of them at a time.

import { expect, test } from 'vitest'
import { type AccountKey, readConcerningBlocks, type Sql, sql } from '../../../../server/store/index.ts'
import { drivers } from '../../../setup/database.ts'
import { emptyStore } from '../../../setup/emptiedStore.ts'
import { fillActions } from '../../../setup/filledActions.ts'

test.each(drivers)('%s: the same blocks for thousands of names, some in each statement', async (driver) => {
  await using store = await emptyStore(driver)
  await fillActions(store, { transactions: 600, accounts: 40, atOnce: 20 })
  const rows = await store.read.query<{ account: AccountKey; hash: Uint8Array }>(
    sql`select distinct on (t.account) t.account, t.in_msg_hash as hash from transactions t
      where t.in_msg_hash is not null order by t.account, t.lt`,
  )
  let most = 0
  let statements = 0
  const watched: Sql = {
    query(statement, options) {
      statements++
      for (const value of statement.values) if (Array.isArray(value)) most = Math.max(most, value.length)
      return store.read.query(statement, options)
    },
  }
  const range = { first: 1000, last: 1_000_000, limit: 10_000 }
  const names = { accounts: [] as AccountKey[], messages: [] as Uint8Array[], everyBlock: false }
  const found = new Set<number>()
  for (const { account, hash } of rows.filter((_, i) => i % 3 === 0))
    for (const own of [{ accounts: [account] }, { messages: [hash] }])
      for (const seqno of await readConcerningBlocks(store.read, { ...names, ...own, ...range })) found.add(seqno)
  const expected = [...found].sort((a, b) => a - b)
  expect(expected.length).toBeGreaterThan(5)
  const many = { ...names }
  for (const [i, { account, hash }] of rows.filter((_, i) => i % 3 === 0).entries()) {
    for (let k = 0; k < 200; k++) {
      const unknown = Buffer.from(account)
      unknown.writeUInt32BE(i * 200 + k, 8)
      // The cast: 32 bytes as the key of an account. No account of the index has this one.
      many.accounts.push(unknown as Uint8Array as AccountKey)
    }
    many.accounts.push(account)
    many.messages.push(hash)
  }
  expect(many.accounts.length).toBeGreaterThan(2000)
  expect(await readConcerningBlocks(watched, { ...many, ...range })).toEqual(expected)
  expect(most).toBeLessThanOrEqual(500)
  expect(await readConcerningBlocks(watched, { ...many, ...range, limit: 3 })).toEqual(expected.slice(0, 3))
  statements = 0
  const every = await readConcerningBlocks(watched, { ...many, ...range, everyBlock: true })
  expect(every.length).toBeGreaterThanOrEqual(expected.length)
  expect(statements).toBeLessThanOrEqual(2)
})
