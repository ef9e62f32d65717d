// The options of calls in the query library they are for.

import { CancelledError, QueryClient } from '@tanstack/query-core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient, type InfiniteQueryOptions, infiniteQueryOptions, queryOptions } from '../../client/index.ts'
import { type Row, type StubApi, startStub } from './stubService.ts'

describe('queryOptions', () => {
  test('default: fetched once, then cached under the key of the call', async () => {
    await using stub = await startStub()
    const client = createClient<StubApi>({ url: stub.url })
    const queries = new QueryClient()
    const sum = await queries.fetchQuery({ ...queryOptions(client.math.add, { a: 1, b: 2 }), staleTime: 60_000 })
    expectTypeOf(sum).toEqualTypeOf<{ sum: number }>()
    const again = await queries.fetchQuery({ ...queryOptions(client.math.add, { b: 2, a: 1 }), staleTime: 60_000 })
    expect([sum, again, stub.messages.length]).toEqual([{ sum: 3 }, { sum: 3 }, 1])
    expect(queries.getQueryData(queryOptions(client.math.add, { a: 1, b: 2 }).queryKey)).toEqual({ sum: 3 })
  })

  test('behavior: two services, two methods, other params: other keys; undefined params do not count', () => {
    const [a, b] = ['http://a', 'http://b'].map((url) => createClient<StubApi>({ url }))
    const keys = [a?.echo, b?.echo].map((echo) => echo && queryOptions(echo, { value: 1, other: undefined }).queryKey)
    expect(keys).toEqual([
      ['tonrpc', 'http://a/jsonRPC', 'echo', { value: 1 }],
      ['tonrpc', 'http://b/jsonRPC', 'echo', { value: 1 }],
    ])
  })

  test('behavior: a key in the address of a service is not in the key of a query', () => {
    const client = createClient<StubApi>({ url: 'http://a/?api_key=secret' })
    expect(JSON.stringify(queryOptions(client.echo))).not.toContain('secret')
  })

  test('behavior: a cancelled query ends its call', async () => {
    await using stub = await startStub(() => 'hang')
    const client = createClient<StubApi>({ url: stub.url })
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const options = queryOptions(client.echo, { value: 1 })
    const fetched = queries.fetchQuery(options).catch((error: unknown) => error)
    await queries.cancelQueries({ queryKey: options.queryKey })
    expect(await fetched).toBeInstanceOf(CancelledError)
  })

  test('error: a function that is no method of a client', () => {
    expect(() => queryOptions(async () => 1)).toThrow('not a method of a client')
  })
})

const readAll = async <R extends { rows: Row[] }>(options: InfiniteQueryOptions<R>): Promise<number[][]> => {
  const { pages } = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 10 })
  return pages.map(({ rows }) => rows.map(({ n }) => n))
}

test('infiniteQueryOptions: by cursor and by offset to the last page', async () => {
  await using stub = await startStub()
  const { list } = createClient<StubApi>({ url: stub.url })
  const params = { limit: 2, total: 5 }
  expect(await readAll(infiniteQueryOptions(list.byCursor, params))).toEqual([[0, 1], [2, 3], [4]])
  expect(await readAll(infiniteQueryOptions(list.byOffset, params))).toEqual([[0, 1], [2, 3], [4]])
})
