// A transaction that fails as it begins, as by the cancel of an operator: the next one on its connection has nothing of it.

import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { clientOf } from '../../../server/store/postgres/pooledClient.ts'
import { runPostgresTransaction } from '../../../server/store/postgres/statements.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

/** More than the server takes: what is set behind `begin` fails. */
const TOO_LONG_MS = 1e10

test.runIf(drivers.includes('postgres'))(
  'a connection is used on after what is set for a transaction failed',
  async () => {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    const client = new (clientOf(address))()
    await client.connect()
    onTestFinished(() => client.end())
    const run = (idleMs: number) =>
      runPostgresTransaction(client, (to) => to.query(sql`select 1 as one`), { limitMs: 10_000, idleMs })
    await expect(run(TOO_LONG_MS)).rejects.toMatchObject({ code: 'failed', sqlState: '22023' })
    expect(await run(10_000)).toEqual([{ one: 1 }])
  },
)
