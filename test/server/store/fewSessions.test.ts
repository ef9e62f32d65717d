// A pooler that keeps a session for each of its clients takes more of them than it has sessions: it lets them log in, and answers
// nothing to the first statement of those that have to wait.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { PostgresConnections } from '../../../server/store/postgres/postgresConnections.ts'
import { runStatement } from '../../../server/store/postgres/statements.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const LIMITS = { limitMs: 60_000 }
const QUERY = 'Q'.charCodeAt(0)

async function poolerOf(sessions: number, address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const served = new Set<Socket>()
  const pooler = createServer((client) => {
    const server = connect(Number(port || 5432), hostname)
    client.on('data', (chunk: Buffer) => {
      if (chunk[0] === QUERY && served.size < sessions) served.add(client)
      if (chunk[0] !== QUERY || served.has(client)) server.write(chunk)
    })
    server.pipe(client)
    server.on('close', () => client.destroy()).on('error', () => client.destroy())
    client.on('close', () => {
      served.delete(client)
      server.destroy()
    })
    client.on('error', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  onTestFinished(() => void pooler.close())
  const url = new URL(address)
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  url.searchParams.set('connect_timeout', '10')
  return url.href
}

async function connectionsOver(sessions: number, most: number) {
  const own = await emptyDatabase()
  const address = await poolerOf(sessions, own)
  const connections = new PostgresConnections({ address, most, queueLimit: 200, greeting: [], isPrimary: true })
  onTestFinished(async () => {
    await connections.close().catch(() => undefined)
    await dropDatabase(own)
  })
  const read = () => connections.use((client) => runStatement(client, sql`select 7 as n from pg_sleep(0.01)`, LIMITS))
  return { connections, read }
}

describe.runIf(drivers.includes('postgres'))('behind a pooler with fewer sessions than connections', () => {
  test('every caller waits for one of those', async () => {
    const { connections, read } = await connectionsOver(2, 4)
    let isOver = false
    const refused: unknown[] = []
    const all = Array.from({ length: 6 }, async () => {
      while (!isOver && refused.length === 0) await read().catch((error: unknown) => refused.push(error))
    })
    onTestFinished(() => {
      isOver = true
    })
    const isSettled = () => refused.length > 0 || (connections.load.open === 2 && connections.load.waiting === 4)
    await expect.poll(isSettled, { timeout: 300_000, interval: 20 }).toBe(true)
    isOver = true
    await Promise.all(all)
    expect(refused).toEqual([])
  })
})
