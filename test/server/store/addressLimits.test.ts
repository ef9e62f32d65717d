// Limits of time in the address of a PostgreSQL, shorter than ours: a read has our limit, one above it is a slow one, and the
// database is not taken for one that is gone.

import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { connectionConfig } from '../../../server/store/postgres/connectionConfig.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const LIMIT_MS = 5_000
const SHORTER = '300'

const limits = [
  ['query_timeout', SHORTER],
  ['statement_timeout', SHORTER],
  // Of a PostgreSQL of 17 or later.
  ['options', `-c transaction_timeout=${SHORTER}`],
] as const

const knows = async (address: string, option: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: address, options: option })
  return await client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

describe.runIf(drivers.includes('postgres')).each(limits)('%s %s', (name, value) => {
  async function opened(skip: (why: string) => void, readTimeoutMs: number) {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    if (name === 'options' && !(await knows(address, value))) skip('this PostgreSQL has no such limit')
    const notices: string[] = []
    const own = new URL(address)
    await (await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })).close()
    own.searchParams.set(name, value)
    const notice = (text: string) => void notices.push(text)
    const database = await openDatabase({ database: own.href, readTimeoutMs, notice })
    onTestFinished(() => database.close())
    return { database, notices }
  }

  test('default: a read and a transaction take longer than it', async ({ skip }) => {
    const { database, notices } = await opened(skip, PATIENCE_MS)
    const slow = sql`select pg_sleep(0.6)::text as slept`
    expect(await database.read.query(slow)).toHaveLength(1)
    expect(await database.transaction((to) => to.query(slow))).toHaveLength(1)
    expect(notices).toEqual([])
  })

  test('error: a read above our limit is a slow one, and others go on', async ({ skip }) => {
    const { database, notices } = await opened(skip, LIMIT_MS)
    const slow = database.read.query(sql`select pg_sleep(60)::text as slept`)
    await expect(slow).rejects.toMatchObject({ code: 'timeout' })
    expect(await database.read.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(notices).toEqual([])
  })
})

test.each([
  ['', 5_000],
  ['?connect_timeout=0', 5_000],
  ['?connect_timeout=2', 2_000],
  ['?sslmode=disable&connect_timeout=30&application_name=x', 30_000],
  ['?connect_timeout=soon', 5_000],
])('how long a connection may take: %s', (parameters, ms) =>
  expect(connectionConfig(`postgres://user@host/name${parameters}`).connectionTimeoutMillis).toBe(ms),
)
