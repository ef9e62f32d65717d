// Metrics of the process as a scraper reads them.

import { expect, test } from 'vitest'
import { createMetrics } from '../../../server/observe/index.ts'

const delaysIn = (text: string): Map<string, number> =>
  new Map(
    [...text.matchAll(/^tonrpc_nodejs_eventloop_(lag\w*) (\S+)$/gm)].map(([, name = '', value]) => [
      name,
      Number(value),
    ]),
  )

test('delays of the event loop are left out until they are measured, and then are possible ones', async () => {
  const metrics = createMetrics()
  const first = await metrics.text()
  expect(first).toContain('tonrpc_process_resident_memory_bytes ')
  expect(delaysIn(first)).toEqual(new Map())
  let delays = delaysIn('')
  const measured = async () => {
    delays = delaysIn(await metrics.text())
    return [...delays.keys()].sort()
  }
  // A busy machine measures its first ones later.
  await expect
    .poll(measured, { interval: 500 })
    .toEqual(
      ['', '_max', '_mean', '_min', '_p50', '_p90', '_p99', '_stddev'].map((part) => `lag${part}_seconds`).sort(),
    )
  const [least = 0, half = 0, most = 0] = ['min', 'p50', 'max'].map((name) => delays.get(`lag_${name}_seconds`))
  // The delays are counted from the timer's period of ten milliseconds on; bounds of their histogram are rounded.
  expect(least).toBeGreaterThan(0.0001)
  expect(half).toBeGreaterThanOrEqual(least)
  expect(most).toBeGreaterThanOrEqual(half)
})

test('no gauge of the process has the name of a counter', async () => {
  const text = await createMetrics().text()
  expect(text).toMatch(/^tonrpc_nodejs_active_handles\{/m)
  expect(text.match(/^# TYPE \S+_total gauge$/gm)).toBeNull()
})
