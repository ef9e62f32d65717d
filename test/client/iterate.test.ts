import { describe, expect, test, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import { nextParams, readPages, readRows, rowsOfPage } from '../../client/iterate.ts'
import { type StubApi, type StubService, startStub, success } from './stubService.ts'

const open = ({ url }: StubService) => createClient<StubApi>({ url })
const requested = ({ messages }: StubService) => messages.flatMap(({ items }) => items.map(({ params }) => params))

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}
const upTo = (n: number) => Array.from({ length: n }, (_, i) => ({ n: i }))

describe('each', () => {
  test('default: walks by offset until a page is short', async () => {
    await using stub = await startStub()
    expect(await collect(open(stub).list.byOffset.each({ limit: 10 }))).toEqual(upTo(25))
    expect(requested(stub)).toEqual([{ limit: 10 }, { limit: 10, offset: 10 }, { limit: 10, offset: 20 }])
  })

  test('behavior: follows a cursor, without offset, until there is none', async () => {
    await using stub = await startStub()
    expect(await collect(open(stub).list.byCursor.each({ limit: 10, total: 20 }))).toEqual(upTo(20))
    expect(requested(stub)).toEqual([
      { limit: 10, total: 20 },
      { cursor: '10', limit: 10, total: 20 },
    ])
  })

  test('behavior: reads past a page that rows were removed from while it was read', async () => {
    const short = success(1, { rows: upTo(3), cursor: '10' })
    await using stub = await startStub(() => ({ body: short }))
    const rows = await collect(open(stub).list.byCursor.each({ limit: 10 }))
    expect(rows).toEqual([...upTo(3), ...upTo(25).slice(10)])
  })

  test('args: limit is 100 when left out', async () => {
    await using stub = await startStub()
    expect(await collect(open(stub).list.byOffset.each())).toEqual(upTo(25))
    expect(requested(stub)).toEqual([{ limit: 100 }])
  })

  test('args: offset is where it begins', async () => {
    await using stub = await startStub()
    expect(await collect(open(stub).list.byOffset.each({ offset: 20, limit: 5 }))).toEqual(upTo(25).slice(20))
    expect(requested(stub).map(({ offset }) => offset)).toEqual([20, 25])
  })

  test('args: cursor is where it begins', async () => {
    await using stub = await startStub()
    expect(await collect(open(stub).list.byCursor.each({ cursor: '20' }))).toEqual(upTo(25).slice(20))
  })

  test('args: max', async () => {
    await using stub = await startStub()
    const { byOffset } = open(stub).list
    expect(await collect(byOffset.each({}, { max: 3 }))).toEqual(upTo(3))
    expect(requested(stub)).toEqual([{ limit: 3 }])
    expect(await collect(byOffset.each({ limit: 10 }, { max: 12 }))).toEqual(upTo(12))
    expect(stub.messages).toHaveLength(3)
    expect(await collect(byOffset.each({ limit: 10 }, { max: 10 }))).toEqual(upTo(10))
    expect(stub.messages).toHaveLength(4)
    expect(await collect(byOffset.each({}, { max: 0 }))).toEqual([])
    expect(stub.messages).toHaveLength(4)
  })

  test('behavior: break asks for no further page, and nothing is requested before the first step', async () => {
    await using stub = await startStub()
    const rows = open(stub).list.byOffset.each({ limit: 5 })
    expect(stub.messages).toHaveLength(0)
    for await (const { n } of rows) if (n === 4) break
    expect(await rows.next()).toEqual({ done: true, value: undefined })
    expect(stub.messages).toHaveLength(1)
  })

  test('args: signal ends it with its reason', async () => {
    await using stub = await startStub()
    const stop = new AbortController()
    const rows = open(stub).list.byOffset.each({ limit: 5 }, { signal: stop.signal })
    const read = async () => {
      for await (const { n } of rows) if (n === 4) stop.abort(new Error('enough'))
    }
    await expect(read()).rejects.toThrow('enough')
    expect(stub.messages).toHaveLength(1)
  })

  test('args: no row comes after the signal, though its page was read before', async () => {
    await using stub = await startStub()
    const stop = new AbortController()
    const found: number[] = []
    const read = async () => {
      for await (const { n } of open(stub).list.byOffset.each({}, { signal: stop.signal })) {
        found.push(n)
        if (n === 1) stop.abort(new Error('enough'))
      }
    }
    await expect(read()).rejects.toThrow('enough')
    expect(found).toEqual([0, 1])
  })

  test('error: a page that fails, fails the step', async () => {
    await using stub = await startStub(() => ({ body: '{}' }))
    await expect(open(stub).list.byOffset.each().next()).rejects.toMatchObject({ method: 'list.byOffset' })
  })
})

describe('pages', () => {
  test('default: whole pages, empty ones left out', async () => {
    await using stub = await startStub()
    const { byOffset } = open(stub).list
    const pages = await collect(byOffset.pages({ limit: 5, total: 10 }))
    expect(pages.map(({ rows }) => rows.length)).toEqual([5, 5])
    expect(pages[0]).toHaveProperty('book')
    expect(stub.messages).toHaveLength(3)
    expect(await collect(byOffset.pages({ total: 0 }))).toEqual([])
  })

  test('behavior: what a reader does to a page does not lead astray', async () => {
    await using stub = await startStub()
    const sizes: number[] = []
    for await (const { rows } of open(stub).list.byOffset.pages({ limit: 10 })) sizes.push(rows.splice(0).length)
    expect(sizes).toEqual([10, 10, 5])
  })
})

describe('rowsOf', () => {
  test('default', () => {
    expect(rowsOfPage('m', { rows: [1], book: { a: [2] }, total: 3 })).toEqual([1])
    expect(rowsOfPage('m', [1, 2])).toEqual([1, 2])
  })

  test('error: not exactly one array', () => {
    for (const page of [{}, { a: [], b: [] }, null, 'text', 1]) {
      expect(() => rowsOfPage('v3.blocks', page)).toThrow('v3.blocks: a page has one array of rows')
    }
  })
})

describe('nextParams', () => {
  const next = (params: object, page: unknown) => nextParams('m', { limit: 2, ...params }, page)

  test('default', () => {
    expect(next({ offset: 4 }, { rows: [1, 2] })).toEqual({ limit: 2, offset: 6 })
    expect(next({ offset: 4 }, { rows: [1, 2], cursor: 'b' })).toEqual({ limit: 2, cursor: 'b' })
    expect(next({ cursor: 'a' }, { rows: [1, 2], cursor: 'b' })).toEqual({ limit: 2, cursor: 'b' })
  })

  test('behavior: the last page', () => {
    expect(next({}, { rows: [1] })).toBeNull()
    expect(next({}, { rows: [] })).toBeNull()
    expect(next({}, { rows: [1, 2], cursor: null })).toBeNull()
    expect(next({ cursor: 'a' }, { rows: [1, 2] })).toBeNull()
  })

  test('behavior: a page that rows were removed from is not the last, as its cursor says', () => {
    expect(next({}, { rows: [1], cursor: 'b' })).toEqual({ limit: 2, cursor: 'b' })
    expect(next({ cursor: 'a' }, { rows: [], cursor: 'b' })).toEqual({ limit: 2, cursor: 'b' })
  })

  test('error: a cursor that does not move would never end', () => {
    expect(() => next({ cursor: 'a' }, { rows: [1, 2], cursor: 'a' })).toThrow('cursor')
  })
})

test('readPages and readRows take any way of asking', async () => {
  const ask = vi.fn(async () => ({ rows: [1, 2, 3] }))
  expect(await collect(readRows(ask, 'm', { limit: 3 }, { max: 4, timeoutMs: 5 }))).toEqual([1, 2, 3, 1])
  expect(ask.mock.calls).toEqual([
    ['m', { limit: 3 }, { timeoutMs: 5 }],
    ['m', { limit: 3, offset: 3 }, { timeoutMs: 5 }],
  ])
  expect(await collect(readPages(ask, 'm', undefined, { max: 3 }))).toHaveLength(1)
})
