// Messages of a busy account with a common body or operation, of which only some fit both: a page reads the index that has the fewest in
// front of it, and not all rows of both.

import { expect, test } from 'vitest'
import { type MessageFilter, messagesRead, type PageKey, type SqlText, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const accountOf = (fill: number) => new Uint8Array(33).fill(0x80, 0, 1).fill(fill, 1)
const busy = accountOf(0x6b)
const other = accountOf(0x6c)
const common = new Uint8Array(32).fill(0x5a)
const MESSAGES = 50_000
const OUTSIDE = 16_000
const [ALL, COMMON, OTHERS, SELDOM] = [7, 8, 9, 10]

/** Every second message is of the busy account; of those with the common body as well; none of those with the operation of others. */
const fillMessages = sql`insert into messages
    (hash, kind, source, destination, created_lt, created_at, opcode, body_hash, out_tx_hash, out_lt)
  select sha256(i::text::bytea), 'internal', case i % 2 when 0 then ${busy}::bytea else ${other} end,
    case when i % 10 in (0, 3) then ${busy}::bytea else ${other} end, 1000 + i / 2, 50 + i / 20,
    case when i % 5 = 0 then ${COMMON}::int4 when i % 2 = 0 then ${ALL}::int4 when i % 1001 = 1 then ${SELDOM}::int4
      else ${OTHERS}::int4 end,
    case when i % 5 = 0 then ${common}::bytea else sha256(i::text::bytea) end, sha256(('t' || i / 2)::bytea), 1000 + i / 2
  from generate_series(1, ${MESSAGES}::int4) i`

const fillOutside = sql`insert into messages (hash, kind, destination, opcode, body_hash)
  select sha256(('out' || i)::bytea), 'externalIn', case when i % 4 = 0 then ${other}::bytea else ${busy} end,
    case when i % 4 = 0 then ${OTHERS}::int4 when i % 2 = 0 then ${COMMON}::int4 end, sha256(i::text::bytea)
  from generate_series(1, ${OUTSIDE}::int4) i`

/** What fits both is found among the first hundreds of the account. */
const FIRST_PAGE = 500

interface KeyOfMessage {
  readonly [column: string]: unknown
  readonly hash: Uint8Array
  readonly created_lt: bigint | null
}

/** So few are read whole for either index, and for the page. */
const FROM_OUTSIDE = 3 * OUTSIDE + 100

const SECONDS = { startUtime: 51 }

/** Each with the rows that a page behind two thousand may read. */
const deepPairs: readonly (readonly [string, Partial<MessageFilter>, number])[] = [
  // Ten thousand of them to see which index goes furthest.
  ['common body from busy', { bodyHash: common, source: busy }, 16_500],
  ['common body to busy', { bodyHash: common, destination: busy }, 16_500],
  ['common operation from busy', { opcode: COMMON, source: busy, excludeExternals: true }, 16_500],
  ['common operation from busy by seconds', { opcode: COMMON, source: busy, ...SECONDS }, 16_500],
  ['common operation to busy', { opcode: COMMON, destination: busy, excludeExternals: true }, 16_500],
  ['common body from busy by seconds', { bodyHash: common, source: busy, ...SECONDS }, 23_000],
  ['common body from busy to itself', { bodyHash: common, opcode: COMMON, source: busy, destination: busy }, 21_000],
  ['from busy to itself', { source: busy, destination: busy, direction: 'out' }, 21_000],
  // All that others send are looked at, and none of the account.
  ['operation of others from busy', { opcode: OTHERS, source: busy }, 35_000],
  ['seldom operation from busy', { opcode: SELDOM, source: busy }, FIRST_PAGE],
  ['operation of others from outside', { opcode: OTHERS, destination: busy, onlyExternals: true }, FROM_OUTSIDE],
  ['common operation from outside', { opcode: COMMON, destination: busy, source: null }, FROM_OUTSIDE],
]
function plainly({ bodyHash, opcode, source, destination, ...more }: Partial<MessageFilter>): SqlText {
  const parts = [
    ...(bodyHash === undefined ? [] : [sql`body_hash = ${bodyHash}`]),
    ...(opcode === undefined ? [] : [sql`opcode = ${opcode}`]),
    ...(source === undefined ? [] : [sql`source is not distinct from ${source}`]),
    ...(destination === undefined ? [] : [sql`destination = ${destination}`]),
    ...(more.startUtime === undefined ? [] : [sql`created_at >= ${more.startUtime}`]),
    ...(more.excludeExternals === true ? [sql`created_lt is not null`] : []),
    ...(more.onlyExternals === true ? [sql`created_lt is null`] : []),
  ]
  return sql`select hash from messages where ${sql.join(parts, ' and ')}`
}

test.each(drivers)('%s: an index is walked to the end of the page alone', { timeout: 300_000 }, async (driver) => {
  await using store = await freshDatabase(driver)
  await store.transaction(async (to) => {
    await to.query(fillMessages)
    await to.query(fillOutside)
  })
  const hashesOf = async (statement: SqlText) =>
    (await store.read.query<{ hash: Uint8Array }>(statement)).map(({ hash }) => Buffer.from(hash).toString('hex'))
  const wrong: string[] = []
  const many: string[] = []
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  for (const [name, filter, deep] of deepPairs)
    for (const sort of ['asc', 'desc'] as const) {
      const direction = sql.identifier(sort)
      const by = sql.identifier(filter.startUtime === undefined ? 'created_lt' : 'created_at')
      const all = await hashesOf(sql`${plainly(filter)} order by ${by} ${direction}, hash ${direction}`)
      for (const offset of [0, 250, 2000]) {
        const { statement } = messagesRead(filter, { limit: 10, offset, after: null }, sort)
        const found = await hashesOf(statement)
        if (found.join() !== all.slice(offset, offset + 11).join()) wrong.push(`${name} ${sort} ${offset}`)
        if (offset === 250) continue
        const read = rowsRead(await planOf(store.read, statement, store.kind))
        const most = offset === 0 && name.startsWith('common') && name.includes('busy') ? FIRST_PAGE : deep
        if (read > most) many.push(`${name} ${sort} ${offset}: ${read}`)
      }
    }
  expect([wrong, many]).toEqual([[], []])
  const walked: string[] = []
  for (let after: PageKey | null = null; ; ) {
    const list = messagesRead({ opcode: COMMON, destination: busy }, { limit: 900, offset: 0, after }, 'desc')
    const rows: readonly KeyOfMessage[] = await store.read.query<KeyOfMessage>(list.statement)
    walked.push(...rows.slice(0, 900).map(({ hash }) => Buffer.from(hash).toString('hex')))
    const last = rows[899]
    if (rows.length <= 900 || last === undefined) break
    after = [last.created_lt, last.hash]
  }
  const every = sql`${plainly({ opcode: COMMON, destination: busy })} order by created_lt desc, hash desc`
  expect(walked).toEqual(await hashesOf(every))
})
