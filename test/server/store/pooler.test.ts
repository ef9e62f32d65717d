// A pooler between the program and its PostgreSQL may run the statements of two clients in one session, where a lock that is
// taken twice is held twice. Only one process may lead all the same.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12])

/** Codes of a query of one text, and of the end of its answer. */
const QUERY = 'Q'.charCodeAt(0)
const READY = Buffer.from([0x5a, 0, 0, 0, 5])

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
  /** Sessions of the server, with what another client is answered in each, while it is asked. */
  const sessions = new Map<Socket, Buffer[] | null>()
  beforeAll(async () => {
    address = await emptyDatabase()
    const { hostname, port } = new URL(address)
    pooler = createServer((client) => {
      const server = connect(Number(port || 5432), hostname)
      sessions.set(server, null)
      client.pipe(server)
      server.on('data', (chunk: Buffer) => sessions.get(server)?.push(chunk) ?? client.write(renumbered(chunk)))
      server.on('close', () => sessions.delete(server) && client.destroy()).on('error', () => client.destroy())
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

  /** What another client, to whom the pooler gives this session, is answered. */
  async function askedIn(server: Socket, text: string): Promise<string> {
    const chunks: Buffer[] = []
    sessions.set(server, chunks)
    const bytes = Buffer.from(`${text}\0`)
    const head = Buffer.from([QUERY, 0, 0, 0, 0])
    head.writeUInt32BE(bytes.length + 4, 1)
    server.write(Buffer.concat([head, bytes]))
    while (
      !Buffer.concat(chunks)
        .subarray(-READY.length - 1, -1)
        .equals(READY)
    )
      await once(server, 'data')
    sessions.set(server, null)
    return Buffer.concat(chunks).toString('latin1')
  }

  test('one leads, by a lease, and the next when it ends', async () => {
    const notices: string[] = []
    const open = () =>
      openDatabase({ database: pooled, readTimeoutMs: PATIENCE_MS, notice: (text) => void notices.push(text) })
    const one = await open()
    const two = await open()
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
    const behind = await openDatabase({ database: pooled, readTimeoutMs: PATIENCE_MS })
    const before = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })
    for (const { read } of [behind, before])
      for (let i = 0; i < 10; i++) await read.query(sql`select ${i}::int4 as unusual`)
    const prepared = sql`select count(*) as count from pg_prepared_statements where statement like '%unusual%'
      and statement not like '%pg_prepared%'`
    expect(await behind.read.query(prepared)).toEqual([{ count: 0n }])
    expect(await before.read.query(prepared)).toEqual([{ count: 1n }])
    await Promise.all([behind.close(), before.close()])
  })

  test('a session is left as it was, for those who get it next', async () => {
    const settings = [
      'default_transaction_read_only',
      'statement_timeout',
      'random_page_cost',
      'jit',
      'plan_cache_mode',
    ]
    const names = ['idle_in_transaction_session_timeout', ...settings]
    const shown = `select concat_ws(' ', ${names.map((name) => `current_setting('${name}')`).join()}) as shown`
    const database = await openDatabase({ database: pooled, readConnections: 1, readTimeoutMs: 3_000 })
    const [inside] = await database.read.query(sql`select current_setting('transaction_read_only') as alone,
      current_setting('statement_timeout') as most, current_setting('random_page_cost') as cost`)
    expect(inside).toEqual({ alone: 'on', most: '3s', cost: '1.1' })
    await expect(database.read.query(sql`select 1 / ${0}::int4`)).rejects.toMatchObject({ code: 'failed' })
    await expect(database.read.query(sql`select pg_sleep(30)`)).rejects.toMatchObject({ code: 'timeout' })
    const untouched = new pg.Client({ connectionString: address })
    await untouched.connect()
    const [usual] = (await untouched.query<{ shown: string }>(shown)).rows
    await untouched.end()
    expect(sessions.size).toBeGreaterThan(0)
    for (const server of sessions.keys()) expect(await askedIn(server, shown)).toContain(usual?.shown)
    await database.close()
  })

  test('without one, by a lock', async () => {
    const notices: string[] = []
    const database = await openDatabase({
      database: address,
      readTimeoutMs: PATIENCE_MS,
      notice: (text) => void notices.push(text),
    })
    const leading = await database.lead(new AbortController().signal)
    await leading.release()
    expect(notices).toEqual([])
    await database.close()
  })
})
