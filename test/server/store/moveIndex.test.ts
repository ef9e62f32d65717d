// A copy of an embedded index into a PostgreSQL whose database has settings of its own: texts of rows are the same on both sides.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow, moveIndex, openDatabase, type Sql, writeIdentity } from '../../../server/store/index.ts'
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

test.runIf(drivers.includes('postgres'))('counts there, and goes on there', async () => {
  await using from = await freshDatabase('pglite')
  await fill(from, { transactions: 300 })
  await from.transaction(async (to) => {
    await writeIdentity(to, identity)
    await addWebhook(to)
  })
  const address = await emptyDatabase()
  onTestFinished(() => dropDatabase(address))
  for (const setting of SETTINGS) await onServer(`alter database ${new URL(address).pathname.slice(1)} set ${setting}`)
  const to = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })
  onTestFinished(() => to.close())
  const order = { source: 'one', signal: new AbortController().signal, onProgress: () => undefined }
  const { rows } = await moveIndex(from, to, order)
  expect(rows).toBeGreaterThan(1000)
  expect(await to.transaction(addWebhook)).toBe(2n)
})
