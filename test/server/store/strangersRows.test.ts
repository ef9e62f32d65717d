// A stranger sends to addresses that share all but their beginning with the one of another account: pages of that account do not
// go through the stranger's rows.

import { describe, expect, test } from 'vitest'
import {
  actionsRead,
  type Database,
  messagesRead,
  openDatabase,
  type PagedRead,
  type PageRequest,
  type SqlText,
  type StoreOptions,
  sql,
  tracesRead,
  transactionsByMessageRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { shareKey } from '../../../server/store/pglite/ownKey.ts'
import { temporaryFolder } from '../../setup/children.ts'
import { drivers, dropDatabase, emptyDatabase, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { PATIENT } from '../../setup/memoryStore.ts'
import { planOf, rowsThrownAway } from '../../setup/plans.ts'

type Store = Awaited<ReturnType<typeof freshDatabase>>

const STRANGERS = 3000
const PAGE: PageRequest = { limit: 10, offset: 0, after: null }

/** Rows behind all others, like those of the account but for its first bytes. */
async function addStrangers(store: Store, account: Uint8Array): Promise<void> {
  const named = (word: string): SqlText => sql`sha256(convert_to(${word} || n, 'UTF8'))`
  const alike = sql`'\\x80'::bytea || substring(${named('s')} for 8) || substring(${account}::bytea from 10)`
  const ends: Readonly<Record<string, Readonly<Record<string, SqlText>>>> = {
    transactions: { account: alike, hash: named('t'), trace_id: named('t'), in_msg_hash: named('m') },
    messages: { source: alike, destination: alike, hash: named('m'), out_tx_hash: named('t') },
    trace_accounts: { account: alike, trace_id: named('t') },
    action_accounts: { account: alike, trace_start: sql`substring(${named('t')} for 16)`, action_id: named('a') },
  }
  const later: Readonly<Record<string, readonly string[]>> = {
    transactions: ['lt', 'now'],
    messages: ['created_lt', 'created_at', 'out_lt'],
    trace_accounts: ['end_lt', 'end_utime'],
    action_accounts: ['trace_end_lt', 'trace_end_utime'],
  }
  await store.transaction(async (to) => {
    for (const [table, values] of Object.entries(ends)) {
      const columns = await to.query<{ name: string }>(sql`select attname::text as name from pg_attribute
        where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
      const picks = columns.map(({ name }) => {
        const column = sql`o.${sql.identifier(name)}`
        return values[name] ?? (later[table]?.includes(name) === true ? sql`${column} + 1000000000 + n` : column)
      })
      const last = sql.identifier(later[table]?.[0] ?? '')
      await to.query(sql`insert into ${sql.identifier(table)} (${sql.join(columns.map(({ name }) => sql.identifier(name)))})
        select ${sql.join(picks)}
        from (select * from ${sql.identifier(table)} where ${last} is not null order by ${last} desc limit 1) o,
          generate_series(1, ${STRANGERS}::int4) n`)
    }
  })
}

const pagesOf = (account: Uint8Array): Readonly<Record<string, PagedRead<unknown>>> => {
  const timed = { startUtime: 1, endUtime: 4_000_000_000 }
  const action = { account, hiddenWithin: [] }
  return {
    transactions: transactionsRead({ accounts: [account] }, PAGE, 'desc'),
    'transactions by time': transactionsRead({ accounts: [account], ...timed }, PAGE, 'desc'),
    'transactions of two': transactionsRead({ accounts: [account, account.map((byte) => byte ^ 1)] }, PAGE, 'desc'),
    'messages from': messagesRead({ source: account }, PAGE, 'desc'),
    'messages from by time': messagesRead({ source: account, ...timed }, PAGE, 'desc'),
    'messages to': messagesRead({ destination: account, excludeExternals: true }, PAGE, 'desc'),
    'transactions by message': transactionsByMessageRead({ source: account }, PAGE, 'desc'),
    traces: tracesRead({ account }, PAGE, 'desc'),
    actions: actionsRead(action, PAGE, 'desc'),
    'actions by time': actionsRead({ ...action, ...timed }, PAGE, 'desc'),
    'actions of a type': actionsRead({ ...action, exceptTypes: ['dns_release'] }, PAGE, 'desc'),
    'actions of a type by time': actionsRead({ ...action, exceptTypes: ['dns_release'], ...timed }, PAGE, 'desc'),
  }
}

async function readOf(store: Store, account: Uint8Array): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, { statement }] of Object.entries(pagesOf(account)))
    counts[name] = rowsThrownAway(await planOf(store.read, statement, store.kind))
  return counts
}

/** Rows that pages of an account look at in vain when a stranger's are there. */
async function lookedAt(store: Store) {
  await fillActions(store, { transactions: 3000, accounts: 300 })
  // Of a busy one the planner looks for rows among all.
  const [usual] = await store.read.query<{ account: Uint8Array }>(sql`select account from transactions
    where workchain = 0 group by account having count(*) between 12 and 40
      and exists (select from messages where source = account offset 10) order by account limit 1`)
  if (usual === undefined) throw new Error('there are no transactions')
  await addStrangers(store, usual.account)
  await store.transaction((to) => to.query(sql`analyze`))
  return await readOf(store, usual.account)
}

describe.each(drivers)('%s', (driver) => {
  test('a stranger makes pages of an account no longer', async () => {
    await using store = await freshDatabase(driver)
    for (const [name, rows] of Object.entries(await lookedAt(store))) expect(rows, name).toBeLessThan(50)
  })

  test('by the ends of accounts it would', async () => {
    await using store = await freshDatabase(driver)
    await store.transaction((to) =>
      to.query(sql`create or replace function short_key(bytea) returns int8 language sql immutable parallel safe
        return hashtextextended(encode(substring($1 from 27), 'hex') collate "C", 0)`),
    )
    for (const [name, rows] of Object.entries(await lookedAt(store))) expect(rows, name).toBeGreaterThan(1000)
  })
})

const ZERO = sql`select short_key('\\x00'::bytea) as key`
const keyOf = async (store: Database): Promise<unknown> => (await store.read.query(ZERO))[0]?.key

async function keyIn(place: Partial<StoreOptions> & Pick<StoreOptions, 'database'>): Promise<unknown> {
  const store = await openDatabase({ ...PATIENT, ...place })
  const key = await keyOf(store)
  await store.close()
  return key
}

describe('a database has keys of its own', () => {
  test('embedded, though it begins with the image of the build', async () => {
    const one = await temporaryFolder()
    const other = await temporaryFolder()
    const key = await keyIn({ database: 'pglite', folder: one })
    expect(await keyIn({ database: 'pglite', folder: other })).not.toBe(key)
    expect(await keyIn({ database: 'pglite', folder: one })).toBe(key)
  })

  test('embedded, when the first start was cut short before they were', async () => {
    const folder = await temporaryFolder()
    const store = await openDatabase({ ...PATIENT, database: 'pglite', folder })
    await shareKey(store)
    const shared = await keyOf(store)
    await store.close()
    const key = await keyIn({ database: 'pglite', folder })
    expect(key).not.toBe(shared)
    expect(await keyIn({ database: 'pglite', folder })).toBe(key)
  })

  test.runIf(drivers.includes('postgres'))('PostgreSQL', async () => {
    const addresses = [await emptyDatabase(), await emptyDatabase()]
    const keys = await Promise.all(addresses.map((database) => keyIn({ database })))
    expect(new Set(keys).size).toBe(2)
    for (const address of addresses) await dropDatabase(address)
  })
})
