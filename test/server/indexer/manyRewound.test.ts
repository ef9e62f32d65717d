// A rewind sets every account back that changed since: of a million that wait, each would take memory, and a turn would begin them all.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accountKey } from '../../../server/facts/index.ts'
import { accountRowsAt } from '../../../server/indexer/lastChanges.ts'
import { LiteError } from '../../../server/node/index.ts'

const keys = Array.from({ length: 3_000 }, (_, i) => accountKey(0, Buffer.alloc(32, `${i} `)))

/** Reads of accounts that do not exist; `fails` is asked before each. */
function reading(fails: (count: number) => boolean) {
  let begun = 0
  let pending = 0
  let most = 0
  const lanes = {
    async run() {
      most = Math.max(most, ++pending)
      begun++
      await nextTurn()
      pending--
      if (fails(begun)) throw new LiteError('notReady', 'it is away')
      return { shardAccount: null }
    },
  }
  const { signal } = new AbortController()
  // The casts: no account is read but through the lanes.
  const parts = { lanes, signal, timeoutMs: 1, chain: {} } as unknown as Parameters<typeof accountRowsAt>[0]
  const id = {} as Parameters<typeof accountRowsAt>[1]
  return { read: () => accountRowsAt(parts, id, keys), begun: () => begun, most: () => most }
}

test('few accounts are begun at once', async () => {
  const { read, begun, most } = reading(() => false)
  expect(await read()).toEqual(keys.map(() => null))
  expect(begun()).toBe(keys.length)
  expect(most()).toBeLessThanOrEqual(100)
})

test('none is begun after one has failed', async () => {
  const { read, begun } = reading((count) => count > 200)
  await expect(read()).rejects.toThrow('it is away')
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(begun()).toBeLessThan(500)
})
