import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { type ByteSpan, type Sql, type SqlRow, sql } from '../../../server/store/index.ts'
import { spanOf } from '../../../server/store/span.ts'
import { answerRead, PassedReads, type PassedRows } from '../../../server/workers/passedRead.ts'
import { openMemoryStore } from '../../setup/memoryStore.ts'

const bytesOfSpan = ({ source, at, end }: ByteSpan): Uint8Array => source.subarray(at, end)

/** The same over a pipe, as two processes have it. */
const passedTo = (from: Sql): PassedReads =>
  new PassedReads(async (read, signal) => {
    const rows = await answerRead(from, deserialize(serialize(read)), signal ?? new AbortController().signal)
    // The cast: what was written.
    return deserialize(serialize(rows)) as PassedRows
  })

test('rows of every type arrive as the owner reads them', async () => {
  const store = await openMemoryStore()
  const statement =
    sql.steady(sql`select ${new Uint8Array([1, 2])}::bytea as bytes, ${5n}::int8 as large, ${7}::int4 as small,
    ${'ä"'}::text as word, null::text as nothing, ${[1n, null]}::int8[] as list, true as flag, '{"a":1}'::json as body
    from generate_series(1, 2)`)
  const passed = await passedTo(store.read).query(statement)
  const own = await store.read.query(statement)
  expect(passed).toEqual(own)
  expect(passed).toHaveLength(2)
  expect(await passedTo(store.read).query(sql`select 1 where false`)).toEqual([])
  await store.close()
})

test('rows that are written as they were received arrive as the owner receives them', async () => {
  const store = await openMemoryStore()
  const rows = sql`select i::int4 as number, ${'ä"'}::text || i as word from generate_series(1, 3) i`
  const statement = sql.wholeRows(sql.withSpans(rows, ['word']), ['number'])
  const bytesOf = (found: readonly SqlRow[]) =>
    found.map(({ whole, ...beside }) => [beside, Buffer.from(bytesOfSpan(spanOf(whole)))])
  const own = bytesOf(await store.read.query(statement))
  expect(own.map(([beside]) => beside)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
  expect(bytesOf(await passedTo(store.read).query(statement))).toEqual(own)
  await store.close()
})

test('limit, signal and plan go with the statement', async () => {
  const seen: unknown[] = []
  const from: Sql = {
    query(statement, options) {
      seen.push([statement.text, statement.values, statement.isSteady, options?.timeoutMs, options?.signal?.aborted])
      return Promise.resolve([])
    },
  }
  const passed = passedTo(from)
  await passed.query(sql.steady(sql`select ${1}`), { timeoutMs: 50, signal: AbortSignal.abort() })
  await passed.query(sql`select 2`)
  expect(seen).toEqual([
    ['select $1', [1], true, 50, true],
    ['select 2', [], false, undefined, false],
  ])
})

test('a statement that fails is over for the worker when it is over here', async () => {
  let end = (): void => undefined
  const running = new Promise<void>((resolve) => {
    end = resolve
  })
  const from: Sql = {
    query(_, options) {
      options?.onBegun?.(running)
      return Promise.reject(new Error('cancelled'))
    },
  }
  let isOver = false
  const failed = passedTo(from)
    .query(sql`select 1`)
    .finally(() => {
      isOver = true
    })
  const refusal = expect(failed).rejects.toThrow('cancelled')
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  end()
  await refusal
})

test('a statement that writes is refused, whichever process sends it', async () => {
  const store = await openMemoryStore()
  await expect(passedTo(store.read).query(sql`create table t (a int4)`)).rejects.toThrow(/read-only/)
  await store.close()
})
