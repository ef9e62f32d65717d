// A PostgreSQL, or a pooler before it, that takes connections and then answers nothing: reads fail in time, no connection to it
// stays, and they succeed once it answers again.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const PATIENCE = { timeout: 300_000 }
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** In front of a server: while it stalls, what the server says after the login is lost. */
async function stallingProxy(address: string) {
  const { hostname, port } = new URL(address)
  const state = { isStalled: false }
  const near = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port || 5432), hostname)
    let isLoggedIn = false
    near.add(client)
    client.on('error', () => undefined).on('close', () => near.delete(client) && server.destroy())
    server.on('error', () => undefined).on('close', () => client.destroy())
    client.pipe(server)
    server.on('data', (chunk: Buffer) => {
      if (state.isStalled && isLoggedIn) return
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
    cutAll() {
      for (const socket of near) socket.destroy()
    },
  }
}

describe.runIf(drivers.includes('postgres'))('a server that stalls', () => {
  let address = ''
  beforeAll(async () => {
    address = await emptyDatabase()
    await (await openDatabase({ database: address })).close()
  })
  afterAll(() => dropDatabase(address))

  async function openBehindProxy() {
    const proxy = await stallingProxy(address)
    const database = await openDatabase({ database: proxy.address, readTimeoutMs: 200, readConnections: 1 })
    onTestFinished(() => {
      proxy.cutAll()
      return database.close()
    })
    return { proxy, one: () => database.read.query(sql`select 1 as one`) }
  }

  test('right after the login: the read fails, and later ones succeed', async () => {
    const { proxy, one } = await openBehindProxy()
    proxy.stall(true)
    proxy.cutAll()
    await expect(one()).rejects.toMatchObject({ code: 'unavailable' })
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
})
