// A pooler between the program and its PostgreSQL may run the statements of two clients in one session, where a lock that is
// taken twice is held twice. Only one process may lead all the same.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12])

/** Numbers sessions by itself, as a pooler does. */
function renumbered(chunk: Buffer): Buffer {
  const at = chunk.indexOf(KEY_DATA)
  if (at >= 0) chunk.writeUInt32BE(0x7fff_0000, at + KEY_DATA.length)
  return chunk
}

describe.runIf(drivers.includes('postgres'))('behind a pooler', () => {
  let address = ''
  let pooled = ''
  let pooler: Server
  beforeAll(async () => {
    address = await emptyDatabase()
    const { hostname, port } = new URL(address)
    pooler = createServer((client) => {
      const server = connect(Number(port || 5432), hostname)
      client.pipe(server)
      server.on('data', (chunk: Buffer) => client.write(renumbered(chunk)))
      server.on('close', () => client.destroy()).on('error', () => client.destroy())
      client.on('close', () => server.destroy()).on('error', () => server.destroy())
    }).listen(0, '127.0.0.1')
    await once(pooler, 'listening')
    const url = new URL(address)
    url.hostname = '127.0.0.1'
    url.port = String((pooler.address() as AddressInfo).port)
    pooled = url.href
  })
  afterAll(async () => {
    pooler.close()
    await dropDatabase(address)
  })

  test('one leads, by a lease, and the next when it ends', async () => {
    const notices: string[] = []
    const open = () => openDatabase({ database: pooled, notice: (text) => void notices.push(text) })
    const [one, two] = [await open(), await open()]
    const first = await one.lead(new AbortController().signal)
    await expect(two.lead(AbortSignal.timeout(1_500))).rejects.toThrow()
    const second = two.lead(new AbortController().signal)
    expect(first.lost.aborted).toBe(false)
    await first.release()
    const leading = await second
    expect(leading.lost.aborted).toBe(false)
    await leading.release()
    expect(new Set(notices)).toEqual(new Set(['no advisory locks, or a pooler in between: leading by lease']))
    await Promise.all([one.close(), two.close()])
  })

  test('nothing is prepared, since sessions may be shared', async () => {
    const [behind, before] = [await openDatabase({ database: pooled }), await openDatabase({ database: address })]
    for (const { read } of [behind, before])
      for (let i = 0; i < 10; i++) await read.query(sql`select ${i}::int4 as unusual`)
    const prepared = sql`select count(*) as count from pg_prepared_statements where statement like '%unusual%'
      and statement not like '%pg_prepared%'`
    expect(await behind.read.query(prepared)).toEqual([{ count: 0n }])
    expect(await before.read.query(prepared)).toEqual([{ count: 1n }])
    await Promise.all([behind.close(), before.close()])
  })

  test('without one, by a lock', async () => {
    const notices: string[] = []
    const database = await openDatabase({ database: address, notice: (text) => void notices.push(text) })
    const leading = await database.lead(new AbortController().signal)
    await leading.release()
    expect(notices).toEqual([])
    await database.close()
  })
})
