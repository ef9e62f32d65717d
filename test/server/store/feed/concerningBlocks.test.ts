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

test.each(drivers)(
  '%s: the first and the last block of a range are part of it, whatever concerns them',
  async (driver) => {
    await using store = await emptyStore(driver)
    await fillActions(store, { transactions: 200, accounts: 10, atOnce: 20 })
    const rows = await store.read.query<{ account: AccountKey; hash: Uint8Array; seqno: number }>(
      sql`select t.account, t.in_msg_hash as hash, t.mc_seqno as seqno from transactions t
      where t.in_msg_hash is not null order by t.lt`,
    )
    const [one] = rows
    const last = rows.at(-1)
    if (one === undefined || last === undefined) throw new Error('nothing was filled')
    const names = { accounts: [] as AccountKey[], messages: [] as Uint8Array[], everyBlock: false, limit: 1000 }
    const whole = { first: one.seqno, last: last.seqno }
    // The casts: bytes as the key of an account, which has nothing else.
    const lists = (['old_owner', 'new_owner', 'collection'] as const).map((column, i) => {
      return { column, key: Buffer.alloc(36, i + 1) as Uint8Array as AccountKey }
    })
    await store.transaction(async (to) => {
      for (const { column, key } of lists)
        for (const [i, { seqno }] of [one, last].entries())
          await to.query(sql`insert into nft_owners (tx_hash, account, is_alone, mc_seqno, ${sql.identifier(column)})
            values (${Buffer.concat([key, Buffer.of(i)])}, ${key}, true, ${seqno}, ${key})`)
    })
    const wishes = [
      { everyBlock: true },
      { accounts: [one.account] },
      { messages: [one.hash] },
      ...lists.map(({ key }) => ({ accounts: [key], itemOwners: true })),
    ]
    for (const wish of wishes) {
      const all = await readConcerningBlocks(store.read, { ...names, ...wish, ...whole })
      expect(all.length).toBeGreaterThan(0)
      expect(
        await readConcerningBlocks(store.read, { ...names, ...wish, first: all[0] ?? 0, last: all.at(-1) ?? 0 }),
      ).toEqual(all)
      for (const seqno of all)
        expect(await readConcerningBlocks(store.read, { ...names, ...wish, first: seqno, last: seqno })).toEqual([
          seqno,
        ])
    }
  },
)
