// A PostgreSQL, or a pooler before it, that takes connections and then answers nothing: reads fail in time, no connection to it
// stays, and they succeed once it answers again.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../setup/database.ts'

const PATIENCE = { timeout: 300_000 }
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** In front of a server: while it stalls, what the server says after the login is lost. */
async function stallingProxy(address: string) {
  const { hostname, port } = new URL(address)
  const state = { isStalled: false, held: null as Map<Socket, Buffer> | null }
  const near = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port || 5432), hostname)
    let isLoggedIn = false
    near.add(client)
    client.on('error', () => undefined).on('close', () => near.delete(client) && server.destroy())
    server.on('error', () => undefined).on('close', () => state.held ?? client.destroy())
    client.pipe(server)
    server.on('data', (chunk: Buffer) => {
      if (state.isStalled && isLoggedIn) return
      if (state.held !== null)
        return void state.held.set(client, Buffer.concat([state.held.get(client) ?? Buffer.alloc(0), chunk]))
      isLoggedIn ||= chunk.includes(READY)
      client.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of near) socket.destroy()
    proxy.close()
  })
  const own = new URL(address)
  // The cast: it listens on a port.
  own.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    address: own.href,
    near,
    stall(isStalled: boolean) {
      state.isStalled = isStalled
    },
    /** Keeps what the server says; it is passed on in one piece. */
    hold() {
      const held = new Map<Socket, Buffer>()
      state.held = held
      return {
        has: (part: Buffer | string) => [...held.values()].some((bytes) => bytes.includes(part)),
        letGo() {
          state.held = null
          for (const [client, bytes] of held) client.end(bytes)
        },
      }
    },
    cutAll() {
      for (const socket of near) socket.destroy()
    },
  }
}

describe.runIf(drivers.includes('postgres'))('a server that stalls', () => {
  let address = ''
  beforeAll(async () => {
    address = await emptyDatabase()
    await (await openDatabase({ database: address, readTimeoutMs: PATIENCE.timeout })).close()
  })
  afterAll(() => dropDatabase(address))

  /** A busy server takes a while for a login and a statement. */
  async function openBehindProxy(readTimeoutMs = 10_000) {
    const proxy = await stallingProxy(address)
    const database = await openDatabase({ database: proxy.address, readTimeoutMs, readConnections: 1 })
    onTestFinished(() => {
      proxy.cutAll()
      return database.close()
    })
    return { proxy, database, one: () => database.read.query(sql`select 1 as one`) }
  }

  test('right after the login: the read fails, and later ones succeed', async () => {
    const { proxy, one } = await openBehindProxy(PATIENCE.timeout)
    proxy.stall(true)
    proxy.cutAll()
    const message = expect.stringMatching(
      /no answer came in \d+ ms; a pooler before it may have no session left: give it more/,
    )
    await expect(one()).rejects.toMatchObject({ code: 'unavailable', message })
    proxy.stall(false)
    await expect.poll(() => one().catch(() => null), PATIENCE).toEqual([{ one: 1 }])
  })

  test('while a statement runs: its connection is closed, and the next one is used', async () => {
    const { proxy, one } = await openBehindProxy()
    expect(await one()).toEqual([{ one: 1 }])
    const before = [...proxy.near]
    proxy.stall(true)
    await expect(one()).rejects.toMatchObject({ code: 'timeout' })
    await expect.poll(() => before.some((socket) => !socket.destroyed), PATIENCE).toBe(false)
    proxy.stall(false)
    await expect.poll(() => one().catch(() => null), PATIENCE).toEqual([{ one: 1 }])
  })

  test('that ends a connection right behind an answer: the next caller gets another one', async () => {
    const { proxy, database, one } = await openBehindProxy(PATIENCE.timeout)
    expect(await one()).toEqual([{ one: 1 }])
    const held = proxy.hold()
    const last = one()
    await expect.poll(() => held.has(READY), PATIENCE).toBe(true)
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${new URL(address).pathname.slice(1)}' and query = 'select 1 as one'`)
    await expect.poll(() => held.has('57P01'), PATIENCE).toBe(true)
    held.letGo()
    expect(await last).toEqual([{ one: 1 }])
    expect(await database.read.query(sql`select 2 as two`, { retries: false })).toEqual([{ two: 2 }])
  })

  test('while a process leads: it leads no more, and the log has no lines of the driver', async () => {
    const { proxy, database } = await openBehindProxy(PATIENCE.timeout)
    const leads = await database.lead(new AbortController().signal)
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    proxy.stall(true)
    await expect.poll(() => leads.lost.aborted, PATIENCE).toBe(true)
    expect(warnings).toEqual([])
    await leads.release()
  })
})
