// How far a chain is proven, and how long the rest takes: by time on the chain.

import { expect, test } from 'vitest'
import { SyncProgress, syncText } from '../../../../server/node/remote/syncProgress.ts'

const TARGET = { seqno: 1_000, utime: 10_000 }
const DAY = 86_400

test('what is done is compared with the way from where trust started, and the rest takes as long for its part', () => {
  let now = 5_000
  const progress = new SyncProgress(TARGET, 2_000, () => now)
  now = 35_000
  const quarter = { seqno: 700, utime: 4_000, target: 1_000, share: 0.25, remainingMs: 90_000 }
  expect(progress.report(700, 4_000)).toEqual(quarter)
  now = 65_000
  expect(progress.report(900, 8_000)).toMatchObject({ share: 0.75, remainingMs: 20_000 })
  // The time of the target is the word of one server.
  expect(progress.report(999, 50_000)).toMatchObject({ share: 1, remainingMs: 0 })
})

test('without the time of the start it counts from the first time that is known', () => {
  let now = 0
  const progress = new SyncProgress(TARGET, null, () => now)
  const unknown = { share: null, remainingMs: null, target: 1_000 }
  expect(progress.report(10, null)).toEqual({ ...unknown, seqno: 10, utime: null })
  now = 50_000
  expect(progress.report(20, 6_000)).toEqual({ ...unknown, seqno: 20, utime: 6_000 })
  now = 51_000
  expect(progress.report(30, 7_000)).toMatchObject({ share: 0.25, remainingMs: 3_000 })
  expect(progress.report(40, 5_000)).toMatchObject({ share: null, remainingMs: null })
})

test('a target that is no newer than the start says nothing of the rest', () => {
  const progress = new SyncProgress({ seqno: 5, utime: 2_000 }, 2_000, () => 0)
  expect(progress.report(4, 3_000)).toMatchObject({ share: null, remainingMs: null })
})

test('in words', () => {
  const at = { seqno: 7, target: 9, share: 0.5 }
  expect(syncText({ ...at, utime: null, remainingMs: null })).toBe('block 7 of 9')
  expect(syncText({ ...at, utime: DAY, remainingMs: 0 })).toBe('block 7 of 9, made on 1970-01-02, about 1 s left')
  expect(syncText({ ...at, utime: null, remainingMs: 59_000 })).toBe('block 7 of 9, about 59 s left')
  expect(syncText({ ...at, utime: null, remainingMs: 150_000 })).toBe('block 7 of 9, about 3 min left')
})
