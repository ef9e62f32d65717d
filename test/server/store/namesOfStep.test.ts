// A step of the indexer may touch thousands of accounts: what is stored of them and their code is read with some names at a time.

import { expect, test } from 'vitest'
import { readAccountData, readInterfaces, readKnownCodes, type Sql, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'

const COUNT = 1200

test.each(drivers)('%s: the same for more than a thousand names, some in each statement', async (driver) => {
  await using store = await emptyStore(driver)
  const hashes = Array.from({ length: COUNT }, (_, i) => {
    const hash = Buffer.alloc(32, 7)
    hash.writeUInt32BE(i)
    return hash
  })
  await store.transaction((to) =>
    to.query(sql`insert into codes (hash, boc, interfaces)
      select hash, '\\x00'::bytea, array['wallet'] from unnest(${hashes}::bytea[]) hash`),
  )
  let most = 0
  const watched: Sql = {
    query(statement, options) {
      for (const value of statement.values) if (Array.isArray(value)) most = Math.max(most, value.length)
      return store.read.query(statement, options)
    },
  }
  expect(await readKnownCodes(watched, hashes)).toHaveLength(COUNT)
  expect(await readInterfaces(watched, hashes)).toHaveLength(COUNT)
  // None of them is indexed.
  const accounts = hashes.map((hash) => Buffer.concat([Buffer.of(0x80), hash]))
  expect(await readAccountData(watched, accounts)).toEqual([])
  expect(most).toBe(500)
})
