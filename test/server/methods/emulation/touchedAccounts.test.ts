// What an emulated trace has changed of an account: from before its first transaction there to after its last.

import { expect, test } from 'vitest'
import { type OpenState, touchedAccounts, type WithStates } from '../../../../server/methods/emulation/states.ts'

const id = { workchain: 0, hash: new Uint8Array(32).fill(0xab) }
const other = { workchain: 0, hash: new Uint8Array(32).fill(0xcd) }

test('an account that runs several times is as it was before all of them, and is after all', () => {
  // The casts: nothing of a state or a transaction is read but its time.
  const states = Array.from({ length: 4 }, () => ({}) as unknown as OpenState)
  const step = (account: typeof id, at: number): WithStates =>
    ({
      one: { account, transaction: { now: at } },
      before: states[at],
      after: states[at + 1],
    }) as unknown as WithStates
  const touched = touchedAccounts([step(id, 0), step(other, 1), step(id, 1), step(id, 2)])
  expect([...touched.keys()]).toEqual([`0:${'AB'.repeat(32)}`, `0:${'CD'.repeat(32)}`])
  const whole = touched.get(`0:${'AB'.repeat(32)}`)
  expect(whole?.before).toBe(states[0])
  expect(whole?.after).toBe(states[3])
  expect(whole?.utime).toBe(2)
})
