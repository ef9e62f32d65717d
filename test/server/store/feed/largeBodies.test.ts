// Blocks whose transactions have large messages: no statement answers with all of them, and equal bodies are in memory once.

import { expect, test } from 'vitest'
import { readBlocks } from '../../../../server/store/feed/readBlocks.ts'
import { type Sql, sql, type TransactionFound } from '../../../../server/store/index.ts'
import { bytea } from '../../../../server/store/tables/column.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

const LARGE = 40_000

const bodiesOf = ({ inMessage, outMessages }: TransactionFound): readonly Uint8Array[] =>
  [...(inMessage === null ? [] : [inMessage]), ...outMessages].map(({ body }) => body)

/** Answers of the statements, in bytes of bodies. */
function watched(store: Sql, answers: number[]): Sql {
  return {
    async query(asked, options) {
      const read = await store.query(asked, options)
      answers.push(read.reduce((sum, { body }) => sum + (body == null ? 0 : bytea.decode(body).length), 0))
      return read as never
    },
  }
}

test.each(drivers)('%s: they are read some at a time, as they are read at once', async (driver) => {
  await using database = await freshDatabase(driver)
  const { firstMcSeqno: first } = await fill(database, { transactions: 400, accounts: 25 })
  const range = { first, last: first + 5 }
  const answers: number[] = []
  const counting = watched(database.read, answers)
  const before = await readBlocks(counting, range)
  const statements = answers.length
  // Half of the bodies are one and the same.
  await database.transaction((to) =>
    to.query(sql`update messages set body = convert_to(repeat('x', ${LARGE}), 'UTF8'),
      body_hash = case when get_byte(hash, 0) < 128 then sha256('one') else body_hash end`),
  )
  answers.length = 0
  const after = await readBlocks(counting, range)
  const all = after.flatMap(({ transactions }) => transactions)
  const bodies = all.flatMap(bodiesOf)
  expect(bodies.length * LARGE).toBeGreaterThan(16 << 20)
  expect(bodies.every(({ length }) => length === LARGE)).toBe(true)
  expect(Math.max(...answers)).toBeLessThan(12 << 20)
  // Small ones take no further statement.
  expect(answers.length).toBeGreaterThan(statements)
  expect(new Set(bodies).size).toBeLessThan(0.75 * bodies.length)
  const hashes = (blocks: typeof after) =>
    blocks.map(({ mcSeqno, transactions }) => [mcSeqno, ...transactions.map(({ row }) => bytea.encode(row.hash))])
  expect(hashes(after)).toEqual(hashes(before))
})

test.each(drivers)('%s: a few that are large are not read together because others are small', async (driver) => {
  await using database = await freshDatabase(driver)
  const { firstMcSeqno: first } = await fill(database, { transactions: 400, accounts: 25 })
  await database.transaction((to) =>
    to.query(sql`with large as (
        select hash, in_msg_hash from transactions where mc_seqno >= ${first} order by lt limit 50)
      update messages set body = convert_to(repeat('x', 400000), 'UTF8')
      where out_tx_hash in (select hash from large) or hash in (select in_msg_hash from large)`),
  )
  const answers: number[] = []
  const blocks = await readBlocks(watched(database.read, answers), { first, last: first + 5 })
  expect(blocks.length).toBeGreaterThan(1)
  expect(answers.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(20 << 20)
  expect(Math.max(...answers)).toBeLessThan(9 << 20)
})
