// A server, or a role of it, may allow fewer connections than the service is set to use, or have them given away to others: what it
// gives is shared by all callers.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { PostgresConnections } from '../../../server/store/postgres/postgresConnections.ts'
import { runStatement } from '../../../server/store/postgres/statements.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../setup/database.ts'

const LIMITS = { limitMs: 60_000 }

async function limitedRole(most: number) {
  const address = await emptyDatabase()
  const role = `tonrpc_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create role ${role} login password 'secret' connection limit ${most}`)
  const url = new URL(address)
  url.username = role
  url.password = 'secret'
  const connections = new PostgresConnections({ address: url.href, most: 12, queueLimit: 200, greeting: [] })
  onTestFinished(async () => {
    await connections.close().catch(() => undefined)
    await dropDatabase(address)
    await onServer(`drop role ${role}`)
  })
  const read = async (): Promise<unknown> =>
    (await connections.use((client) => runStatement(client, sql`select 7 as n from pg_sleep(0.01)`, LIMITS)))[0]?.n
  const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)
  const readMany = (count: number): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, () => read().catch(codeOf)))
  /** Reads as many as there are callers, until it is told to stop. */
  const readOn = (callers: number) => {
    let isOver = false
    const refused: unknown[] = []
    const all = Array.from({ length: callers }, async () => {
      while (!isOver) await read().catch((error: unknown) => refused.push(codeOf(error)))
    })
    onTestFinished(() => {
      isOver = true
    })
    return async () => {
      isOver = true
      await Promise.all(all)
      return refused
    }
  }
  return { address: url.href, connections, role, read, readMany, readOn }
}

describe.runIf(drivers.includes('postgres'))('with fewer connections than it would use', () => {
  test('every caller waits for one of those', async () => {
    const { connections, readMany } = await limitedRole(3)
    expect(new Set(await readMany(100))).toEqual(new Set([7]))
    expect(connections.load.open).toBeLessThanOrEqual(3)
    expect(new Set(await readMany(100))).toEqual(new Set([7]))
  })

  test('no more are asked for all the time', async () => {
    const { connections, readOn } = await limitedRole(3)
    const stop = readOn(40)
    await expect
      .poll(() => connections.load, { timeout: 300_000, interval: 20 })
      .toEqual({ open: 3, busy: 3, waiting: 37 })
    expect(await stop()).toEqual([])
  })

  test('who writes is given one, although all are read over', async () => {
    const { address, connections, readOn } = await limitedRole(4)
    const stop = readOn(40)
    await expect.poll(() => connections.load.open, { timeout: 300_000, interval: 20 }).toBe(4)
    const makeRoom = () => connections.giveRoom()
    const writes = new PostgresConnections({ address, most: 2, queueLimit: 10, greeting: [], makeRoom })
    const write = () => writes.use((client) => runStatement(client, sql`select 8 as n`, LIMITS))
    // At once: none of them takes the other's attempt for a connection.
    expect(await Promise.all(Array.from({ length: 5 }, write))).toEqual(Array(5).fill([{ n: 8 }]))
    expect(await stop()).toEqual([])
    await writes.close()
  })

  test('all are used once there are more', async () => {
    const { connections, role, readMany } = await limitedRole(2)
    expect(new Set(await readMany(30))).toEqual(new Set([7]))
    await onServer(`alter role ${role} connection limit 40`)
    await expect
      .poll(async () => [new Set(await readMany(60)), connections.load.open], { timeout: 300_000 })
      .toEqual([new Set([7]), 12])
  })

  test('without any it is refused as busy', async () => {
    const { role, read } = await limitedRole(2)
    await onServer(`alter role ${role} connection limit 0`)
    await expect(read()).rejects.toMatchObject({ code: 'busy' })
    const attempts = vi.spyOn(pg.Client.prototype, 'connect')
    onTestFinished(() => attempts.mockRestore())
    const all = await Promise.allSettled(Array.from({ length: 8 }, read))
    for (const one of all) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
    expect(attempts.mock.calls.length).toBeLessThanOrEqual(2 * all.length)
    expect(attempts).toHaveBeenCalled()
  })
})

describe.runIf(drivers.includes('postgres'))('a connection that was just used', () => {
  const PID = sql`select pg_backend_pid() as pid`

  async function connectionsTo(most: number) {
    const address = await emptyDatabase()
    const connections = new PostgresConnections({ address, most, queueLimit: 200, greeting: [] })
    onTestFinished(async () => {
      await connections.close().catch(() => undefined)
      await dropDatabase(address)
    })
    const pidOf = async () => (await connections.use((client) => runStatement(client, PID, LIMITS)))[0]?.pid
    return { connections, pidOf }
  }

  test('is used by the next caller, and counts as idle', async () => {
    const { connections, pidOf } = await connectionsTo(4)
    const pids = [await pidOf(), await pidOf(), await pidOf()]
    expect(new Set(pids).size).toBe(1)
    expect(connections.load).toEqual({ open: 1, busy: 0, waiting: 0 })
    await Promise.all(Array.from({ length: 40 }, pidOf))
    await expect.poll(() => connections.load).toEqual({ open: 4, busy: 0, waiting: 0 })
  })

  test('and breaks before that, is not given to anybody', async () => {
    const { connections, pidOf } = await connectionsTo(1)
    for (let round = 0; round < 3; round++) {
      const pid = await pidOf()
      await onServer(`select pg_terminate_backend(${pid})`)
      await expect.poll(() => connections.load.open).toBe(0)
      expect(await pidOf()).not.toBe(pid)
    }
  })

  test('is closed when all are', async () => {
    const { connections, pidOf } = await connectionsTo(2)
    await Promise.all([pidOf(), pidOf()])
    await connections.close()
    expect(connections.load.open).toBe(0)
    await expect(pidOf()).rejects.toThrow()
  })
})
