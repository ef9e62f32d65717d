// Databases in memory that are emptied and used again by the next test, or file, of the process: that takes a fifth of the
// time to make one. Not for tests of plans, statistics, migrations or the life of a database.

import { type Database, type Leadership, sql } from '../../server/store/index.ts'
import { type Driver, freshDatabase } from './database.ts'
import { openMemoryStore } from './memoryStore.ts'

/** As many as one test has open at once, but for a few. */
const MOST_SPARE = 3

/** Tables that have rows from the start, which no test of the index changes. */
const NOT_EMPTIED = ['tonrpc_migrations', 'api_key_version', 'api_plans']

const spare: Database[] = []

async function empty(database: Database): Promise<void> {
  await database.transaction(async (to) => {
    const tables = await to.query<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> all (${NOT_EMPTIED}::text[])`,
    )
    const counts = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
    const filled = await to.query<{ name: string }>(sql`${sql.raw(counts.join(' union all '))}`)
    if (filled.length === 0) return
    await to.query(sql`truncate ${sql.raw(filled.map(({ name }) => name).join(', '))} restart identity`)
  })
}

/** A database in memory with all tables and no rows. Its `close` ends what it leads and keeps it for the next one. */
export async function openEmptiedStore(): Promise<Database & AsyncDisposable> {
  const database = spare.pop() ?? (await openMemoryStore())
  const leaderships = new Set<Leadership>()
  let closing: Promise<void> | null = null
  const giveBack = async (): Promise<void> => {
    await Promise.all([...leaderships].map((one) => one.release()))
    if (spare.length >= MOST_SPARE) return database.close()
    await empty(database)
    spare.push(database)
  }
  const close = (): Promise<void> => {
    closing ??= giveBack()
    return closing
  }
  return {
    kind: database.kind,
    read: database.read,
    transaction: (work, options) => database.transaction(work, options),
    async lead(...how) {
      const leadership = await database.lead(...how)
      leaderships.add(leadership)
      return leadership
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The same where an embedded database is meant; on a server, one of its own. */
export const emptyStore = (driver: Driver): Promise<Database & AsyncDisposable> =>
  driver === 'pglite' ? openEmptiedStore() : freshDatabase(driver)
