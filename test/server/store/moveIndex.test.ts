// A copy of an embedded index into a PostgreSQL whose database has settings of its own: texts of rows are the same on both sides.

import { expect, onTestFinished, test } from 'vitest'
import {
  addWebhookRow,
  moveIndex,
  openDatabase,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
  sql,
  writeIdentity,
} from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase, freshDatabase, onServer } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const SETTINGS = [
  "bytea_output = 'escape'",
  'quote_all_identifiers = on',
  "datestyle = 'German'",
  'extra_float_digits = -10',
]

const hash = new Uint8Array(32).fill(7)
const identity = { network: 'devnet', genesisRootHash: hash, genesisFileHash: hash, globalId: -3 }

const addWebhook = (to: Sql): Promise<bigint> =>
  addWebhookRow(to, {
    owner: '',
    endpoint: 'http://127.0.0.1:1',
    description: '',
    token: '',
    secret: '',
    subscription: '',
    created_at: 1n,
    cursor: '',
    trail: '',
  })

/** An empty database on the server, for the running test. */
async function openEmpty(settings: readonly string[] = []) {
  const address = await emptyDatabase()
  onTestFinished(() => dropDatabase(address))
  for (const setting of settings) await onServer(`alter database ${new URL(address).pathname.slice(1)} set ${setting}`)
  const database = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })
  onTestFinished(() => database.close())
  return database
}

test.runIf(drivers.includes('postgres'))('counts there, and goes on there', async () => {
  await using from = await freshDatabase('pglite')
  await fill(from, { transactions: 300 })
  await from.transaction(async (to) => {
    await writeIdentity(to, identity)
    await addWebhook(to)
  })
  const to = await openEmpty(SETTINGS)
  const order = { source: 'one', signal: new AbortController().signal, onProgress: () => undefined }
  const { rows } = await moveIndex(from, to, order)
  expect(rows).toBeGreaterThan(1000)
  expect(await to.transaction(addWebhook)).toBe(2n)
})

/** Some megabytes of bags in rows of which a hundred are on a page. */
const addLargeBags = (to: Sql) =>
  to.query(sql`insert into shared_bags (hash, bag)
    select decode(md5('a' || i) || md5('b' || i), 'hex'), decode((
      select string_agg(md5(i::text || ' ' || n), '') from generate_series(1, 1000) n), 'hex')
    from generate_series(1, 600) i`)

test.runIf(drivers.includes('postgres'))('reads no more at once where rows have large values', async () => {
  await using from = await freshDatabase('pglite')
  await fill(from, { transactions: 10 })
  await from.transaction(async (to) => {
    await writeIdentity(to, identity)
    await addLargeBags(to)
  })
  const to = await openEmpty()
  let most = 0
  const read: Sql = {
    async query<R extends SqlRow>(statement: SqlText, options?: StatementOptions) {
      const rows = await from.read.query<R>(statement, options)
      most = Math.max(most, JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)).length)
      return rows
    },
  }
  await moveIndex({ read }, to, { source: 'one', signal: new AbortController().signal, onProgress: () => undefined })
  expect(most).toBeGreaterThan(1 << 20)
  expect(most).toBeLessThan(6 << 20)
})
