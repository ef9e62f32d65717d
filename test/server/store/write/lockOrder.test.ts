// Two processes that write some of the same rows: one waits for the other, and neither is ended by the database.

import { describe, expect, test } from 'vitest'
import { addUsage, type Database, type JettonMasterRow, sql } from '../../../../server/store/index.ts'
import { queueMetadata, writeMetadata } from '../../../../server/store/write/metadata.ts'
import { insertAssets, NO_CONTRACTS } from '../../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'

const hash = new Uint8Array(32)
const account = (byte: number) => new Uint8Array(33).fill(byte)
const master = (byte: number): JettonMasterRow => ({
  account: account(byte),
  codeHash: hash,
  dataHash: hash,
  lastTxLt: 1n,
  content: { uri: `https://host/${byte}` },
  totalSupply: 1n,
  mintable: true,
  admin: null,
  walletCodeHash: hash,
  airdropRoot: null,
})
const first = master(1)
const second = master(2)

const described = ({ account, content }: JettonMasterRow) => ({
  account,
  uri: content?.uri ?? '',
  json: '{}',
  fetchedAt: 1,
  retryAt: null,
})

const WRITES: Readonly<Record<string, (database: Database, masters: readonly JettonMasterRow[]) => Promise<void>>> = {
  'descriptions that were fetched': (database, masters) =>
    database.transaction((to) => writeMetadata(to, masters.map(described))),
  'tokens whose descriptions are queued': (database, jettonMasters) =>
    database.transaction(async (to) => queueMetadata(to, { found: { ...NO_CONTRACTS, jettonMasters } })),
}

/** Resolves when a statement of this database waits for a lock. */
const oneWaits = ({ read }: Database): Promise<void> =>
  expect
    .poll(
      () =>
        read.query(sql`select 1 as one from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`),
      { timeout: 300_000 },
    )
    .toHaveLength(1)

describe.runIf(drivers.includes('postgres')).each(Object.entries(WRITES))('%s', (_, write) => {
  test.each([[[first, second]], [[second, first]]])('are locked in the order of accounts', async (masters) => {
    await using database = await freshDatabase('postgres', { writeConnections: 3 })
    await database.transaction((to) => insertAssets(to, { jettonMasters: [first, second] }))
    const lock = (of: JettonMasterRow) =>
      sql`select account from metadata_queue where account = ${of.account} for update`
    let writing: Promise<void> = Promise.resolve()
    const free = await database.transaction(async (holder) => {
      await holder.query(lock(first))
      writing = write(database, masters)
      await oneWaits(database)
      return await database.transaction((to) => to.query(sql`${lock(second)} skip locked`))
    })
    expect(free).toHaveLength(1)
    await writing
  })
})

const COUNTS = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 1 }

test.each(drivers)('%s: what is counted is added in one order, whatever was called first', async (driver) => {
  await using database = await freshDatabase(driver)
  const usage = ['2026-11-21', '2026-11-22'].flatMap((day) =>
    ['a', 'b'].flatMap((keyId) => ['v3.blocks', 'v3.traces'].map((method) => ({ day, keyId, method, ...COUNTS }))),
  )
  const months = ['2026-11', '2026-12'].flatMap((month) => ['a', 'b'].map((keyId) => ({ month, keyId, weight: 1 })))
  const added = async (number: number, of: { usage: typeof usage; months: typeof months }) => {
    await database.transaction((to) => to.query(sql`truncate api_usage, api_key_months`))
    await addUsage(database, { writer: 'one', number, ...of })
    return [
      await database.read.query(sql`select to_char(day, 'DD') as day, key_id, method from api_usage order by ctid`),
      await database.read.query(sql`select month, key_id from api_key_months order by ctid`),
    ]
  }
  const inOrder = await added(1, { usage, months })
  expect(inOrder.flat()).toHaveLength(12)
  expect(await added(2, { usage: usage.toReversed(), months: months.toReversed() })).toEqual(inOrder)
})
