// When counts are stored: one batch at a time, and those of a day as that day's.

import { expect, onTestFinished, test, vi } from 'vitest'
import { Quotas, UsageMeter, type UsageStore, UsageWriter } from '../../../server/access/index.ts'

type Batch = Parameters<UsageStore['add']>[0]

const NO_MONTHS: Pick<UsageStore, 'months' | 'read'> = { months: async () => new Map(), read: async () => [] }

function openWriter(add: UsageStore['add'], now: () => number) {
  const meter = new UsageMeter()
  const report = (error: unknown) => expect.fail(String(error))
  const store = { ...NO_MONTHS, add }
  const writer = new UsageWriter({ store, meter, quotas: new Quotas(now), now, report })
  const count = () => meter.done('k1', 'v3.blocks', { outcome: 'ok', bytes: 1 })
  return { writer, count }
}

test('a batch waits until the one before is stored', async () => {
  const batches: Batch[] = []
  const stored: (() => void)[] = []
  const add = (batch: Batch): Promise<void> => {
    batches.push(batch)
    return new Promise((resolve) => stored.push(resolve))
  }
  const { writer, count } = openWriter(add, () => Date.UTC(2026, 10, 21, 12))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  count()
  const first = writer.flush()
  await settled()
  count()
  const second = writer.flush()
  await settled()
  expect(batches.map(({ number }) => number)).toEqual([1])
  stored[0]?.()
  await first
  await settled()
  expect(batches.map(({ number, usage }) => [number, usage[0]?.calls])).toEqual([
    [1, 1],
    [2, 1],
  ])
  stored[1]?.()
  await second
  await writer.close()
})

test('what is counted in the first seconds of a day is of that day', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 23, 59, 58) })
  onTestFinished(() => void vi.useRealTimers())
  const batches: Batch[] = []
  const { writer, count } = openWriter(async (batch) => void batches.push(batch), Date.now)
  count()
  await vi.advanceTimersByTimeAsync(2_500)
  count()
  count()
  await writer.close()
  const days = batches.flatMap(({ usage }) => usage.map(({ day, calls }) => [day, calls]))
  expect(days).toEqual([
    ['2026-11-21', 1],
    ['2026-11-22', 2],
  ])
})

test('what was spent in a month is known until it is stored, whatever other months a clock visits meanwhile', async () => {
  let now = Date.UTC(2026, 10, 21)
  const quotas = new Quotas(() => now)
  let isAway = true
  const batches: Batch[] = []
  const add = async (batch: Batch): Promise<void> => {
    if (isAway) throw new Error('away')
    batches.push(batch)
  }
  const store = { ...NO_MONTHS, add }
  const writer = new UsageWriter({ store, meter: new UsageMeter(), quotas, now: () => now, report: () => undefined })
  const usedAt = (ms: number): number => {
    now = ms
    return quotas.state('k', 20).used
  }
  quotas.spend('k', 20, 10)
  await writer.flush()
  const visit = () => [12, 13, 14, 15].map((month) => usedAt(Date.UTC(2026, month)))
  expect(visit()).toEqual([0, 0, 0, 0])
  expect(usedAt(Date.UTC(2026, 10, 22))).toBe(10)
  isAway = false
  await writer.close()
  expect(batches.flatMap(({ months }) => months)).toEqual([{ month: '2026-11', keyId: 'k', weight: 10 }])
  // Its total is in the store now.
  visit()
  expect(usedAt(Date.UTC(2026, 10, 23))).toBe(0)
})
