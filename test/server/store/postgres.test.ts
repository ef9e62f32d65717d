import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAddress, showAddress } from '../../../server/store/databaseAddress.ts'
import { type Database, openDatabase, sql } from '../../../server/store/index.ts'
import { leadByLease } from '../../../server/store/postgres/lease.ts'
import { drivers, dropDatabase, emptyDatabase, freshDatabase, onServer } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { root } from '../../setup/runningService.ts'

const steps = [{ number: 1, name: '0001_notes', sql: 'create table notes (id int4 primary key, n int4 not null)' }]

describe('addresses', () => {
  test('never show user and password', () => {
    expect(showAddress('postgres://me:secret@db.example:5433/ton?sslmode=require&password=secret')).toBe(
      'db.example:5433/ton',
    )
    expect(showAddress('postgres:///ton')).toBe('localhost/ton')
    expect(isAddress('mysql://a/b')).toBe(false)
    expect(isAddress('postgres://a b')).toBe(false)
  })

  test('nothing of them is in a refusal', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise((resolve) => closed.close(resolve))
    for (const database of [
      `postgres://me:s3cret@127.0.0.1:${port}/ton`,
      'postgres//me:s3cret@host',
      'postgres://me:s3cret@[',
    ]) {
      const error: unknown = await openDatabase({ database }).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ name: 'StoreError' })
      for (let each = error; each instanceof Error; each = each.cause) {
        expect(`${each.message} ${each.stack} ${JSON.stringify(each)}`).not.toContain('s3cret')
      }
    }
  })

  test('the embedded database has no replica', async () => {
    const refused = openDatabase({ database: 'pglite', databaseRead: 'postgres://a/b' })
    await expect(refused).rejects.toMatchObject({ code: 'failed', message: expect.stringMatching(/no replica/) })
  })
})

/** Ends connections to this one database from outside, as a restart of the server does. */
async function endConnections(database: Database, which = 'true'): Promise<void> {
  const [row] = await database.read.query(sql`select current_database() as name`)
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${row?.name}' and ${which}`)
}

/** Of the server, beyond the limit of a statement. */
const GRACE_MS = 1_000

/** A program that ends once a read under a limit of its own is answered in the named database: then its transaction is over. */
const IS_ANSWERED = `
  import pg from 'pg'
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
  await client.connect()
  const text = "select from pg_stat_activity where datname = $1 and query = 'commit' and state = 'idle'"
  while ((await client.query(text, [process.argv[1]])).rowCount === 0);
  await client.end()`

describe.runIf(drivers.includes('postgres'))('a server', () => {
  test('reads pages along its indexes, by the cost that it was told or by one of memory', async () => {
    const costOf = async (database: Database): Promise<unknown> =>
      (await database.read.query(sql`select current_setting('random_page_cost') as cost`))[0]?.cost
    await using database = await freshDatabase('postgres', { migrations: steps })
    expect(await costOf(database)).toBe('1.1')
    const [row] = await database.read.query<{ name: string }>(sql`select current_database() as name`)
    await onServer(`alter database ${row?.name} set random_page_cost = 2`)
    await endConnections(database)
    await expect.poll(() => costOf(database)).toBe('2')
  })

  test('whose user has settings that alter what is stored is refused in words', async () => {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    const name = new URL(address).pathname.slice(1)
    for (const setting of ['array_nulls', 'standard_conforming_strings']) {
      await onServer(`alter database ${name} set ${setting} = off`)
      await expect(openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })).rejects.toMatchObject({
        code: 'mismatch',
        message: expect.stringMatching(`has ${setting} off .* SET ${setting} = on`),
      })
      await onServer(`alter database ${name} reset ${setting}`)
    }
    await (await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })).close()
  })

  test('whose encoding lacks characters is refused in words', async () => {
    for (const [encoding, isRefused] of [
      ['LATIN1', true],
      ['EUC_JP', true],
      ['SQL_ASCII', false],
    ] as const) {
      const address = await emptyDatabase(`template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`)
      onTestFinished(() => dropDatabase(address))
      const opened = openDatabase({ database: address, migrations: steps, readTimeoutMs: PATIENCE_MS })
      if (isRefused)
        await expect(opened).rejects.toMatchObject({
          code: 'mismatch',
          message: expect.stringMatching(`has the encoding ${encoding}.* with ENCODING 'UTF8'`),
        })
      else await (await opened).close()
    }
  })

  test('that has answered in time is read, though this process was kept from running for longer than the limit', async () => {
    await using database = await freshDatabase('postgres', { migrations: steps })
    const [row] = await database.read.query<{ name: string }>(sql`select current_database() as name`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const answer = database.read.query(sql`select 7 as seven`, { timeoutMs: PATIENCE_MS })
    await new Promise((resolve) => setImmediate(resolve))
    // This process stands still until the server has answered.
    execFileSync(process.execPath, ['--input-type=module', '-e', IS_ANSWERED, row?.name ?? ''], { cwd: root })
    vi.advanceTimersByTime(PATIENCE_MS + GRACE_MS)
    expect(await answer).toEqual([{ seven: 7 }])
  })

  test('that restarts is hidden from readers, and reported to writers', async () => {
    await using database = await freshDatabase('postgres', { migrations: steps })
    const running = database.read.query(sql`select pg_sleep(0.3), 1 as one`)
    await sleep(100)
    await endConnections(database)
    expect((await running)[0]?.one).toBe(1)
    const writing = database.transaction(async (to) => {
      await to.query(sql`insert into notes values (1, 1)`)
      await endConnections(database)
      await to.query(sql`insert into notes values (2, 1)`)
    })
    await expect(writing).rejects.toMatchObject({ code: 'unavailable' })
    expect(await database.read.query(sql`select id from notes`)).toEqual([])
  })

  test("two transactions in each other's way both succeed", async () => {
    await using database = await freshDatabase('postgres', { migrations: steps })
    await database.transaction((to) => to.query(sql`insert into notes values (1, 0), (2, 0)`))
    let runs = 0
    let holding = 0
    const bothHold = new EventEmitter()
    const add = ([first, second]: readonly [number, number]) =>
      database.transaction(async (to) => {
        runs++
        await to.query(sql`update notes set n = n + 1 where id = ${first}`)
        // Each holds its first row before either goes on to the row of the other.
        if (++holding === 2) bothHold.emit('now')
        else if (holding === 1) await once(bothHold, 'now')
        await to.query(sql`update notes set n = n + 1 where id = ${second}`)
      })
    await Promise.all([add([1, 2]), add([2, 1])])
    expect(runs).toBeGreaterThan(2)
    expect(await database.read.query(sql`select n from notes`)).toEqual([{ n: 2 }, { n: 2 }])
  })

  test('a read in the way of a change of its tables is answered all the same', async () => {
    const both = [...steps, { number: 2, name: '0002_more', sql: 'create table more (id int4 primary key)' }]
    await using database = await freshDatabase('postgres', { migrations: both })
    let reading: Promise<readonly unknown[]> | undefined
    await database.transaction(async (to) => {
      await to.query(sql`alter table more add column word text`)
      // It has the first of its tables, and waits for the second: the server ends it, which has waited longest.
      reading = database.read.query(sql`select count(*)::int4 as rows from notes, more`)
      reading.catch(() => undefined)
      const waiting = sql`select from pg_locks where not granted and relation = 'more'::regclass`
      await expect.poll(() => to.query(waiting)).toHaveLength(1)
      await to.query(sql`alter table notes add column word text`)
    })
    expect(await reading).toEqual([{ rows: 0 }])
  })

  test('gets no more connections than it was said, and those who wait are bounded', async () => {
    await using database = await freshDatabase('postgres', { migrations: [], readConnections: 2, queueLimit: 3 })
    const reads = Array.from({ length: 8 }, () => database.read.query(sql`select pg_sleep(0.2)`))
    const results = await Promise.allSettled(reads)
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'busy' } })
  })

  test('knows who reads, and how long', async () => {
    await using database = await freshDatabase('postgres', { migrations: [], readTimeoutMs: 3000 })
    const [row] = await database.read.query(sql`select current_setting('application_name') as name,
      current_setting('statement_timeout') as time, current_setting('idle_in_transaction_session_timeout') as idle`)
    expect(row).toEqual({ name: 'tonrpc', time: '3s', idle: '5s' })
  })

  test('a leader whose connection is cut learns of it, and another follows', async () => {
    await using database = await freshDatabase('postgres', { migrations: [] })
    const never = new AbortController().signal
    const first = await database.lead(never)
    const lost = new Promise((resolve) => first.lost.addEventListener('abort', resolve, { once: true }))
    const second = database.lead(never)
    await endConnections(database, "pid in (select pid from pg_locks where locktype = 'advisory' and granted)")
    await lost
    await (await second).release()
  })

  test('without advisory locks is led by lease', async () => {
    await using database = await freshDatabase('postgres', { migrations: [] })
    const never = new AbortController().signal
    // Long enough that a busy machine renews it in time.
    const leaseMs = 8_000
    const first = await leadByLease(database, never, { leaseMs })
    const second = leadByLease(database, never, { leaseMs })
    const tired = leadByLease(database, AbortSignal.timeout(300), { leaseMs })
    await expect(tired).rejects.toMatchObject({ code: 'aborted' })
    await sleep(leaseMs * 1.5)
    expect(first.lost.aborted).toBe(false)
    await first.release()
    const next = await second
    // A caller with a clock of its own takes it away.
    await database.transaction((to) => to.query(sql`update tonrpc_leader set holder = 'other', until = until + 100000`))
    await expect.poll(() => next.lost.aborted).toBe(true)
    onTestFinished(() => next.release())
  })

  test('two that look for a lease at the first instant make its table once', async () => {
    await using database = await freshDatabase('postgres', { migrations: steps })
    const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const second = await database.transaction(async (to) => {
      await to.query(sql`create table tonrpc_leader (id int4 primary key, holder text not null, until int8 not null)`)
      const leading = leadByLease(database, new AbortController().signal, { leaseMs: 60_000 })
      leading.catch(() => undefined)
      // A transaction in which nothing happens would be ended after some seconds.
      const seen = async () => [await to.query(sql`select 1`), await database.read.query(waiting)][1]
      await expect.poll(seen).toHaveLength(1)
      return { leading }
    })
    const lease = await second.leading
    expect(lease.lost.aborted).toBe(false)
    await lease.release()
  })

  test('a lease that is released while it is renewed is free at once', async () => {
    await using database = await freshDatabase('postgres', { migrations: [] })
    const begun = new EventEmitter()
    const all: Promise<unknown>[] = []
    const slow: Pick<Database, 'transaction'> = {
      transaction: (work, options) => {
        // The fifth call, after the table and the first lease between two looks for a lock, is a renewal: it reaches the database late.
        const isLate = all.length === 4
        if (isLate) begun.emit('renewal')
        const done = (isLate ? sleep(300) : Promise.resolve()).then(() => database.transaction(work, options))
        all.push(done)
        return done
      },
    }
    const renewal = once(begun, 'renewal')
    // It is lost when a busy machine renews it too late.
    const lease = await leadByLease(slow, new AbortController().signal, { leaseMs: 15_000 })
    await renewal
    await lease.release()
    await Promise.all(all)
    const [row] = await database.transaction((to) => to.query<{ until: string }>(sql`select until from tonrpc_leader`))
    expect(Number(row?.until)).toBe(0)
  })
})
