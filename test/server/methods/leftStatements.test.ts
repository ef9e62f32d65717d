// A caller who leaves, or whose time is over, while the database still works for him: a lane is as good as the connection behind it,
// so it stays his until the statement has ended. Statements wait for a lock here, as long as the test wants.

import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { RunningCall } from '../../../server/methods/dispatch/runningCall.ts'
import {
  type ChargedCall,
  createCallLanes,
  createDispatch,
  createResultCache,
  NO_MODIFIERS,
} from '../../../server/methods/index.ts'
import { WrittenTransactions } from '../../../server/methods/v3/written/writtenTransactions.ts'
import { createLog, createMetrics } from '../../../server/observe/index.ts'
import { openDatabase, type Sql, type StatementOptions, sql, transactionsRead } from '../../../server/store/index.ts'
import { type MethodSpec, method } from '../../../shared/method.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { accessFor } from './accessFor.ts'

const LOCK = 4321
const CONNECTIONS = 4
const PATIENCE = { timeout: PATIENCE_MS }

const spec = method({
  summary: 'Waits or does not.',
  group: 'test',
  params: z.strictObject({ waits: z.boolean() }),
  result: z.unknown(),
  rest: [],
  freshness: 'index',
  example: { params: { waits: false }, result: 1 },
})
const registry = { 'v3.wait': spec } satisfies Record<string, MethodSpec>

const callOf = (subject: string, signal = new AbortController().signal): ChargedCall => ({
  caller: { subject, keyId: null, tier: null },
  requestId: subject,
  signal,
  budget: null,
  whyNoControl: null,
  modifiers: NO_MODIFIERS,
})

async function setUp() {
  const address = await emptyDatabase()
  onTestFinished(() => dropDatabase(address))
  const database = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS, readConnections: CONNECTIONS })
  onTestFinished(() => database.close())
  const holder = new pg.Client({ connectionString: address })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  const metrics = createMetrics()
  const lanes = createCallLanes(metrics, { reads: CONNECTIONS })
  const dispatch = createDispatch({
    registry,
    handlers: {
      async 'v3.wait'({ waits }, call) {
        const text = waits ? sql`select pg_advisory_lock_shared(${LOCK}), 1 as n` : sql`select 1 as n`
        const [row] = await database.read.query(text, call)
        return row?.n
      },
    },
    access: await accessFor(() => 1_000_000),
    cache: createResultCache(100_000),
    log: createLog({ format: 'json', level: 'silent' }),
    metrics,
    timeoutMs: PATIENCE_MS,
    statementMs: PATIENCE_MS,
    checkResults: false,
    lanes,
  })
  const wait = (call: ChargedCall) => Promise.resolve(dispatch.run('v3.wait', { waits: true }, call))
  const answer = async (call: ChargedCall) => (await dispatch.run('v3.wait', { waits: false }, call)).json
  return { database, holder, lanes, wait, answer }
}

describe.runIf(drivers.includes('postgres'))('who leaves while the database works for him', () => {
  test('has the same share of its connections as one who stays, and all of it again when that ends', async () => {
    const { database, holder, lanes, wait, answer } = await setUp()
    const leaver = () => {
      const gone = new AbortController()
      const left = wait(callOf('greedy', gone.signal)).catch((error: unknown) => error)
      return { gone, left }
    }
    const all = Array.from({ length: 20 }, leaver)
    // Three of four are one caller's at most.
    await expect
      .poll(() => [lanes.index.running, lanes.index.waiting, database.load?.busy], PATIENCE)
      .toEqual([3, 17, 3])
    for (const { gone } of all) gone.abort()
    await Promise.all(all.map(({ left }) => left))
    const more = Array.from({ length: 20 }, leaver)
    expect(await answer(callOf('modest'))).toBe('1')
    expect([lanes.index.running, database.load?.busy]).toEqual([3, 3])
    for (const { gone } of more) gone.abort()
    await Promise.all(more.map(({ left }) => left))
    await holder.query(`select pg_advisory_unlock(${LOCK})`)
    expect(await answer(callOf('greedy'))).toBe('1')
    await expect.poll(() => lanes.index.running, PATIENCE).toBe(0)
  })

  test('while he waits for a connection has no statement run afterwards', async () => {
    const { database, holder } = await setUp()
    const gone = new AbortController()
    const slow = sql`select pg_advisory_lock_shared(${LOCK})`
    const running = Array.from({ length: CONNECTIONS }, () => database.read.query(slow))
    await expect.poll(() => database.load?.busy, PATIENCE).toBe(CONNECTIONS)
    let ended: Promise<unknown> = Promise.resolve()
    const onBegun = (one: Promise<unknown>) => {
      ended = one
    }
    const waiting = database.read.query(sql`select 'sent'`, { signal: gone.signal, onBegun })
    gone.abort()
    await expect(waiting).rejects.toThrow('the caller has gone')
    await holder.query(`select pg_advisory_unlock(${LOCK})`)
    await Promise.all(running)
    await expect(ended).rejects.toThrow('the caller has gone')
  })
})

test('limits and signal of a call come with each statement of a list of transactions', async () => {
  const seen: (StatementOptions | undefined)[] = []
  const store: Sql = {
    query(_, options) {
      seen.push(options)
      return Promise.resolve([])
    },
  }
  const call = new RunningCall({ ...callOf('me'), modifiers: { ...NO_MODIFIERS, timeoutMs: 77 } }, PATIENCE_MS)
  const written = new WrittenTransactions(store)
  await written.list(transactionsRead({}, { limit: 10, offset: 0, after: null }, 'desc'), call, true)
  const names = { book: true, tokens: true }
  await written.ofTraces(transactionsRead({}, { limit: 10, offset: 0, after: null }, 'desc'), names, call)
  expect(seen.map((options) => [options?.timeoutMs, options?.signal === call.signal])).toEqual([
    [77, true],
    [77, true],
  ])
})
