import { expect, test } from 'vitest'
import { boundedKept } from '../../../server/methods/v3/kept/demandKept.ts'
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
  const calls = [{ timeoutMs: 1 }, { timeoutMs: 3000 }].map((call) => boundedKept(store, filter, call))
  expect(await Promise.all(calls)).toEqual([filter, filter])
  expect(limits).toEqual([undefined])
})
