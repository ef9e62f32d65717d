// Transfers and burns of an owner and a jetton or collection that have many each and few together: found along an index of both,
// however many others there are and whatever the server knows of its tables.

import { describe, expect, test } from 'vitest'
import {
  type AccountKey,
  type Database,
  jettonBurnsRead,
  jettonTransfersRead,
  nftTransfersRead,
  type PagedRead,
  type PageRequest,
  readPage,
  type SortDirection,
  type Sql,
  type SqlText,
  sql,
} from '../../../server/store/index.ts'
import type { Page } from '../../../server/store/read/page.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillAssets } from '../../setup/filledAssets.ts'
import { fill } from '../../setup/filler.ts'
import { indexesOf, migrateInTwo } from '../../setup/olderIndex.ts'
import { forgetPairs } from '../../setup/olderTables.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const MANY = 3000
const TOGETHER = 24
const PAGE: PageRequest = { limit: 10, offset: 0, after: null }
const EVER = { startUtime: 1, endUtime: 4_000_000_000 }
const SORTS = ['asc', 'desc'] as const

type Store = Pick<Database, 'read' | 'transaction' | 'kind'>

const keyOf = (byte: number): AccountKey => new Uint8Array(33).fill(0x80, 0, 1).fill(byte, 1)
const owner = keyOf(1)
const other = keyOf(2)
const token = keyOf(3)
const otherToken = keyOf(4)

/** Rows of one with another token, of another one with the token, and some of both, spread over all. */
async function addEvents(store: Store, table: string, owners: readonly string[], of: string): Promise<void> {
  const name = sql.identifier(table)
  const tokenColumn = sql.identifier(of)
  const isBoth = sql`n % ${MANY / TOGETHER}::int4 = 0`
  const changes = owners.map(
    (
      column,
      i,
    ) => sql`${sql.identifier(column)} = case when (${isBoth} or n % 2 = 0) and n / 7 % ${owners.length}::int4 = ${i}::int4
      then ${owner}::bytea else ${other}::bytea end`,
  )
  await store.transaction(async (to) => {
    await to.query(sql`create temporary table more as select e.*, n from (select * from ${name} order by tx_lt, tx_hash limit 1) e,
      generate_series(1, ${MANY}::int4) n`)
    await to.query(sql`update more set tx_hash = sha256(convert_to(n::text, 'UTF8')), tx_lt = 5000000 + n, tx_now = tx_now + n / 3,
      aborted = false, ${tokenColumn} = case when ${isBoth} or n % 2 = 1 then ${token}::bytea else ${otherToken}::bytea end,
      ${sql.join(changes)}`)
    await to.query(sql`alter table more drop column n`)
    await to.query(sql`insert into ${name} select * from more`)
    await to.query(sql`drop table more`)
  })
}

interface Hashed {
  readonly txHash: Uint8Array
}

/** Ways to list the events of both, and what they mean. */
interface Way {
  readonly name: string
  readonly read: (times: object, request: PageRequest, sort: SortDirection) => PagedRead<Hashed>
  readonly meaning: SqlText
}

const owners = [owner, keyOf(9)]

const transfers = (direction: 'in' | 'out' | null, meaning: SqlText): Way => ({
  name: `jetton transfers, ${direction ?? 'both directions'}`,
  read: (times, ...page) => jettonTransfersRead({ owners, direction, jetton: token, ...times }, ...page),
  meaning: sql`select tx_hash, tx_lt, tx_now from jetton_transfers where (${meaning}) and jetton = ${token} and not aborted`,
})

const items = (direction: 'in' | 'out' | null, meaning: SqlText): Way => ({
  name: `item transfers, ${direction ?? 'both directions'}`,
  read: (times, ...page) => nftTransfersRead({ owners, direction, collection: token, ...times }, ...page),
  meaning: sql`select tx_hash, tx_lt, tx_now from nft_transfers where (${meaning}) and collection = ${token}`,
})

const ways: readonly Way[] = [
  transfers('out', sql`source = ${owner}`),
  transfers('in', sql`destination = ${owner}`),
  transfers(null, sql`source = ${owner} or destination = ${owner}`),
  {
    name: 'jetton burns',
    read: (times, ...page) => jettonBurnsRead({ owners: [owner], jetton: token, ...times }, ...page),
    meaning: sql`select tx_hash, tx_lt, tx_now from jetton_burns where owner = ${owner} and jetton = ${token}`,
  },
  items('out', sql`old_owner = ${owner}`),
  items('in', sql`new_owner = ${owner}`),
  items(null, sql`old_owner = ${owner} or new_owner = ${owner}`),
]

async function fillEvents(store: Store): Promise<void> {
  await fillAssets(store, { rows: 300, people: 100 })
  await addEvents(store, 'jetton_transfers', ['source', 'destination'], 'jetton')
  await addEvents(store, 'jetton_burns', ['owner'], 'jetton')
  await addEvents(store, 'nft_transfers', ['old_owner', 'new_owner'], 'collection')
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe.each(drivers)('%s', (driver) => {
  test('no page reads more than it shows a few times over', async () => {
    await using store = await freshDatabase(driver)
    await fillEvents(store)
    const found: Record<string, number> = {}
    const countRows = async (when: string) => {
      for (const { name, read } of ways)
        for (const times of [{}, EVER])
          for (const sort of SORTS) {
            const { statement } = read(times, PAGE, sort)
            const key = `${name}, ${sort}${times === EVER ? ' by time' : ''}, ${when}`
            found[key] = rowsRead(await planOf(store.read, statement, store.kind))
          }
    }
    await countRows('without statistics')
    await store.transaction((to) => to.query(sql`analyze`))
    await countRows('with statistics')
    expect(Object.entries(found).filter(([, count]) => count > 120)).toEqual([])
  })

  test('pages of both, each after the last row of the one before, are all of them in order', async () => {
    await using store = await freshDatabase(driver)
    await fillEvents(store)
    for (const { name, read, meaning } of ways)
      for (const times of [{}, EVER])
        for (const sort of SORTS) {
          const by = (times === EVER ? ['tx_now', 'tx_lt', 'tx_hash'] : ['tx_lt', 'tx_hash']).map(
            (column) => sql`${sql.identifier(column)} ${sql.identifier(sort)}`,
          )
          const expected = await store.read.query<{ tx_hash: Uint8Array }>(sql`${meaning} order by ${sql.join(by)}`)
          expect(expected.length, name).toBeGreaterThan(5)
          const walked: string[] = []
          for (let after: PageRequest['after'] = null; ; ) {
            const page: Page<Hashed> = await readPage(store.read, read(times, { limit: 4, offset: 0, after }, sort))
            walked.push(...page.rows.map(({ txHash }) => hex(txHash)))
            after = page.next
            if (after === null) break
          }
          expect(walked, name).toEqual(expected.map(({ tx_hash }) => hex(tx_hash)))
        }
  })

  test('an index of before gets them in place, also cut short in between', async () => {
    await using store = await freshDatabase(driver)
    await fill(store, { transactions: 20, accounts: 5 })
    await fillAssets(store, { rows: 100, people: 20 })
    const all = await indexesOf(store)
    const forget = async (to: Sql) => expect(await forgetPairs(to)).toHaveLength(10)
    const parts = await migrateInTwo(store, { step: '0030_eventPairs', forget, cutAt: 4 })
    expect(parts.slice(2, 6)).toEqual([3, 4, 4, 5])
    expect(await indexesOf(store)).toEqual(all)
    await store.transaction((to) => to.query(sql`analyze`))
    expect(
      await store.read.query(sql`select tablename from pg_stats where tablename like '%\\_and\\_%\\_by\\_%'`),
    ).toEqual([])
  })
})
