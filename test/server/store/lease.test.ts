// What a leader keeps in memory while it renews its lease, and when it stops.

import { queryObjects } from 'node:v8'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../../server/store/index.ts'
import { leadByLease } from '../../../server/store/postgres/lease.ts'
import { LEASE_MS, OtherLease } from '../../../server/store/postgres/otherLease.ts'

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

test('a leader that cannot renew its lease stops before another process may take it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let isAway = false
  const { transaction } = granting
  const lease = await leadByLease(
    { transaction: (work) => (isAway ? Promise.reject(new Error('away')) : transaction(work)) },
    new AbortController().signal,
    { leaseMs: LEASE_MS },
  )
  isAway = true
  await vi.advanceTimersByTimeAsync(LEASE_MS * 0.5)
  expect(lease.lost.aborted).toBe(false)
  isAway = false
  await vi.advanceTimersByTimeAsync(LEASE_MS * 0.1)
  isAway = true
  // It looks right after the last renewal.
  const other = new OtherLease(LEASE_MS)
  other.see({ holder: 'a', until: 1n })
  await vi.advanceTimersByTimeAsync(LEASE_MS * 0.7)
  expect(lease.lost.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(LEASE_MS * 0.1)
  expect(other.silent).toBeNull()
  expect(lease.lost.aborted).toBe(true)
})
