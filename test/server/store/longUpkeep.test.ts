// The embedded database cleans up in its only session: that may take minutes on a slow disk, and callers wait meanwhile.

import { expect, test } from 'vitest'
import { openDatabase, type SqlRow, type StoreError, sql } from '../../../server/store/index.ts'
import { createUpkeep } from '../../../server/store/pglite/upkeep.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

/** Each row of an analysis takes 20 ms. */
const SLOW = `create function slow(i int) returns int immutable language plpgsql as $$ begin
  if current_query() like 'analyze%' then perform pg_sleep(0.02); end if;
  return i;
end $$`

test('a statement that waits for it is refused as busy, and it ends all the same', async () => {
  const database = await openDatabase({ database: 'pglite', readTimeoutMs: PATIENCE_MS, idleMs: PATIENCE_MS })
  await database.transaction(async (to) => {
    await to.query(sql.raw(SLOW))
    await to.query(sql`create table known (i int)`)
    await to.query(sql`create index known_slow on known (slow(i))`)
    await to.query(sql`insert into known select * from generate_series(1, 300)`)
  })
  const analyzed = sql`select last_analyze is not null as is_done from pg_stat_user_tables where relname = 'known'`
  const failures: StoreError[] = []
  const isDone = async (): Promise<boolean> => {
    // A caller's own limit: a machine that is too busy for it ends the wait, and not the session.
    const rows = await database.read
      .query<{ is_done: boolean }>(analyzed, { timeoutMs: 500 })
      .catch((error: StoreError) => {
        failures.push(error)
        return []
      })
    return rows[0]?.is_done === true
  }
  await expect.poll(isDone, { timeout: PATIENCE_MS, interval: 50 }).toBe(true)
  const message = expect.stringContaining('the database runs analyze known')
  expect(failures).toContainEqual(expect.objectContaining({ code: 'busy', message }))
  await database.close()
})

test('it may take an hour', async () => {
  const limits = new Map<string, number>()
  const found: Readonly<Record<string, SqlRow>> = {
    bytes: { bytes: 1n << 40n },
    name: { name: 'transactions', dead: true },
  }
  const upkeep = createUpkeep(({ text }, timeoutMs) => {
    limits.set(text, timeoutMs)
    const [, row] = Object.entries(found).find(([column]) => text.includes(`as ${column}`)) ?? []
    return Promise.resolve(row === undefined ? [] : [row])
  })
  upkeep.wrote()
  await expect.poll(() => limits.get('vacuum analyze transactions')).toBe(3_600_000)
  upkeep.stop()
  expect(limits.get('checkpoint')).toBe(3_600_000)
  expect(upkeep.running).toBeNull()
})
