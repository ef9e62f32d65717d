// States of older blocks are replayed: a call that ends before it has what it wanted is not in vain.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Replays } from '../../../../server/devchain/history/replays.ts'

const PER_CALL = 40
/** As large as a step can be: no state between the ends is kept as a starting point. */
const STEP_BYTES = 2 << 20

test('a state that is too far for one call is reached by those that ask again', async () => {
  let caller = new AbortController()
  let replayed = 0
  let last = 0
  const replays = new Replays<{ readonly seqno: number }, number>({
    load: async (seqno) => seqno,
    replay: (before, step) => {
      last = step
      if (++replayed % PER_CALL === 0) caller.abort(new Error('the caller has left'))
      expect(step).toBe(before.seqno + 1)
      return { seqno: step }
    },
    sizeOf: () => STEP_BYTES,
    maxBytes: 48 << 20,
    nearest: () => ({ seqno: 0, state: { seqno: 0 } }),
    findBase: async () => null,
  })
  const reached: number[] = []
  for (let call = 0; call < 8; call++) {
    caller = new AbortController()
    const state = await replays.at(200, caller.signal).catch(() => null)
    // The replay ends in turns of its own.
    for (let turn = 0; turn < 2000 && replays.known(last) === undefined; turn++) await pause(1)
    if (state !== null) reached.push(state.seqno)
  }
  expect(reached.length).toBeGreaterThan(0)
  expect(new Set(reached)).toEqual(new Set([200]))
  expect(replayed).toBeLessThan(220)
})
