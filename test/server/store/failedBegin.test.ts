// What an operator cancels or ends in a transaction: the next one on its connection has nothing of it, and the reason is known.

import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { clientOf } from '../../../server/store/postgres/pooledClient.ts'
import { runPostgresTransaction } from '../../../server/store/postgres/statements.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

/** More than the server takes: what is set behind `begin` fails. */
const TOO_LONG_MS = 1e10

async function connected(): Promise<pg.Client> {
  const address = await emptyDatabase()
  onTestFinished(() => dropDatabase(address))
  const client = new (clientOf(address))()
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe.runIf(drivers.includes('postgres'))('a transaction', () => {
  test('whose settings failed leaves its connection to the next one', async () => {
    const client = await connected()
    const run = (idleMs: number) =>
      runPostgresTransaction(client, (to) => to.query(sql`select 1 as one`), { limitMs: 10_000, idleMs })
    await expect(run(TOO_LONG_MS)).rejects.toMatchObject({ code: 'failed', sqlState: '22023' })
    expect(await run(10_000)).toEqual([{ one: 1 }])
  })

  test('whose connection is ended fails with the reason of that', async () => {
    const client = await connected()
    const ended = runPostgresTransaction(client, (to) => to.query(sql`select pg_terminate_backend(pg_backend_pid())`), {
      limitMs: 10_000,
    })
    await expect(ended).rejects.toMatchObject({ code: 'unavailable', sqlState: '57P01' })
  })
})
