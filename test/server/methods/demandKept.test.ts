import { expect, test } from 'vitest'
import { whileKept } from '../../../server/methods/v3/kept/demandKept.ts'
import { type Sql, type SqlRow, StoreError } from '../../../server/store/index.ts'

test('behavior: where the index begins is read within the limit of the database, not of the caller who came first', async () => {
  const limits: (number | undefined)[] = []
  const store: Sql = {
    async query(_statement, { timeoutMs } = {}) {
      limits.push(timeoutMs)
      if (timeoutMs === 1) throw new StoreError('timeout', 'The statement took longer than 1 ms')
      return []
    },
  }
  const filter = { endUtime: 1 }
  const calls = [0, 1].map(() => whileKept(store, filter, () => Promise.resolve(filter)))
  expect(await Promise.all(calls)).toEqual([filter, filter])
  expect(limits).toEqual([undefined])
})

test('behavior: of a list that is known to be removed nothing is read, and one that is kept again is', async () => {
  let kept: readonly SqlRow[] = [{ seqno: 100, gen_utime: 1_700_000_000n, start_lt: 5_000_000n }]
  const store: Sql = { query: () => Promise.resolve(kept as never) }
  let reads = 0
  const listTo = (endUtime: number): Promise<string> =>
    whileKept(store, { endUtime }, () => Promise.resolve(`read ${++reads}`))
  expect(await listTo(1_700_000_001)).toBe('read 1')
  for (const endUtime of [1_699_999_999, 1]) await expect(listTo(endUtime)).rejects.toMatchObject({ kind: 'notFound' })
  expect(reads).toBe(1)
  // The index was made anew, which is noticed within a second.
  kept = []
  await expect.poll(() => listTo(1_699_999_999).catch(() => null)).toBe('read 2')
})
