import { expect, test } from 'vitest'
import { whileKept } from '../../../server/methods/v3/kept/demandKept.ts'
import { type Sql, StoreError } from '../../../server/store/index.ts'

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
