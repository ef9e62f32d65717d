import { expect, test, vi } from 'vitest'
import { openEmbeddedChain } from '../../../../server/app/chain/chainService.ts'
import { DatabaseProbe } from '../../../../server/app/database/databaseProbe.ts'
import { indexReadinessOf } from '../../../../server/app/database/indexReadiness.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import type { IndexerStatus } from '../../../../server/indexer/index.ts'
import { createLog } from '../../../../server/observe/index.ts'
import { type Sql, StoreError } from '../../../../server/store/index.ts'
import { temporaryFolder } from '../../../setup/children.ts'

const good: IndexerStatus = {
  state: 'following',
  leads: true,
  trouble: null,
  failures: 0,
  isRefused: false,
  isApart: false,
  head: { seqno: 100, rootHash: new Uint8Array(32), utime: 1, at: 1 },
  first: { seqno: 7, utime: 0, isPruned: false },
  lag: 0,
  lacking: 0,
  lacksFirstState: false,
  blocksPerSecond: 1,
  blocks: 1,
}

const readiness = (status: Partial<IndexerStatus>, unreadable: string | null = null) =>
  indexReadinessOf(
    { status: () => ({ ...good, ...status }) },
    { isOpen: true, failure: null },
    { trouble: () => Promise.resolve(unreadable) },
  )

test.each([
  [{}, true, 'block 100, 0 behind'],
  [{ lag: null }, true, 'block 100'],
  [
    { first: { seqno: 7, utime: 0, isPruned: true } },
    true,
    'block 100, 0 behind, back to block 7 of 1970-01-01T00:00:00.000Z',
  ],
  [{ lag: 50 }, true, 'block 100, 50 behind'],
  [{ lag: 51 }, false, 'block 100, 51 behind'],
  [{ lacking: 2 }, true, 'block 100, 0 behind, 2 accounts without their data, which no server has any more'],
  [
    { lacksFirstState: true },
    true,
    'block 100, 0 behind, without accounts that only the first state has, which no server returned',
  ],
  [{ state: 'stopped', trouble: 'why' }, false, 'block 100, 0 behind; why'],
  [{ state: 'waiting', trouble: 'why', failures: 1 }, true, 'block 100, 0 behind; why'],
  [{ state: 'waiting', trouble: 'why', failures: 3 }, false, 'block 100, 0 behind; why'],
  [{ state: 'watching', trouble: 'why', isApart: true }, false, 'block 100, 0 behind; why'],
  [{ isRefused: true, trouble: 'of another chain' }, false, 'of another chain'],
  [{ head: null }, false, 'empty'],
] as const)('%j is ready: %s', async (status, ready, words) => {
  expect(await readiness(status)).toMatchObject({ ready, words })
})

test('what cannot be read is not ready, however near it is', async () => {
  expect(await readiness({}, 'away')).toMatchObject({ ready: false, words: 'away' })
})

test.each([
  [{ head: null }, null, true],
  [{ head: null, trouble: 'why' }, null, false],
  [{ head: null }, 'away', false],
  [{ isRefused: true, trouble: 'of another chain' }, null, false],
] as const)('%j, unreadable: %j, has only just begun: %s', async (status, unreadable, isStarting) => {
  // What has not is said in the banner.
  expect(await readiness(status, unreadable)).toMatchObject({ ready: false, isStarting })
})

test('a database that is not open says why, or that it is being opened', async () => {
  const closed = (failure: StoreError | null) =>
    indexReadinessOf({ status: () => good }, { isOpen: false, failure }, { trouble: () => Promise.resolve(null) })
  expect(await closed(null)).toEqual({ ready: false, words: 'the database is being opened', isStarting: true })
  expect(await closed(new StoreError('full', 'x'))).toEqual({ ready: false, words: 'no room on the disk: x' })
})

test('one read answers all who ask at once', async () => {
  let reads = 0
  const read: Sql = {
    query: () => {
      reads++
      return Promise.reject(new StoreError('unavailable', 'away'))
    },
  }
  const probe = new DatabaseProbe(read)
  expect(await Promise.all([probe.trouble(), probe.trouble(), probe.trouble()])).toEqual(['away', 'away', 'away'])
  expect(reads).toBe(1)
})

test('the database is not blamed for the time in which the process stood still', async () => {
  const stood = new Int32Array(new SharedArrayBuffer(4))
  const read: Sql = {
    query: (_statement, { signal } = {}) => {
      // Longer than the limit. The thread of an embedded database stands still as well: its answer comes some turns later.
      Atomics.wait(stood, 0, 0, 2_100)
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new StoreError('aborted', 'late')))
        const turn = (left: number): void => (left === 0 ? resolve([]) : void setImmediate(turn, left - 1))
        turn(5)
      })
    },
  }
  expect(await new DatabaseProbe(read).trouble()).toBe(null)
})

test('a database that never answers is not waited for without end', async () => {
  const read: Sql = {
    query: (_statement, { signal } = {}) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new StoreError('aborted', 'late')))
      }),
  }
  expect(await new DatabaseProbe(read).trouble()).toBe('the database did not answer within 2000 ms')
})

test('a chain that makes no blocks any more is not ready', async () => {
  const began = performance.now()
  const config = Settings.parse({ data: await temporaryFolder(), seed: 'none', blockTime: '10m' })
  const chain = await openEmbeddedChain(config, createLog({ format: 'json', level: 'silent' }))
  expect(chain.readiness().ready).toBe(true)
  const now = performance.now()
  // Nothing is awaited meanwhile: the clock is that of the process.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 24 * 3_600_000)
  const { ready, words } = chain.readiness()
  clock.mockRestore()
  await chain.close()
  expect(ready).toBe(false)
  const [, age, late] = /^block 1, (\d+) s ago; no block is made: the next one was due (\d+) s ago$/.exec(words) ?? []
  // What a busy machine took for the start comes on top.
  const took = Math.ceil((now - began) / 1000)
  for (const [told, least] of [
    [age, 86_400],
    [late, 86_400 - 600],
  ] as const) {
    expect(Number(told)).toBeGreaterThanOrEqual(least)
    expect(Number(told)).toBeLessThanOrEqual(least + took)
  }
})
