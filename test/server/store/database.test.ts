import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SqlRow, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'

const notes = [{ number: 1, name: '0001_notes', sql: 'create table notes (id int4 primary key, word text)' }]
const slow = sql`select count(*) from generate_series(1, 2000000000)`

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(driver, { migrations: notes })
  })
  afterAll(() => database[Symbol.asyncDispose]())
  afterEach(() => database.transaction((to) => to.query(sql`delete from notes`)))

  const insert = (id: number, word = 'x') => sql`insert into notes values (${id}, ${word})`
  const ids = async () => (await database.read.query(sql`select id from notes order by id`)).map(({ id }) => id)

  describe('transactions', () => {
    test('are there for readers when they resolve', async () => {
      const result = await database.transaction(async (to) => {
        await to.query(insert(1))
        const rows = await to.query<SqlRow & { id: number }>(sql`insert into notes values (2, 'y') returning id`)
        return rows[0]?.id
      })
      expect(result).toBe(2)
      expect(await ids()).toEqual([1, 2])
    })

    test('leave nothing when the work throws, and throw what it threw', async () => {
      const cause = new Error('ours')
      const failed = database.transaction(async (to) => {
        await to.query(insert(1))
        throw cause
      })
      await expect(failed).rejects.toBe(cause)
      expect(await ids()).toEqual([])
    })

    test('fail when one of their statements failed, also when the work passes it over', async () => {
      const failed = database.transaction(async (to) => {
        await to.query(insert(1))
        await to.query(insert(1)).catch(() => undefined)
        return 'done'
      })
      await expect(failed).rejects.toMatchObject({ code: 'failed' })
      expect(await ids()).toEqual([])
    })

    test('wait for what the work did not wait for', async () => {
      const events: string[] = []
      const result = await database.transaction(
        async (to) => {
          for (let id = 1; id <= 50; id++) to.query(insert(id)).catch(() => undefined)
          to.query(sql`select pg_sleep(0.05)`).then(
            () => events.push('answered'),
            () => undefined,
          )
          return 'sent'
        },
        { onSent: () => events.push('sent') },
      )
      expect(result).toBe('sent')
      expect(events).toEqual(['sent', 'answered'])
      expect(await ids()).toHaveLength(50)
    })

    test('leave nothing when one of those failed, and say which', async () => {
      const failed = database.transaction(async (to) => {
        for (const id of [1, 2, 2, 3]) to.query(insert(id)).catch(() => undefined)
      })
      await expect(failed).rejects.toMatchObject({ code: 'failed', sqlState: '23505' })
      expect(await ids()).toEqual([])
      await database.transaction(async (to) => void to.query(insert(4)).catch(() => undefined))
      expect(await ids()).toEqual([4])
    })

    test('leave nothing when a value of one cannot be sent, as the last of them or among others', async () => {
      for (const last of [insert(Number.NaN), insert(3)]) {
        const failed = database.transaction(async (to) => {
          to.query(insert(1)).catch(() => undefined)
          to.query(insert(Number.NaN)).catch(() => undefined)
          to.query(last).catch(() => undefined)
        })
        await expect(failed).rejects.toMatchObject({ code: 'failed', message: 'A number for SQL must be finite' })
        expect(await ids()).toEqual([])
      }
    })

    test('cannot be used after their end', async () => {
      const to = await database.transaction(async (to) => to)
      await expect(to.query(insert(1))).rejects.toMatchObject({ code: 'failed' })
      expect(await ids()).toEqual([])
    })

    test('are seen by others as a whole, however many there are at once', async () => {
      const pairs = Array.from({ length: 20 }, (_, i) =>
        database.transaction(async (to) => {
          await to.query(insert(2 * i))
          await to.query(insert(2 * i + 1))
        }),
      )
      for (let i = 0; i < 5; i++) expect((await ids()).length % 2).toBe(0)
      await Promise.all(pairs)
      expect(await ids()).toHaveLength(40)
    })
  })

  test('reads side by side, steady or not, have answers of their own, transactions between them', async () => {
    const read = (id: number) => {
      const statement = sql`select ${id}::int4 as id, (select count(*)::int4 from notes) as count`
      return database.read.query(id % 3 === 0 ? sql.steady(statement) : statement)
    }
    const both: Promise<unknown>[] = []
    const counts: number[] = []
    for (let id = 1; id <= 60; id++) {
      both.push(
        read(id).then(([row]) => {
          expect(row?.id).toBe(id)
          counts.push(Number(row?.count))
        }),
      )
      if (id % 10 === 0) {
        both.push(
          database.transaction(async (to) => {
            await to.query(insert(id))
            await to.query(insert(id + 1000))
          }),
        )
      }
    }
    await Promise.all(both)
    expect(counts.filter((count) => count % 2 !== 0)).toEqual([])
    expect(await ids()).toHaveLength(12)
    // A rollback takes nothing back of how reads are planned.
    await expect(database.transaction(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours')
    for (let id = 1; id <= 6; id++) expect((await read(id))[0]).toEqual({ id, count: 12 })
  })

  describe('failures have a code', () => {
    test('a statement that makes no sense', async () => {
      const read = database.read.query(sql`select 1 / 0`)
      await expect(read).rejects.toMatchObject({ name: 'StoreError', code: 'failed', sqlState: '22012' })
    })

    test('a table, a column or a function that is not there: a newer version changed them', async () => {
      for (const [statement, sqlState] of [
        [sql`select nothing from nowhere`, '42P01'],
        [sql`select nothing from pg_class`, '42703'],
        [sql`select nothing()`, '42883'],
      ] as const)
        await expect(database.read.query(statement)).rejects.toMatchObject({
          name: 'StoreError',
          code: 'mismatch',
          sqlState,
          message: expect.stringMatching(/^The tables are of another version of this program: /),
        })
    })

    test('a damaged file', async () => {
      for (const sqlState of ['XX001', 'XX002']) {
        const read = database.read.query(
          sql.raw(`do $$ begin raise exception 'bad' using errcode = '${sqlState}'; end $$`),
        )
        await expect(read).rejects.toMatchObject({ code: 'damaged', sqlState })
        await expect(read).rejects.toThrow(
          /^Files of the database are damaged: bad. Go back to a copy, or use an empty/,
        )
      }
    })

    test('a rule of the table', async () => {
      const write = database.transaction(async (to) => {
        await to.query(insert(1))
        await to.query(insert(1))
      })
      await expect(write).rejects.toMatchObject({ code: 'failed', sqlState: '23505' })
    })

    test('writing where only reading is allowed', async () => {
      await expect(database.read.query(insert(1))).rejects.toMatchObject({ sqlState: '25006' })
    })
  })

  describe('a statement that does not end', () => {
    test('is ended, and what was committed is there', async () => {
      // In memory it would go with the thread; see the tests of folders.
      if (driver === 'pglite') return
      await using own = await freshDatabase(driver, { migrations: notes, readTimeoutMs: 1_000 })
      await own.transaction((to) => to.query(insert(1)))
      await expect(own.read.query(slow)).rejects.toMatchObject({ code: 'timeout' })
      await expect(own.read.query(slow, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' })
      const within = own.transaction((to) => to.query(slow, { timeoutMs: 200 }))
      await expect(within).rejects.toMatchObject({ code: 'timeout' })
      // A busy machine may take longer for it than the reads above may.
      expect(await own.read.query(sql`select id from notes`, { timeoutMs: 300_000 })).toEqual([{ id: 1 }])
    })

    test('more time can be had', async () => {
      const [row] = await database.read.query(sql`select pg_sleep(0) is null as slept`, { timeoutMs: 300_000 })
      expect(row).toEqual({ slept: false })
    })

    test('no caller waits longer than they want to', async () => {
      const rejected = { code: 'aborted' }
      const before = database.read.query(sql`select 1`, { signal: AbortSignal.abort() })
      await expect(before).rejects.toMatchObject(rejected)
      const while_ = database.read.query(sql`select pg_sleep(2)`, { signal: AbortSignal.timeout(50) })
      await expect(while_).rejects.toMatchObject(rejected)
      expect(await ids()).toEqual([])
    })
  })

  test('one leads at a time', async () => {
    const never = new AbortController().signal
    const first = await database.lead(never)
    let leads = false
    const second = database.lead(never).then((leadership) => {
      leads = true
      return leadership
    })
    const tired = database.lead(AbortSignal.timeout(100))
    await expect(tired).rejects.toMatchObject({ code: 'aborted' })
    await sleep(200)
    expect(leads).toBe(false)
    expect(first.lost.aborted).toBe(false)
    await first.release()
    await (await second).release()
  })
})

// Side by side: they mostly wait.
describe.concurrent.each(drivers)('the end of %s', (driver) => {
  test('closing lets what runs finish and refuses the rest', async ({ expect }) => {
    const database = await freshDatabase(driver, { migrations: notes, closeMs: 60_000 })
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const running = database.transaction(async (to) => {
      await to.query(sql`insert into notes values (1, 'x')`)
      begin()
      await sleep(100)
      return (await to.query(sql`select word from notes`)).length
    })
    await begun
    const closing = database.close()
    await expect(database.read.query(sql`select 1`)).rejects.toMatchObject({ code: 'closed' })
    await expect(database.transaction(async () => 1)).rejects.toMatchObject({ code: 'closed' })
    expect(await running).toBe(1)
    await closing
    await database[Symbol.asyncDispose]()
  })

  test('a transaction in which nothing happens is ended', async ({ expect }) => {
    await using database = await freshDatabase(driver, { migrations: notes, idleMs: 300 })
    const idle = database.transaction(async (to) => {
      await to.query(sql`insert into notes values (1, 'x')`)
      await sleep(1_500)
      await to.query(sql`select 1`)
    })
    await expect(idle).rejects.toMatchObject({ name: 'StoreError' })
    expect(await database.read.query(sql`select id from notes`)).toEqual([])
  })
})
