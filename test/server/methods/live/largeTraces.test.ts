// A trace of thousands of transactions that a stream or a webhook did not follow from its start: it is read in short statements.

import { expect, test } from 'vitest'
import { type LiveTraceNeeds, LiveTraces } from '../../../../server/methods/live/liveTraces.ts'
import {
  type BlockRows,
  readAll,
  type Sql,
  type TraceRow,
  tracesRead,
  transactionsOfTracesRead,
} from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

const TRANSACTIONS = 2500

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
