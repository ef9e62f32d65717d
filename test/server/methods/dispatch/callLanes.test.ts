// Which calls wait for which: emulations only for each other.

import { expect, test } from 'vitest'
import { createCallLanes, lanesOf } from '../../../../server/methods/dispatch/callLanes.ts'
import { kindOfCall } from '../../../../server/methods/dispatch/runningCall.ts'
import { createMetrics } from '../../../../server/observe/index.ts'
import { registry } from '../../../../shared/registry.ts'

/** Each call has its own. */
const ownSignal = (): AbortSignal => new AbortController().signal

test('however many emulations run, get-methods and reads of other callers and of the same one find a lane', async () => {
  const lanes = createCallLanes(createMetrics())
  const lanesFor = (name: keyof typeof registry) => lanesOf(name, registry[name], lanes)
  const emulations = lanesFor('emulate.trace')
  expect(lanesFor('emulate.tonConnect')).toBe(emulations)
  expect(lanesFor('emulate.replay')).toBe(emulations)
  expect(lanesFor('dev.mine')).toBeNull()
  let waiting = 0
  for (let caller = 0; caller < 50; caller++)
    for (let call = 0; call < 5; call++)
      if (emulations?.tryEnter(`caller ${caller}`) !== true) {
        waiting++
        void emulations?.enter(`caller ${caller}`, ownSignal())
      }
      // The next turn of the loop: one begins in each.
      else await new Promise((resolve) => setImmediate(resolve))
  expect([emulations?.running, waiting]).toEqual([8, 242])
  expect(lanesFor('runGetMethod')?.tryEnter('caller 0')).toBe(true)
  expect(lanesFor('v3.transactions')?.tryEnter('caller 1')).toBe(true)
})

test('a short call of a caller with many long ones waiting has a lane in the next turns, and other callers have room', async () => {
  const lanes = lanesOf('v3.transactions', registry['v3.transactions'], createCallLanes(createMetrics()))
  const entered: string[] = []
  const enter = (params: Readonly<Record<string, unknown>>) => {
    const kind = kindOfCall(params)
    void lanes?.enter('greedy', ownSignal(), kind).then(() => entered.push(kind))
  }
  for (let i = 0; i < 100; i++) enter({ limit: 1000 })
  enter({ limit: 10 })
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(entered.toSorted()).toEqual(['long', 'long', 'long', 'short'])
  expect([lanes?.tryEnter('modest'), lanes?.tryEnter('modest')]).toEqual([true, true])
})
