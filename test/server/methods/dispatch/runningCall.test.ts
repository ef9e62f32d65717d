import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Lanes, ownerOfSignal } from '../../../../server/fairness/index.ts'
import { type LaneJob, leaveLane, RunningCall } from '../../../../server/methods/dispatch/runningCall.ts'
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

test('behavior: who has left before they join keeps no call going that its own caller leaves', () => {
  const { gone, running } = setUp()
  expect(running.signal.aborted).toBe(false)
  running.goOnFor(AbortSignal.abort())
  const late = new AbortController()
  running.goOnFor(late.signal)
  gone.abort()
  expect([running.signal.aborted, running.isAbandoned]).toEqual([false, false])
  late.abort()
  expect([running.signal.aborted, running.isAbandoned]).toEqual([true, true])
})

test('behavior: a lane is given back once, and not before the statements of its call have ended', async () => {
  const { running } = setUp()
  const lanes = new Lanes({ total: 4, perCaller: 4, perTurn: 4, waitingPerCaller: 4 })
  for (let i = 0; i < 3; i++) expect(lanes.tryEnter('me', 'short')).toBe(true)
  const job: LaneJob = { entry: { lanes }, params: {}, running, kind: 'short', inLaneSince: 0, length: 0 }
  let end = () => {}
  const slow = new Promise<void>((resolve) => {
    end = resolve
  })
  const statements = [slow, Promise.reject(new Error('late'))]
  for (const one of statements) running.onBegun(one)
  for (let turn = 0; turn < 2; turn++) {
    leaveLane(job)
    await nextTurn()
    expect(lanes.running).toBe(3)
  }
  end()
  await nextTurn()
  leaveLane(job)
  expect(lanes.running).toBe(2)
})
