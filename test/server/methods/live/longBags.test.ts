// Traces whose messages have more bytes than may be in memory: those of long ones are read without the contents of large messages, and
// notifications of them are written without these all the same.

import { expect, test } from 'vitest'
import { bytesText, inOnePiece } from '../../../../server/cell/index.ts'
import { lookingWhetherTooLarge } from '../../../../server/methods/index.ts'
import { hasContents } from '../../../../server/methods/live/liveViews.ts'
import { readFound } from '../../../../server/methods/live/readFound.ts'
import {
  type Database,
  readAll,
  type Sql,
  sql,
  type TransactionFound,
  tracesRead,
  transactionsOfTracesRead,
} from '../../../../server/store/index.ts'
import { bytea } from '../../../../server/store/tables/column.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

const LARGE = 200_000
const MOST_OF_TRACE = 1 << 20
const MOST_BYTES = 64 << 20

const messagesOf = ({ inMessage, outMessages }: TransactionFound) =>
  inMessage === null ? outMessages : [inMessage, ...outMessages]
const bagsOf = (found: TransactionFound): readonly Uint8Array[] => messagesOf(found).map(({ body }) => body)
const bytesOf = (found: TransactionFound): number => bagsOf(found).reduce((sum, { length }) => sum + length, 0)

const nameOf = ({ row: { traceId } }: TransactionFound): string => bytesText(traceId, 'latin1')

/** What is read of some traces, most of whose messages have large bodies, and of the same ones without contents. */
async function readWith(database: Database, large: number, transactions: number, from: Sql = database.read) {
  await fill(database, { transactions, accounts: 25 })
  const page = { limit: 500, offset: 0, after: null }
  const traces = await readAll(database.read, tracesRead({}, page, 'desc'))
  const rows = await readAll(database.read, transactionsOfTracesRead(traces.map(({ traceId }) => traceId)))
  const before = await readFound(database.read, rows)
  expect(before.every(hasContents)).toBe(true)
  await database.transaction((to) =>
    to.query(sql`update messages set body = convert_to(repeat('x', ${large}), 'UTF8') where get_byte(hash, 0) < 250`),
  )
  const found = await readFound(from, rows)
  expect(found).toHaveLength(rows.length)
  const long = found.filter((one) => !hasContents(one))
  const ofLong = new Set(long.map(nameOf))
  return { found, long, whole: found.filter((one) => !ofLong.has(nameOf(one))) }
}

test.each(drivers)('short traces are whole, and of long ones the short messages: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  let bytes = 0
  const counting: Sql = {
    async query(asked, options) {
      const read = await database.read.query(asked, options)
      for (const row of read) bytes += row.body == null ? 0 : bytea.decode(row.body).length
      return read as never
    },
  }
  const { found, long, whole } = await readWith(database, LARGE, 500, counting)
  expect(Math.min(long.length, whole.length)).toBeGreaterThan(20)
  const kept = found.reduce((sum, one) => sum + (hasContents(one) ? bytesOf(one) : 0), 0)
  expect(bytes).toBeGreaterThanOrEqual(kept)
  expect(bytes).toBeLessThan(kept + 1024 * 10 * long.length)
  for (const one of whole) expect(bytesOf(one)).toBeLessThanOrEqual(MOST_OF_TRACE)
  for (const one of long) {
    const isTooLarge = inOnePiece(lookingWhetherTooLarge([{ found: one, finality: 'finalized' }]))
    expect(isTooLarge).toBe(true)
    expect(new Set(bagsOf(one).filter(({ length }) => length > 1024)).size).toBe(1)
  }
  const shorts = (all: readonly TransactionFound[]) => all.flatMap(bagsOf).filter(({ length }) => length < 1024).length
  expect(shorts(found)).toBeGreaterThan(0)
})

test('of many short traces as many are whole as there is room for', async () => {
  await using database = await freshDatabase('pglite')
  const { whole } = await readWith(database, MOST_OF_TRACE / 2, 1000)
  const sizes = new Map(whole.flatMap(messagesOf).map(({ hash, body }) => [bytesText(hash, 'latin1'), body.length]))
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeGreaterThan(MOST_BYTES / 2)
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
})
