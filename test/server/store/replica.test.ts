// Reads go to the replica while it answers, has the same chain and tables, and has the newest block that was reported to callers;
// otherwise they go to the primary. Its address leads through a relay that can be cut; a copy of the primary stands for it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, type MasterId, openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { freePort } from '../../setup/freePort.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const PATIENCE = { timeout: 300_000 }
const nameOf = (address: string): string => new URL(address).pathname.slice(1)

/** A port that leads to the server of an address, until it is cut. */
async function relayTo(address: string) {
  const { hostname, port } = new URL(address)
  const sockets = new Set<Socket>()
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const listen = (at: number) => new Promise<void>((resolve) => void relay.listen(at, '127.0.0.1', resolve))
  await listen(await freePort())
  const own = new URL(address)
  // The cast: it listens on a port.
  own.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  const cut = async () => {
    const closed = new Promise((resolve) => void relay.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  onTestFinished(() => void (relay.listening && cut()))
  return { address: own.href, cut, mend: () => listen(Number(own.port)) }
}

/** A primary of one chain, and what stands for its replica. */
async function pair(prepare: (primary: Database) => Promise<unknown>) {
  const primary = await emptyDatabase()
  onTestFinished(() => dropDatabase(primary))
  const first = await openDatabase({ database: primary, readTimeoutMs: PATIENCE_MS })
  await prepare(first).finally(() => first.close())
  const copy = await emptyDatabase(nameOf(primary))
  onTestFinished(() => dropDatabase(copy))
  const relay = await relayTo(copy)
  const notices: string[] = []
  const open = () =>
    openDatabase({
      database: primary,
      databaseRead: relay.address,
      readTimeoutMs: PATIENCE_MS,
      notice: (text) => notices.push(text),
    })
  const nameIn = async (database: Database) => {
    const [row] = await database.read.query(sql`select current_database()::text as name`)
    if (row?.name === nameOf(primary)) return 'primary'
    return row?.name === nameOf(copy) ? 'replica' : 'neither'
  }
  return { primary, copy, relay, notices, open, nameIn }
}

const ofChain = (network: string) => (database: Database) =>
  database.transaction((to) =>
    to.query(sql`insert into chain_identity values (true, ${network}, ${Buffer.alloc(32)}, ${Buffer.alloc(32)}, 1)`),
  )

/** Some masterchain blocks, of which the newest is `last`. */
const FIRST = 1000
const filled = async (database: Database) => {
  const { lastMcSeqno } = await fill(database, { transactions: 200 })
  expect(lastMcSeqno).toBeGreaterThan(FIRST + 3)
}

async function onDatabase(address: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

const goTo = (address: string, last: number): Promise<void> =>
  onDatabase(address, `update indexer_cursor set last_mc_seqno = ${last}`)

async function headAt(database: Database, seqno: number): Promise<MasterId> {
  const rows = await database.read.query<{ root_hash: Uint8Array }>(
    sql`select root_hash from blocks where workchain = -1 and seqno = ${seqno}`,
  )
  return { seqno, rootHash: rows[0]?.root_hash ?? new Uint8Array() }
}

const GONE = 'replica unreachable: reads go to the primary until it answers'
const BACK = 'replica reachable again'

describe.runIf(drivers.includes('postgres'))('a replica', () => {
  test('that is gone fails no read, and is read from again when it is back', async () => {
    const { relay, notices, open, nameIn } = await pair(ofChain('one'))
    await using opened = await closing(open())
    const { database } = opened
    expect(await nameIn(database)).toBe('replica')
    const running = Array.from({ length: 20 }, () => nameIn(database))
    await relay.cut()
    expect(new Set(await Promise.all([...running, ...Array.from({ length: 20 }, () => nameIn(database))]))).toContain(
      'primary',
    )
    expect(await nameIn(database)).toBe('primary')
    expect(notices).toEqual([GONE])
    await relay.mend()
    await expect.poll(() => nameIn(database), PATIENCE).toBe('replica')
    expect(notices).toEqual([GONE, BACK])
  })

  test('has the limits of a call, whose signal is no field of its own', async () => {
    const { open, nameIn } = await pair(ofChain('one'))
    await using opened = await closing(open())
    expect(await nameIn(opened.database)).toBe('replica')
    class LeftCall {
      get signal(): AbortSignal {
        return AbortSignal.abort()
      }
    }
    await expect(opened.database.read.query(sql`select 1`, new LeftCall())).rejects.toThrow('the caller has gone')
  })

  test('that is not there at the start is waited for by nobody', async () => {
    const { relay, notices, open, nameIn } = await pair(ofChain('one'))
    await relay.cut()
    await using opened = await closing(open())
    expect(await nameIn(opened.database)).toBe('primary')
    expect(notices).toEqual([GONE])
    await relay.mend()
    await expect.poll(() => nameIn(opened.database), PATIENCE).toBe('replica')
  })

  test('that is away together with its primary is not noted at each try of a start', async () => {
    const { relay } = await pair(ofChain('one'))
    await relay.cut()
    const notices: string[] = []
    const away = () =>
      openDatabase({
        database: relay.address,
        databaseRead: `${relay.address}?application_name=replica`,
        readTimeoutMs: PATIENCE_MS,
        notice: (text) => notices.push(text),
      })
    for (let tries = 0; tries < 3; tries++) await expect(away()).rejects.toMatchObject({ code: 'unavailable' })
    expect(notices).toEqual([])
  })

  test('of another chain is not read from, whenever it comes', async () => {
    const { copy, relay, notices, open, nameIn } = await pair(ofChain('one'))
    const other = await openDatabase({ database: copy, readTimeoutMs: PATIENCE_MS })
    await other
      .transaction((to) => to.query(sql`update chain_identity set network = 'two'`))
      .finally(() => other.close())
    await using opened = await closing(open())
    expect(await nameIn(opened.database)).toBe('primary')
    await relay.cut()
    await relay.mend()
    const again = await openDatabase({ database: copy, readTimeoutMs: PATIENCE_MS })
    expect(await nameIn(opened.database)).toBe('primary')
    expect(notices).toEqual([GONE])
    await again
      .transaction((to) => to.query(sql`update chain_identity set network = 'one'`))
      .finally(() => again.close())
    await expect.poll(() => nameIn(opened.database), PATIENCE).toBe('replica')
  })

  test('with older tables is not read from until it has the newer ones', async () => {
    const { copy, notices, open, nameIn } = await pair(ofChain('one'))
    const newest = 'number = (select max(number) from tonrpc_migrations)'
    await onDatabase(copy, `create table kept as select * from tonrpc_migrations where ${newest}`)
    await onDatabase(copy, `delete from tonrpc_migrations where ${newest}`)
    await using opened = await closing(open())
    expect(await nameIn(opened.database)).toBe('primary')
    expect(notices).toEqual([GONE])
    await onDatabase(copy, 'insert into tonrpc_migrations select * from kept')
    await expect.poll(() => nameIn(opened.database), PATIENCE).toBe('replica')
  })

  test('that does not have the block reported to callers is not read from until it has it', async () => {
    const { copy, open, nameIn } = await pair(filled)
    await goTo(copy, FIRST + 1)
    await using opened = await closing(open())
    const { database } = opened
    expect(await nameIn(database)).toBe('replica')
    database.keepUp?.(await headAt(database, FIRST + 1))
    expect(await nameIn(database)).toBe('replica')
    database.keepUp?.(await headAt(database, FIRST + 2))
    expect(await nameIn(database)).toBe('primary')
    await goTo(copy, FIRST + 3)
    await expect.poll(() => nameIn(database), PATIENCE).toBe('replica')
    database.keepUp?.({ seqno: FIRST + 3, rootHash: new Uint8Array(32) })
    expect(await nameIn(database)).toBe('primary')
  })

  test('that has the blocks of before a revert is not read from until it has undone them', async () => {
    const { copy, open, nameIn } = await pair(filled)
    await goTo(copy, FIRST + 2)
    await using opened = await closing(open())
    const { database } = opened
    const before = await headAt(database, FIRST + 2)
    const after = await headAt(database, FIRST + 1)
    database.keepUp?.(before)
    expect(await nameIn(database)).toBe('replica')
    database.keepUp?.(null)
    expect(await nameIn(database)).toBe('primary')
    database.keepUp?.(after)
    expect(await nameIn(database)).toBe('primary')
    await goTo(copy, FIRST + 1)
    await expect.poll(() => nameIn(database), PATIENCE).toBe('replica')
  })

  test('is not read from by a call that has read from the primary', async () => {
    const { relay, open, nameIn } = await pair(ofChain('one'))
    await relay.cut()
    await using opened = await closing(open())
    const { signal } = new AbortController()
    const call = { signal }
    const nameInCall = async () =>
      (await opened.database.read.query(sql`select current_database()::text as name`, call))[0]
    const primary = await nameInCall()
    await relay.mend()
    await expect
      .poll(async () => {
        // Each read of it is a moment after the one before.
        expect(await nameInCall()).toEqual(primary)
        return await nameIn(opened.database)
      }, PATIENCE)
      .toBe('replica')
    expect(await nameInCall()).toEqual(primary)
  })

  test('that ends a read for what it replays: the primary answers it, and the next ones go to the replica', async () => {
    const { copy, notices, open, nameIn } = await pair((primary) =>
      primary.transaction((to) => to.query(sql`create function found() returns int language sql as 'select 7'`)),
    )
    await onDatabase(
      copy,
      `create or replace function found() returns int language plpgsql as $$ begin
        raise exception 'canceling statement due to conflict with recovery' using errcode = '40001'; end $$`,
    )
    await using opened = await closing(open())
    expect(await opened.database.read.query(sql`select found() as found`)).toEqual([{ found: 7 }])
    expect(await nameIn(opened.database)).toBe('replica')
    expect(notices).toEqual([])
  })

  test('is read from while its primary is away', async () => {
    const { primary, open, nameIn } = await pair(ofChain('one'))
    await using opened = await closing(open())
    await onServer(`alter database ${nameOf(primary)} with allow_connections false`)
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(primary)}'`)
    expect(await nameIn(opened.database)).toBe('replica')
  })
})

async function closing(opening: Promise<Database>) {
  const database = await opening
  return { database, [Symbol.asyncDispose]: () => database.close() }
}
