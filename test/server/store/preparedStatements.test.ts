// Reads that are repeated are prepared on the server, and what happens when their names are gone or mean something else.

import { describe, expect, test } from 'vitest'
import { type Database, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const steps = [
  {
    number: 1,
    name: '0001_notes',
    sql: `create table notes (id int4 primary key, n int4 not null);
      insert into notes select i, i from generate_series(1, 6000) i`,
  },
]

/** One connection, so that all reads are of one session. */
const opened = () => freshDatabase('postgres', { migrations: steps, readConnections: 1 })

const noteOf = (id: number) => sql`select n from notes where id = ${id}`
const steadyNoteOf = (id: number) => sql.steady(sql`select n from notes where n = ${id}`)

async function readOften({ read }: Database, statementOf = noteOf): Promise<void> {
  for (let i = 1; i <= 8; i++) expect(await read.query(statementOf(i))).toHaveLength(1)
}

interface Prepared {
  readonly statement: string
  readonly generic: bigint
  readonly custom: bigint
}

const preparedOn = ({ read }: Database) =>
  read.query<Prepared & Record<string, unknown>>(sql`select statement, generic_plans as generic, custom_plans as custom
    from pg_prepared_statements where statement like '%notes%' and statement not like '%pg_prepared%'`)

describe.runIf(drivers.includes('postgres'))('a server', () => {
  test('parses a read that is repeated once, and plans it for its values', async () => {
    await using database = await opened()
    await readOften(database)
    const [one, ...others] = await preparedOn(database)
    expect(others).toEqual([])
    expect(one).toMatchObject({ generic: 0n })
    expect(one?.custom).toBeGreaterThanOrEqual(5n)
  })

  test('plans one with one plan for all values once, and others for their values before and after it', async () => {
    await using database = await opened()
    const either = (i: number) => (i % 2 === 0 ? steadyNoteOf(i) : noteOf(i))
    for (let i = 0; i < 4; i++) await readOften(database, either)
    const found = await preparedOn(database)
    const generic = found.filter((one) => one.generic > 0n)
    const custom = found.filter((one) => one.custom > 0n)
    expect(generic.map(({ statement }) => statement)).toEqual([expect.stringContaining('where n =')])
    expect(custom.map(({ statement }) => statement)).toEqual([expect.stringContaining('where id =')])
  })

  test('plans one with one plan for all values once behind one that failed', async () => {
    await using database = await opened()
    const { read } = database
    const shared = (by: number) => sql.steady(sql`select n / ${by}::int4 as share from notes where id = 1`)
    for (let i = 0; i < 4; i++) await read.query(shared(1))
    await readOften(database, steadyNoteOf)
    // Each time another kind of plan is set with it, which its failure undoes.
    for (let i = 0; i < 4; i++) {
      await readOften(database)
      await expect(read.query(shared(0))).rejects.toMatchObject({ code: 'failed', sqlState: '22012' })
      await readOften(database, steadyNoteOf)
    }
    const found = await preparedOn(database)
    expect(found.find(({ statement }) => statement.includes('where n ='))).toMatchObject({ custom: 0n })
    expect(found.find(({ statement }) => statement.includes('select n from notes where id ='))).toMatchObject({
      generic: 0n,
    })
  })

  test('answers, and plans for values, when something has forgotten all of its session', async () => {
    await using database = await opened()
    await readOften(database)
    await readOften(database, steadyNoteOf)
    await database.read.query(sql`deallocate all; reset plan_cache_mode`)
    await readOften(database)
    await readOften(database, steadyNoteOf)
    expect(await preparedOn(database)).toEqual([])
    const [mode] = await database.read.query(sql`select current_setting('plan_cache_mode') as mode`)
    expect(mode).toEqual({ mode: 'force_custom_plan' })
  })

  test('prepares a bounded number of reads, and those that are used most', async () => {
    await using database = await opened()
    const pid = async () => (await database.read.query(sql`select pg_backend_pid() as pid`))[0]?.pid
    const first = await pid()
    // As a stranger may: many of his own before others come.
    for (let i = 0; i < 200; i++)
      for (let again = 0; again < 3; again++)
        await database.read.query(sql`select n from notes where id = ${i} and ${sql.raw(String(i))} = ${i}::int4`)
    expect((await preparedOn(database)).length).toBeLessThanOrEqual(65)
    await readOften(database)
    expect((await preparedOn(database)).map(({ statement }) => statement)).toContain(noteOf(1).text)
    expect(await pid()).toBe(first)
    // However many come, the connection does not get more and more of them.
    for (let i = 0; i < 200; i++)
      for (let again = 0; again < 9 + i / 4; again++)
        await database.read.query(sql`select n from notes where id = ${i} and ${sql.raw(String(-i))} = ${-i}::int4`)
    expect((await preparedOn(database)).length).toBeLessThanOrEqual(65)
    expect(await pid()).not.toBe(first)
  })

  test('answers when a column of a prepared read has changed its type', async () => {
    await using database = await opened()
    await readOften(database)
    await database.transaction((to) => to.query(sql`alter table notes alter column n type int8`))
    expect(await database.read.query(noteOf(5))).toEqual([{ n: 5n }])
    await readOften(database)
    const found = await preparedOn(database)
    expect(found).toHaveLength(2)
    expect(found.every(({ custom }) => custom >= 5n)).toBe(true)
  })

  test('answers when something has forgotten the names of its session, and gives no more', async () => {
    await using database = await opened()
    await readOften(database)
    await database.read.query(sql`deallocate all`)
    expect(await database.read.query(noteOf(5))).toEqual([{ n: 5 }])
    await readOften(database)
    expect(await preparedOn(database)).toEqual([])
  })

  test('reads under another limit run without names, planned for their values', async () => {
    await using database = await opened()
    await readOften(database, steadyNoteOf)
    const limited = { timeoutMs: 200_000 }
    const [mode] = await database.read.query(sql`select current_setting('plan_cache_mode') as mode`, limited)
    expect(mode).toEqual({ mode: 'force_custom_plan' })
    await readOften(database, steadyNoteOf)
    await expect(database.read.query(sql`select 1 / ${0}::int4 as one`, limited)).rejects.toMatchObject({
      code: 'failed',
    })
    await readOften(database, steadyNoteOf)
    const [one] = await preparedOn(database)
    expect(one).toMatchObject({ custom: 0n })
  })
})
