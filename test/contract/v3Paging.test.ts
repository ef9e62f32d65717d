// Cursors of v3: what they are bound to, and that a list read by them is whole while the chain grows.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { writeMasterBlocks } from '../../server/store/index.ts'
import { rpc, STRICT } from '../setup/calls.ts'
import { filledRows } from '../setup/filler.ts'
import { openMemoryStore } from '../setup/memoryStore.ts'
import { get, type ListPage, pageOf, rawOf } from '../setup/v3Ask.ts'
import { serveV3Over, v3ForAllTests } from '../setup/v3Chain.ts'

const chain = v3ForAllTests({ transactions: 300, accounts: 20 })
const service = () => chain().service
const REFUSED = { error: 'cursor is not one of this method with these parameters' }

const cursorOf = async (path: string, query: Record<string, unknown>) =>
  String((await pageOf(service(), path, { limit: 3, ...query })).cursor)

describe('a cursor', () => {
  test('goes on with another limit, and with the same parameters spelled another way', async () => {
    const account = rawOf(chain().rows.messages[0]?.destination ?? new Uint8Array(33))
    const whole = (await pageOf(service(), 'transactions', { account, limit: 10 })).rows
    const cursor = await cursorOf('transactions', { account })
    const rest = await pageOf(service(), 'transactions', {
      account: account.toLowerCase(),
      limit: 7,
      cursor,
      sort: 'D',
    })
    expect(rest.rows).toEqual(whole.slice(3))
  })

  test.each([
    ['transactions', { sort: 'asc' }],
    ['transactions', { workchain: 0 }],
    ['transactions', { start_utime: 1 }],
    ['messages', {}],
    ['blocks', {}],
    ['transactionsByMessage', { opcode: '0' }],
  ])('error: of another list, %s with %j', async (path, query) => {
    const { status, body } = await get(service(), path, { ...query, cursor: await cursorOf('transactions', {}) })
    expect([status, body]).toEqual([422, REFUSED])
  })

  test('error: changed in any place, cut short or made up', async () => {
    const cursor = await cursorOf('messages', { start_lt: 1 })
    const flipped = [...cursor].map(
      (letter, i) => cursor.slice(0, i) + (letter === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
    )
    const foreign = ['', 'A', 'null', '%00', '!', `${cursor}A`, `${cursor}=`, cursor.slice(0, -2), cursor.slice(2)]
    for (const wrong of [...flipped.filter((_, i) => i % 7 === 0), ...foreign]) {
      const { status, body } = await get(service(), 'messages', { start_lt: 1, cursor: wrong })
      expect([wrong, status, body]).toEqual([wrong, 422, REFUSED])
    }
    expect((await get(service(), 'messages', { cursor: 'A'.repeat(513) })).status).toBe(422)
  })

  test('error: together with an offset', async () => {
    const cursor = await cursorOf('transactions', {})
    for (const offset of [1, 3]) {
      const { status, body } = await get(service(), 'transactions', { cursor, offset })
      expect([status, body]).toEqual([422, { error: 'cursor and offset exclude each other' }])
    }
    expect((await get(service(), 'transactions', { cursor, offset: 0 })).status).toBe(200)
    const strict = await rpc(service(), STRICT, 'v3.transactions', { cursor, offset: 3 })
    expect(strict.body.error).toMatchObject({ code: -32602, data: { param: 'offset' } })
  })

  test('is null where nothing comes behind', async () => {
    const { rows } = await pageOf(service(), 'blocks', { limit: 1000 })
    for (const [limit, ends] of [
      [rows.length, true],
      [rows.length - 1, false],
      [1000, true],
    ] as const) {
      expect((await pageOf(service(), 'blocks', { limit })).cursor === null).toBe(ends)
    }
  })
})

test('a list read while the chain grows has what was there when it began, in order, each row once', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const parts = [...filledRows({ transactions: 400, accounts: 15, atOnce: 2 })]
  const half = Math.floor(parts.length / 2)
  const write = (some: typeof parts) =>
    some.reduce(
      (done, rows) => done.then(() => store.transaction((to) => writeMasterBlocks(to, rows))),
      Promise.resolve(),
    )
  await write(parts.slice(0, half))
  await using growing = await serveV3Over(store.read)
  const account = rawOf(parts[0]?.messages[0]?.destination ?? new Uint8Array(33))
  const lists = [
    ['transactions', {}],
    ['transactions', { account }],
    ['messages', {}],
    ['messages', { start_lt: 1 }],
    ['blocks', {}],
  ] as const
  const before = await Promise.all(
    lists.map(async ([path, query]) => (await pageOf(growing, path, { ...query, limit: 1000 })).rows),
  )
  const read = lists.map(([path, query], i) => ({
    path,
    query: { ...query, limit: Math.ceil((before[i]?.length ?? 9) / 9) },
  }))
  const seen = read.map(() => [] as unknown[])
  let cursors: (string | null | undefined)[] = read.map(() => undefined)
  for (let step = half; cursors.some((cursor) => cursor !== null); step += 2) {
    cursors = await Promise.all(
      read.map(async ({ path, query }, i) => {
        const cursor = cursors[i]
        if (cursor === null) return null
        const page: ListPage = await pageOf(growing, path, cursor === undefined ? query : { ...query, cursor })
        seen[i]?.push(...page.rows.map((row) => row.hash ?? row.root_hash))
        return page.cursor
      }),
    )
    await write(parts.slice(step, step + 2))
  }
  read.forEach((_, i) => {
    const known = before[i]?.map((row) => row.hash ?? row.root_hash) ?? []
    const found = seen[i] ?? []
    expect(new Set(found).size).toBe(found.length)
    expect(found.filter((hash) => known.includes(hash))).toEqual(known)
  })
})

test('the client reads a list to its end by cursor', async () => {
  const client = createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
  const { transactions } = await client.v3.transactions({ limit: 1000 })
  const rows: (typeof transactions)[number][] = []
  for await (const row of client.v3.transactions.each({ limit: 37 })) rows.push(row)
  expect(rows).toEqual(transactions)
  const pages: number[] = []
  for await (const page of client.v3.messages.pages({ limit: 50, sort: 'asc' })) pages.push(page.messages.length)
  expect(pages.reduce((sum, count) => sum + count, 0)).toBe(chain().rows.messages.length)
})
