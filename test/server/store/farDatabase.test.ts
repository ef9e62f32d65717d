// What waits for answers of a database one after the other takes as many times the way there and back.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { PostgresConnections } from '../../../server/store/postgres/postgresConnections.ts'
import { runStatement } from '../../../server/store/postgres/statements.ts'
import { countedTurns } from '../../setup/countedTurns.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENT } from '../../setup/memoryStore.ts'

async function farServer() {
  const own = await emptyDatabase()
  const far = await countedTurns(own)
  onTestFinished(async () => {
    far.close()
    await dropDatabase(own)
  })
  return far
}

/** Of one read over a new connection. */
async function turnsOfFirstRead(greeting: readonly string[]): Promise<number> {
  const far = await farServer()
  const connections = new PostgresConnections({
    address: far.address,
    most: 1,
    queueLimit: 1,
    greeting,
    greet: async (client) => void (await client.query(`set application_name = 'greeted'`)),
    isPrimary: true,
  })
  const name = sql`select current_setting('application_name') as name, current_setting('lock_timeout') as lock, 1 as n`
  const rows = await connections.use((client) => runStatement(client, name, { limitMs: 60_000 }))
  expect(rows).toMatchObject([{ name: 'greeted', lock: greeting.length > 1 ? '7ms' : '0' }])
  await connections.close()
  return far.taken()
}

describe.runIf(drivers.includes('postgres'))('a database far away', () => {
  test('a connection is begun with all its settings at once', async () => {
    const settings = ['set lock_timeout = 5', 'set unknown_setting = 1', ...Array(8).fill('set lock_timeout = 7')]
    const one = await turnsOfFirstRead(['set statement_timeout = 60000'])
    expect(await turnsOfFirstRead(settings)).toBe(one)
  })

  test('all tables of an empty one are made at once', async () => {
    const far = await farServer()
    const open = async () => {
      await (await openDatabase({ ...PATIENT, database: far.address, readConnections: 1 })).close()
      return far.taken()
    }
    const first = await open()
    // What it looks at before is the same for both.
    expect(first - (await open())).toBeLessThan(25)
  })
})
