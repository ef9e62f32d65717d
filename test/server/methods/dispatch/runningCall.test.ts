import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { ownerOfSignal } from '../../../../server/fairness/index.ts'
import { RunningCall } from '../../../../server/methods/dispatch/runningCall.ts'
import { NO_MODIFIERS } from '../../../../server/methods/index.ts'

function setUp() {
  const gone = new AbortController()
  const running = new RunningCall(
    {
      caller: { subject: 'me', keyId: null, tier: null },
      requestId: 'r1',
      signal: gone.signal,
      budget: null,
      whyNoControl: null,
      modifiers: NO_MODIFIERS,
    },
    1000,
  )
  return { gone, running }
}

test('default: aborts with its connection, and is abandoned then', () => {
  const { gone, running } = setUp()
  expect([running.signal.aborted, running.isAbandoned]).toEqual([false, false])
  gone.abort()
  expect([running.signal.aborted, running.isAbandoned]).toEqual([true, true])
})

test('behavior: whatever has the signal of a call knows whose it is', () => {
  const { gone, running } = setUp()
  expect([ownerOfSignal(running.signal), ownerOfSignal(gone.signal), ownerOfSignal(undefined)]).toEqual([
    'me',
    undefined,
    undefined,
  ])
})

test('behavior: a connection does not remember calls that were answered', () => {
  const { gone, running } = setUp()
  expect(running.signal.aborted).toBe(false)
  expect(getEventListeners(gone.signal, 'abort')).toHaveLength(1)
  running.done()
  expect(getEventListeners(gone.signal, 'abort')).toEqual([])
})
