// Runs that each hold the event loop for less than a long one: what they take together counts.

import type { Worker } from 'node:worker_threads'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { beginCell, writeBocText } from '../../../../server/cell/index.ts'
import { AheadRuns } from '../../../../server/devchain/collate/execution/aheadRuns.ts'
import type { TransactionResult } from '../../../../server/tvm/index.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const transaction = writeBocText(beginCell().end(), 0)
// The cast: no more of it is looked at.
const result = { accepted: true, transaction } as TransactionResult

/** Runs that take `ms` each and begin every `everyMs`; whether the next ones are made in threads after each. */
function carefulAfter(count: number, { ms, everyMs }: { readonly ms: number; readonly everyMs: number }): boolean[] {
  let now = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => ({
    user: (now - (before?.user ?? 0) / 1000) * 1000,
    system: 0,
  }))
  const ahead = new AheadRuns({ threads: 1, longGas: 0 })
  return Array.from({ length: count }, () => {
    now += everyMs - ms
    ahead.timed(() => {
      now += ms
      return result
    })
    return ahead.isCareful
  })
}

test('behavior: many runs just below a long one are followed by runs in threads', () => {
  expect(carefulAfter(6, { ms: 19, everyMs: 25 })).toEqual([false, false, false, false, false, true])
})

test('behavior: few of them in a second, and any number of short ones, are made where they were', () => {
  expect(carefulAfter(60, { ms: 19, everyMs: 400 })).not.toContain(true)
  expect(carefulAfter(2000, { ms: 4, everyMs: 5 })).not.toContain(true)
})

test('behavior: closed while a thread is being started, it ends when that one has', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker) => void threads.push(thread)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const ahead = new AheadRuns({ threads: 1, transactions: 1 })
  ahead.count()
  await ahead.close()
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1])
})
