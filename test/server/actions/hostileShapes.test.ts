// Large traces of hostile shapes: each takes time in proportion.

import { expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { largeTraces } from './largeTraces.ts'

/** Of this process: whatever else the machine does costs none of it. */
const MOST_MS = 4000

test('4,000 transactions of any shape are classified in a bounded time', () => {
  for (const { name, trace, facts } of largeTraces(12)) {
    const before = process.cpuUsage()
    const { actions, failure } = classifyTrace(trace, facts)
    const { user, system } = process.cpuUsage(before)
    expect([failure, actions.length > 0], name).toEqual([null, true])
    expect((user + system) / 1000, name).toBeLessThan(MOST_MS)
  }
})
