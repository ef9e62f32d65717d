// Reads go to the replica while it answers and has the same chain, else to the primary. Its address leads through a relay that
// can be cut; a copy of the primary stands for it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../setup/database.ts'
import { freePort } from '../../setup/freePort.ts'

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
  const first = await openDatabase({ database: primary })
  await prepare(first).finally(() => first.close())
  const copy = await emptyDatabase(nameOf(primary))
  onTestFinished(() => dropDatabase(copy))
  const relay = await relayTo(copy)
  const notices: string[] = []
  const open = () =>
    openDatabase({ database: primary, databaseRead: relay.address, notice: (text) => notices.push(text) })
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

  test('of another chain is not read from, whenever it comes', async () => {
    const { copy, relay, notices, open, nameIn } = await pair(ofChain('one'))
    const other = await openDatabase({ database: copy })
    await other
      .transaction((to) => to.query(sql`update chain_identity set network = 'two'`))
      .finally(() => other.close())
    await using opened = await closing(open())
    expect(await nameIn(opened.database)).toBe('primary')
    await relay.cut()
    await relay.mend()
    const again = await openDatabase({ database: copy })
    expect(await nameIn(opened.database)).toBe('primary')
    expect(notices).toEqual([GONE])
    await again
      .transaction((to) => to.query(sql`update chain_identity set network = 'one'`))
      .finally(() => again.close())
    await expect.poll(() => nameIn(opened.database), PATIENCE).toBe('replica')
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
