import { describe, expect, test } from 'vitest'
import { migrateCommand } from '../../../server/cli/migrate/command.ts'
import { openDatabase, SCHEMA_STEP, sql } from '../../../server/store/index.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

async function run(...argv: string[]) {
  const lines: string[] = []
  const say = (text: string) => void lines.push(text)
  const code = await migrateCommand.run(argv, { env: {}, out: say, err: say })
  return { code, text: lines.join('\n') }
}

describe.runIf(drivers.includes('postgres'))('a PostgreSQL', () => {
  test('is looked at, changed once, and then there is nothing to do', async () => {
    const address = await emptyDatabase()
    const place = ['--database', address]
    const look = await run(...place, '--dry-run')
    expect(look).toEqual({
      code: 0,
      text: expect.stringMatching(/^Steps that would run: 0001_chain, .*\n.*no transactions yet/),
    })
    expect((await run(...place, '--dry-run')).text).toBe(look.text)
    expect((await run(...place)).text).toMatch(/^Steps that ran: 0001_chain, /)
    expect((await run(...place)).text).toBe(`Nothing to do: all ${SCHEMA_STEP} steps have run.`)
    await dropDatabase(address)
  })

  test('of an older version lacks the last step', async () => {
    const address = await emptyDatabase()
    await (
      await openDatabase({ database: address, migrations: migrations.slice(0, -1), readTimeoutMs: PATIENCE_MS })
    ).close()
    const { text } = await run('--database', address, '--dry-run', '--json')
    expect(JSON.parse(text)).toMatchObject({ pending: [migrations.at(-1)?.name], ran: [] })
    await dropDatabase(address)
  })

  test('that no analyze has seen, as after a restore, is not said to be empty', async () => {
    const address = await emptyDatabase()
    const database = await openDatabase({ database: address, migrations: [], readTimeoutMs: PATIENCE_MS })
    await database.transaction(async (to) => {
      await to.query(sql`create table transactions (hash bytea primary key) with (autovacuum_enabled = false)`)
      await to.query(
        sql`insert into transactions select decode(md5(n::text), 'hex') from generate_series(1, 5000) as n`,
      )
    })
    await database.close()
    const { text } = await run('--database', address, '--dry-run')
    expect(text).toMatch(/about [1-9]\d* transactions/)
    await dropDatabase(address)
  })

  test('error: of a newer version', async () => {
    const address = await emptyDatabase()
    const database = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })
    const next = SCHEMA_STEP + 1
    await database.transaction((to) => to.query(sql`insert into tonrpc_migrations values (${next}, 'newer', '', 0)`))
    await database.close()
    const { code, text } = await run('--database', address)
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        /the database was not changed: The database was made by a newer version .* Use that version/,
      ),
    ])
    await dropDatabase(address)
  })
})

test('error: the embedded database, and one that does not answer', async () => {
  expect(await run('--dry-run')).toEqual({
    code: 2,
    text: expect.stringMatching(/embedded database .* when it starts/),
  })
  const { code, text } = await run('--database', 'postgres://a:hidden@127.0.0.1:1/x')
  expect([code, text]).toEqual([1, expect.stringMatching(/the database was not changed: .*127\.0\.0\.1/)])
  expect(text).not.toContain('hidden')
})
