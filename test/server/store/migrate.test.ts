import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, planOfDatabase, readPage, sql, transactionsRead } from '../../../server/store/index.ts'
import { migrate, planMigrations } from '../../../server/store/migrate.ts'
import { type Migration, migrations } from '../../../server/store/migrations/index.ts'
import { drivers, dropDatabase, emptyDatabase, freshDatabase, onServer } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const first: Migration = { number: 1, name: '0001_first', sql: 'create table a (id int4);\ncreate table b (id int4)' }
const second: Migration = {
  number: 2,
  name: '0002_second',
  sql: 'insert into a values (1); alter table b add word text',
}
const broken: Migration = { number: 2, name: '0002_broken', sql: 'insert into a values (2); create table a (id int4)' }

describe.each(drivers)('%s', (driver) => {
  test('the steps of this program run, and run once', async () => {
    await using database = await freshDatabase(driver)
    await migrate(database, migrations)
    const applied = await database.read.query(sql`select name from tonrpc_migrations where number > 0 order by number`)
    expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
  })

  test('new steps run after those that ran, in order', async () => {
    await using database = await freshDatabase(driver, { migrations: [first] })
    await migrate(database, [first, second])
    await migrate(database, [first, second])
    expect(await database.read.query(sql`select a.id, word from a left join b on true`)).toEqual([
      { id: 1, word: null },
    ])
  })

  test('of a database that a dump is being restored into nothing is written: its steps are still to come', async () => {
    await using database = await freshDatabase(driver, { migrations: [first] })
    await database.transaction(async (to) => {
      await to.query(sql`alter table tonrpc_migrations rename to whole`)
      await to.query(sql`create table tonrpc_migrations (like whole)`)
    })
    await expect(migrate(database, [first, second])).rejects.toMatchObject({
      code: 'conflict',
      message: /tonrpc_migrations has no indexes yet, as while a dump is restored/,
    })
    expect(await database.read.query(sql`select 1 as one from tonrpc_migrations`)).toEqual([])
    await database.transaction(async (to) => {
      await to.query(sql`drop table tonrpc_migrations`)
      await to.query(sql`alter table whole rename to tonrpc_migrations`)
    })
    await migrate(database, [first, second])
  })

  test.runIf(driver === 'postgres')('no step runs between two parts of a restore, and none is planned', async () => {
    const address = await emptyDatabase()
    const database = await openDatabase({ database: address })
    onTestFinished(async () => {
      await database.close()
      await dropDatabase(address)
    })
    await database.transaction(async (to) => {
      await to.query(sql`alter table blocks rename to whole`)
      await to.query(sql`create table blocks (like whole)`)
    })
    const next: Migration = {
      number: migrations.length + 1,
      name: '9999_next',
      sql: 'create table too_early (id int4)',
    }
    const options = { database: address, migrations: [...migrations, next] }
    const restoring = { code: 'conflict', message: /blocks has no indexes yet/ }
    await expect(openDatabase(options)).rejects.toMatchObject(restoring)
    await expect(planOfDatabase(options)).rejects.toMatchObject(restoring)
    const [found] = await database.read.query(sql`select to_regclass('too_early') is null as is_not_there`)
    expect(found).toEqual({ is_not_there: true })
  })

  test('each part of a step for an older database is reported, none for an empty one', async () => {
    const long: Migration = { number: 2, name: '0002_long', sql: ['create table c (id int4)', 'drop table c'] }
    const reported: unknown[] = []
    const report = (_: string, facts: object) => reported.push(facts)
    await using database = await freshDatabase(driver, { migrations: [] })
    await migrate(database, [first], report)
    expect(reported).toEqual([])
    await migrate(database, [first, long], report)
    expect(reported).toEqual([1, 2].map((part) => ({ step: '0002_long', part, parts: 2 })))
    await migrate(database, [first, { ...long, sql: 'create table c (id int4)\ndrop table c' }], report)
  })

  test('a first start that was cut short between two steps goes on without a report, until there is a block', async () => {
    const reported: unknown[] = []
    await using database = await freshDatabase(driver, { migrations: migrations.slice(0, 12) })
    await migrate(database, migrations.slice(0, 20), (_, facts) => reported.push(facts))
    expect(reported).toEqual([])
    const columns = await database.read.query<{ name: string; type: string }>(
      sql`select attname::text as name, format_type(atttypid, null) as type from pg_attribute
        where attrelid = 'blocks'::regclass and attnum > 0 and not attisdropped`,
    )
    const values: Readonly<Record<string, unknown>> = { boolean: false, bytea: '\\x00', json: [] }
    const block = Object.fromEntries(columns.map(({ name, type }) => [name, values[type] ?? 0]))
    await database.transaction((to) =>
      to.query(sql`insert into blocks select (jsonb_populate_record(null::blocks, ${JSON.stringify(block)}::jsonb)).*`),
    )
    await migrate(database, migrations.slice(0, 21), (_, facts) => reported.push(facts))
    expect(reported).not.toEqual([])
  })

  test('what steps would do to tables with rows is counted, and timed by sorting', async () => {
    const later: Migration = {
      number: 2,
      name: '0002_later',
      sql: [
        'create index a_by_id on a (id);\nupdate a set id = id + 1',
        'alter table a alter column id type int8; create index b_by_id on b (id)',
      ],
    }
    await using database = await freshDatabase(driver, { migrations: [first] })
    const plan = () => planMigrations(database.read, [first, later])
    expect(await plan()).toMatchObject({ pending: ['0002_later'], changes: [], seconds: null })
    await database.transaction((to) => to.query(sql`insert into a select generate_series(1, 5000)`))
    const { changes, seconds } = await plan()
    expect(changes).toEqual([{ table: 'a', rows: expect.any(Number), bytes: expect.any(Number), passes: 3 }])
    expect(changes[0]?.bytes).toBeGreaterThan(5000 * 4)
    expect(seconds).toBeGreaterThan(0)
  })

  test('the cost counts indexes that may be there already, and updates that give their table a short name', async () => {
    await using database = await freshDatabase(driver, { migrations: migrations.slice(0, 36) })
    await database.transaction((to) =>
      to.query(
        sql`insert into nft_owners (tx_hash, account, is_alone)
          select sha256(n::text::bytea), sha256(n::text::bytea), true from generate_series(1, 1000) as n`,
      ),
    )
    const { changes } = await planMigrations(database.read, migrations.slice(0, 37))
    expect(changes).toMatchObject([{ table: 'nft_owners', passes: 4 }])
  })

  test('a step that fails leaves nothing', async () => {
    await using database = await freshDatabase(driver, { migrations: [first] })
    await expect(migrate(database, [first, broken])).rejects.toMatchObject({ code: 'failed', sqlState: '42P07' })
    expect(await database.read.query(sql`select id from a`)).toEqual([])
    await migrate(database, [first, second])
  })

  test('a step in parts keeps those that ran, and the next start goes on behind them', async () => {
    const inParts: Migration = {
      number: 2,
      name: '0002_parts',
      isInParts: true,
      sql: ['create table c (id int4)', 'create index c_by_id on c (id)', 'create table d (id int4)'],
    }
    await using database = await freshDatabase(driver, { migrations: [first] })
    const run = async (upTo: number) => {
      const ran: unknown[] = []
      const progress = (_: string, { part }: Readonly<Record<string, unknown>>) => {
        if (Number(part) > upTo) throw new Error('cut short')
        ran.push(part)
      }
      await migrate(database, [first, inParts], progress).catch(() => ran.push('cut short'))
      return ran
    }
    expect(await run(2)).toEqual([1, 2, 'cut short'])
    expect((await planMigrations(database.read, [first, inParts])).pending).toEqual(['0002_parts'])
    expect(await database.read.query(sql`select id from c`)).toEqual([])
    expect(await run(3)).toEqual([3])
    expect(await run(3)).toEqual([])
    expect(await database.read.query(sql`select number from tonrpc_migrations order by 1`)).toEqual(
      [0, 1, 2].map((number) => ({ number })),
    )
  })

  test('an index whose keys are made anew, cut short in between, has the same lists', async () => {
    const before = migrations.slice(0, 25)
    const keyed = migrations.slice(0, 26)
    await using database = await freshDatabase(driver, { migrations: before })
    await fill(database, { transactions: 400, accounts: 30 })
    const parts: unknown[] = []
    const progress = (_: string, { part }: Readonly<Record<string, unknown>>) => {
      parts.push(part)
      if (parts.length === 9) throw new Error('cut short')
    }
    await expect(migrate(database, keyed, progress)).rejects.toThrow('cut short')
    await migrate(database, keyed, progress)
    expect(parts.slice(7, 11)).toEqual([8, 9, 9, 10])
    const counted = await database.read.query<{ account: Uint8Array; count: bigint }>(
      sql`select account, count(*) as count from transactions group by account`,
    )
    expect(counted.length).toBeGreaterThan(20)
    for (const { account, count } of counted) {
      const page = transactionsRead({ accounts: [account] }, { limit: 1000, offset: 0, after: null }, 'desc')
      expect((await readPage(database.read, page)).rows).toHaveLength(Number(count))
    }
    const left = sql`select indexname from pg_indexes where indexdef ilike '%substring%' or indexname like '%keyed%'`
    expect(await database.read.query(left)).toEqual([])
  })

  test('a newer database is refused, with what to do', async () => {
    await using database = await freshDatabase(driver, { migrations: [first, second] })
    await expect(migrate(database, [first])).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/newer version.*0002_second.*ends with 0001_first\. Use that version/),
    })
  })

  test('so is one that was made by other steps', async () => {
    await using database = await freshDatabase(driver, { migrations: [first] })
    const changed = { ...first, sql: `${String(first.sql)} ` }
    await expect(migrate(database, [changed, second])).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/0001_first is not what ran there/),
    })
    await migrate(database, [{ ...first, sql: String(first.sql).replaceAll('\n', '\r\n') }])
  })

  test('steps out of order are a mistake of ours', async () => {
    await using database = await freshDatabase(driver, { migrations: [] })
    await expect(migrate(database, [second])).rejects.toThrow(TypeError)
  })

  test('a process that leaves it to others gets an error when they have not', async () => {
    const lacking = freshDatabase(driver, { migrate: false, migrations: [first] })
    await expect(lacking).rejects.toMatchObject({ code: 'mismatch', message: expect.stringMatching(/0001_first/) })
  })
})

/** What transactions of a database are, unless they say otherwise. */
const ISOLATION = ['read committed', 'repeatable read', 'serializable']

test.runIf(drivers.includes('postgres')).each(ISOLATION)(
  'several processes may start at once: %s',
  async (isolation) => {
    const address = await emptyDatabase()
    const name = new URL(address).pathname.slice(1)
    await onServer(`alter database ${name} set default_transaction_isolation = '${isolation}'`)
    await onServer(`alter database ${name} set lock_timeout = 1`)
    const steps = [first, second]
    const open = () => openDatabase({ database: address, migrations: steps, readTimeoutMs: PATIENCE_MS })
    const all = await Promise.all(Array.from({ length: 5 }, open))
    const [database] = all
    expect(await database?.read.query(sql`select count(*) as n from a`)).toEqual([{ n: 1n }])
    await Promise.all(all.map((each) => each.close()))
    const reader = await openDatabase({
      database: address,
      databaseRead: address,
      migrate: false,
      migrations: steps,
      readTimeoutMs: PATIENCE_MS,
    })
    expect(await reader.read.query(sql`select id from a`)).toEqual([{ id: 1 }])
    await reader.close()
    await dropDatabase(address)
  },
)
