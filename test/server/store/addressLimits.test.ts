// Limits of time in the address of a PostgreSQL, shorter than ours: a read has our limit, one above it is a slow one, and the
// database is not taken for one that is gone.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const LIMIT_MS = 2_000

describe.runIf(drivers.includes('postgres')).each(['query_timeout', 'statement_timeout'])('%s', (name) => {
  async function opened() {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    const notices: string[] = []
    const own = new URL(address)
    await (await openDatabase({ database: address })).close()
    own.searchParams.set(name, '300')
    const notice = (text: string) => void notices.push(text)
    const database = await openDatabase({ database: own.href, readTimeoutMs: LIMIT_MS, notice })
    onTestFinished(() => database.close())
    return { database, notices }
  }

  test('default: a read and a transaction take longer than it', async () => {
    const { database, notices } = await opened()
    const slow = sql`select pg_sleep(0.6)::text as slept`
    expect(await database.read.query(slow)).toHaveLength(1)
    expect(await database.transaction((to) => to.query(slow))).toHaveLength(1)
    expect(notices).toEqual([])
  })

  test('error: a read above our limit is a slow one, and others go on', async () => {
    const { database, notices } = await opened()
    const slow = database.read.query(sql`select pg_sleep(60)::text as slept`)
    await expect(slow).rejects.toMatchObject({ code: 'timeout' })
    expect(await database.read.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(notices).toEqual([])
  })
})
