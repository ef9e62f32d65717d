// What a leader keeps in memory while it renews its lease.

import { queryObjects } from 'node:v8'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../../server/store/index.ts'
import { leadByLease } from '../../../server/store/postgres/lease.ts'

const RENEWALS = 5_000

/** A database in which every row is ours. */
const granting: Pick<Database, 'transaction'> = {
  transaction: (work) => work({ query: async <R>() => [{ id: 1 } as R] }),
}

// Renewed every 0.8 s, a leader renews a hundred thousand times a day.
test('renewals leave nothing behind', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lease = await leadByLease(granting, new AbortController().signal, { leaseMs: 5_000 })
  await vi.advanceTimersByTimeAsync(10_000)
  const before = queryObjects(Array, { format: 'count' })
  await vi.advanceTimersByTimeAsync(RENEWALS * 1_000)
  const left = queryObjects(Array, { format: 'count' }) - before
  expect(lease.lost.aborted).toBe(false)
  expect(left).toBeLessThan(RENEWALS / 10)
  await lease.release()
})
