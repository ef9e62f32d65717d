// A trace of thousands of transactions that a stream or a webhook did not follow from its start: it is read in short statements.

import { expect, test } from 'vitest'
import { LargeTraces } from '../../../../server/methods/live/largeTraces.ts'
import { type LiveTraceNeeds, LiveTraces } from '../../../../server/methods/live/liveTraces.ts'
import {
  BlockNotIndexed,
  type BlockRows,
  moveBound,
  pruneSlice,
  readAll,
  type Sql,
  type TraceRow,
  tracesRead,
  transactionsOfTracesRead,
} from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

const TRANSACTIONS = 2500
const WANTED = { first: 0, isNamed: () => true, pace: { isDue: false, rest: () => Promise.resolve() } }
// The cast: only its account is read here.
const NO_HEAD = { nodes: [] } as unknown as Parameters<LargeTraces['parts']>[0]

async function completeTrace(from: Sql): Promise<TraceRow> {
  const { statement, toValue } = tracesRead({}, { limit: 400, offset: 0, after: null }, 'asc')
  const traces: TraceRow[] = (await from.query(statement)).map(toValue)
  const [trace] = traces.filter(({ state }) => state === 'complete')
  if (trace === undefined) throw new Error('no trace is complete')
  return trace
}

test.each(drivers)('no statement of a large trace has more than a few hundred wide rows: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  await fill(database, { transactions: TRANSACTIONS, accounts: 100 })
  const { statement, toValue } = tracesRead({}, { limit: TRANSACTIONS, offset: 0, after: null }, 'desc')
  const traces: TraceRow[] = (await database.read.query(statement)).map(toValue)
  const wide: number[] = []
  const counting: Sql = {
    async query(asked, options) {
      const found = await database.read.query(asked, options)
      if (Object.keys(found[0] ?? {}).length > 1) wide.push(found.length)
      return found as never
    },
  }
  const live = new LiveTraces({ store: counting } as LiveTraceNeeds)
  const later = Math.max(...traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd)) + 1
  const found = await live.earlierThan({ mcSeqno: later } as BlockRows, traces)
  expect(Math.max(...wide)).toBeLessThan(1600)
  const read = [...found.values()].flat().map(({ row }) => row)
  const whole = await readAll(database.read, transactionsOfTracesRead(traces.map(({ traceId }) => traceId)))
  expect(whole.length).toBeGreaterThan(2000)
  expect(read.length).toBe(whole.length)
  const ofEach = (rows: typeof whole) =>
    traces.map(({ traceId }) =>
      rows.filter((row) => Buffer.compare(row.traceId, traceId) === 0).map(({ hash }) => hash),
    )
  expect(ofEach(read)).toEqual(ofEach(whole))
})

test.each(drivers)('a trace that is removed while it is read ends with an error, not early: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  await fill(database, { transactions: 400, accounts: 25 })
  const trace = await completeTrace(database.read)
  let statements = 0
  let isKept = true
  const remove = async (): Promise<void> => {
    isKept = false
    await database.transaction((to) => moveBound(to, 0))
    await database.transaction((to) => pruneSlice(to, 10_000))
  }
  const removedAfter = (count: number): Sql => ({
    async query(asked, options) {
      const found = await database.read.query(asked, options)
      if (isKept && ++statements === count) await remove()
      return found as never
    },
  })
  const partsOf = async (store: Sql) => {
    let count = 0
    const parts = new LargeTraces(store).parts(NO_HEAD, trace, WANTED)
    for await (const part of parts) count += part.trace.nodes.length
    return count
  }
  expect(await partsOf(removedAfter(Number.POSITIVE_INFINITY))).toBe(trace.nodes)
  // Nor are its first transaction and its accounts missing in silence.
  const accountsOf = async (store: Sql) => {
    let count = 0
    for await (const accounts of new LargeTraces(store).accounts(trace)) count += accounts.length
    return count
  }
  expect(await accountsOf(database.read)).toBeGreaterThan(0)
  // No message from outside began it.
  expect(await new LargeTraces(database.read).head(trace)).toBeNull()
  statements = 0
  // Between its names and its transactions, and before its names.
  await expect(partsOf(removedAfter(2))).rejects.toThrow(BlockNotIndexed)
  expect(isKept).toBe(false)
  await expect(partsOf(database.read)).rejects.toThrow(BlockNotIndexed)
  await expect(accountsOf(database.read)).rejects.toThrow(BlockNotIndexed)
  await expect(new LargeTraces(database.read).head(trace)).rejects.toThrow(BlockNotIndexed)
})

test.each(drivers)(
  'readers at the same place share what is read, and nothing is kept without readers: %s',
  async (driver) => {
    await using database = await freshDatabase(driver)
    await fill(database, { transactions: 400, accounts: 25 })
    const trace = await completeTrace(database.read)
    const texts: string[] = []
    const store: Sql = {
      async query(asked, options) {
        texts.push(asked.text)
        return (await database.read.query(asked, options)) as never
      },
    }
    const large = new LargeTraces(store)
    const read = async (row: TraceRow): Promise<number> => {
      let count = 0
      for await (const { trace: part } of large.parts(NO_HEAD, row, WANTED)) count += part.nodes.length
      return count
    }
    const readers = async (rows: readonly TraceRow[]): Promise<number> => {
      texts.length = 0
      expect(await Promise.all(rows.map(read))).toEqual(rows.map(({ nodes }) => nodes))
      return texts.length
    }
    const alone = await readers([trace])
    expect(await readers(Array(20).fill(trace))).toBe(alone)
    // The same trace as another read of its block has it, which may be of another branch of the chain.
    expect(await readers([trace, { ...trace }])).toBe(2 * alone)
    expect(await readers([trace])).toBe(alone)
  },
)

test('whom a trace concerns is read at once, however many readers wait for their turn', async () => {
  const account = Buffer.alloc(33, 1)
  // The casts: nothing else is asked for, and nothing else of a trace is read.
  const store = {
    query: ({ text }: { readonly text: string }) =>
      text.includes('distinct')
        ? Promise.resolve([{ packed: account }])
        : text.includes('mc_seqno')
          ? Promise.resolve([])
          : new Promise(() => undefined),
  } as unknown as Sql
  const row = { traceId: Buffer.alloc(32), nodes: 5000 } as unknown as TraceRow
  const large = new LargeTraces(store)
  const head = { hash: account, hashNorm: account, traceId: account, nodes: [], actions: [], isWhole: true }
  for (let i = 0; i < 10; i++) void large.parts(head, row, WANTED).next()
  const late = new Promise((resolve) => setImmediate(resolve, 'late'))
  expect(await Promise.race([large.accounts(row).next(), late])).toEqual({ done: false, value: [account] })
})
