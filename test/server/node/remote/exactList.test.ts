import { expect, test } from 'vitest'
import type { ListQuery } from '../../../../server/node/index.ts'
import { exactList } from '../../../../server/node/remote/exactList.ts'

const account = new Uint8Array(32)

/** As lite servers list a block of so many: up to 256 at once, and every full list is called incomplete. */
function block(size: number) {
  const all = Array.from({ length: size }, (_, i) => ({ account, lt: BigInt(i + 1) }))
  const queries: ListQuery[] = []
  const read = async (query: ListQuery) => {
    queries.push(query)
    const most = Math.min(query.count, 256)
    const transactions = all.filter(({ lt }) => lt > (query.after?.lt ?? 0n)).slice(0, most)
    return { transactions, incomplete: transactions.length === most }
  }
  return { all, queries, list: (query: ListQuery) => exactList(query, (one) => one, read) }
}

test.each([0, 1, 2, 254, 255, 256, 257, 300])('a block of %i', async (size) => {
  for (const count of [1, 2, 3, 254, 255, 256, 300]) {
    const { all, queries, list } = block(size)
    const most = Math.min(count, 256)
    expect(await list({ count })).toEqual({ transactions: all.slice(0, most), incomplete: size > most })
    expect(queries.length).toBeLessThanOrEqual(count < 256 ? 1 : 2)
  }
})

test('after another one', async () => {
  const { all, list } = block(10)
  const after = { account, lt: 2n }
  expect(await list({ count: 8, after })).toEqual({ transactions: all.slice(2), incomplete: false })
  expect(await list({ count: 7, after })).toEqual({ transactions: all.slice(2, 9), incomplete: true })
})
