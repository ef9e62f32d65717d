// States of older blocks are replayed: a call that ends before it has what it wanted is not in vain, and none is kept of an undone branch.

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

test('a state that was replayed while the chain was reverted is not kept: it is of the branch that was undone', async () => {
  let branch = 'undone'
  const replays = new Replays<{ readonly branch: string }, string>({
    load: async () => branch,
    replay: (_, step) => {
      // The revert comes when the last step has been read.
      replays.truncate(2)
      return { branch: step }
    },
    sizeOf: () => 1,
    maxBytes: 1000,
    nearest: () => ({ seqno: 2, state: { branch: 'both' } }),
    findBase: async () => null,
  })
  expect(await replays.at(3)).toEqual({ branch: 'undone' })
  branch = 'new'
  expect(await replays.at(3)).toEqual({ branch: 'new' })
})
