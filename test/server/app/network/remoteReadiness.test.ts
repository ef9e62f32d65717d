// What is said of a chain of lite servers, and whether it can be read.

import { expect, test } from 'vitest'
import { remoteReadiness } from '../../../../server/app/network/remoteReadiness.ts'
import { OTHER_NETWORK } from '../../../../server/node/index.ts'
import type { ServerPool } from '../../../../server/node/pool/index.ts'

type Report = ServerPool['servers'][number]
const report = (state: Report['state'], reason: string | null = null): Report => ({
  name: 'a:1',
  state,
  reason,
  seqno: 5,
  utime: 100,
  lag: 0,
  clock: 101,
  latencyMs: 1,
  calls: 0,
  failures: 0,
  inFlight: 0,
})
const id = { workchain: -1, shard: 1n << 63n, seqno: 5, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
const head = { id, utime: 100, stateHash: new Uint8Array(32), zerostate: id, branch: 0, keyBlock: null }
const synced = { status: () => ({ head, heldS: 1, sync: null, trouble: null, isUndone: false, fork: null }) }
const at = (servers: readonly Report[], now: number, trust: Parameters<typeof remoteReadiness>[1] = synced) =>
  remoteReadiness({ servers }, trust, { oldHeadS: 15, now })

test.each([
  [[report('ready'), report('behind')], 101, true, 'block 5, 1.0 s ago, 1 of 2 lite servers'],
  [[report('ready'), report('ready')], 101.5, true, 'block 5, 1.5 s ago, 2 of 2 lite servers'],
  [
    [report('ready')],
    3_701,
    false,
    'block 5, 3601.0 s ago, 1 of 1 lite server; the clock of this machine is 3600 s ahead of theirs',
  ],
  [
    [report('ready'), { ...report('ready'), clock: 5_000 }, report('ready')],
    65,
    true,
    'block 5, 0.0 s ago, 3 of 3 lite servers; the clock of this machine is 36 s behind theirs, and behind the newest block, which is proven',
  ],
  [[report('ready'), { ...report('ready'), clock: 5_000 }], 101, true, 'block 5, 1.0 s ago, 2 of 2 lite servers'],
  [[{ ...report('ready'), clock: 116 }], 116, false, 'block 5, 16.0 s ago, 1 of 1 lite server'],
  [[report('away', 'connection refused')], 101, false, 'no lite server answers; a:1: connection refused'],
  [
    [report('ready'), report('dropped', 'its answer is false'), report('dropped', 'x')],
    101,
    false,
    '1 of 3 lite servers: 2 were dropped, its answer is false',
  ],
  // Those of another network have answered nothing false.
  [
    [report('ready'), report('dropped', OTHER_NETWORK), report('dropped', OTHER_NETWORK)],
    101,
    true,
    'block 5, 1.0 s ago, 1 of 3 lite servers',
  ],
])('behavior: %#', (servers, now, ready, words) => {
  expect(at(servers, now)).toEqual({ ready, words })
})

const agreed = [report('ready'), report('ready'), report('ready')]
const liar = { ...report('ready'), clock: 101 - 86_400 }
const others = [1_901, 1_901, -3_499, -3_499].map((clock) => ({ ...report('ready'), clock }))
test.each([
  [agreed, 3_701, true, '1.0 s ago, 3 of 3 lite servers; the clock of this machine is 3600 s ahead of those of 3'],
  [agreed, 50, true, '1.0 s ago, 3 of 3 lite servers; the clock of this machine is 51 s behind those of 3'],
  [agreed, 121, true, '1.0 s ago, 3 of 3 lite servers; the clock of this machine is 20 s ahead of those of 3'],
  [[...agreed, liar], 3_701, true, '1.0 s ago, 4 of 4 lite servers; the clock of this machine is 3600 s ahead of'],
  // Liars are not believed, and neither are as many as the honest ones.
  [[...agreed, liar], 101, true, '1.0 s ago, 4 of 4 lite servers'],
  [[...agreed, liar, liar, liar], 101, true, '1.0 s ago, 6 of 6 lite servers'],
  // Three that agree, among more that do not.
  [
    [...agreed, ...others],
    3_701,
    false,
    '3601.0 s ago, 7 of 7 lite servers; the clock of this machine is 3600 s ahead of theirs',
  ],
  // One that is away says nothing of the time.
  [[...agreed.slice(1), report('away')], 3_701, false, '3601.0 s ago, 2 of 3 lite servers; the clock of this machine'],
  // The network stands, by the right clock.
  [agreed.map((one) => ({ ...one, clock: 3_701 })), 3_701, false, '3601.0 s ago, 3 of 3 lite servers'],
  [agreed.map((one) => ({ ...one, clock: 3_701 })), 7_301, false, '3601.0 s ago, 3 of 3 lite servers; the clock of'],
])('behavior: the age of the newest block is told by servers that agree: %#', (servers, now, ready, words) => {
  const found = at(servers, now)
  expect(found).toEqual({ ready, words: expect.stringContaining(`block 5, ${words}`) })
  expect(found.words.length > `block 5, ${words}`.length).toBe(
    words.endsWith('theirs') ? false : words.includes('; the clock'),
  )
})

test('behavior: servers whose clocks stand still with the chain do not make its newest block young', () => {
  const frozen = { status: () => ({ ...synced.status(), heldS: 600 }) }
  expect(at(agreed, 700, frozen)).toEqual({ ready: false, words: expect.stringContaining('block 5, 600.0 s ago') })
  expect(at(agreed, 700)).toEqual({ ready: true, words: expect.stringContaining('block 5, 1.0 s ago') })
})

test('behavior: servers that are behind or pause for a moment still tell the time', () => {
  const now = [report('ready'), report('behind'), report('cooling')]
  expect(at(now, 3_701)).toEqual({ ready: true, words: expect.stringContaining('block 5, 1.0 s ago') })
})

test('behavior: a single server is not believed against this clock, a proven block is', () => {
  const silent = [{ ...report('ready'), clock: null }]
  expect(at(silent, 60)).toEqual({
    ready: true,
    words:
      'block 5, 0.0 s ago, 1 of 1 lite server; the clock of this machine is at least 40 s behind: the newest block, which is proven, was made later',
  })
  // A chain of one's own may be ahead of the computer's clock.
  expect(remoteReadiness({ servers: silent }, synced, { oldHeadS: null, now: 60 }).words).toBe(
    'block 5, 0.0 s ago, 1 of 1 lite server',
  )
})

test('behavior: a clock that is off is said on a custom network too, whose blocks have no pace', () => {
  expect(remoteReadiness({ servers: [report('ready')] }, synced, { oldHeadS: null, now: 3_701 })).toEqual({
    ready: true,
    words: 'block 5, 3601.0 s ago, 1 of 1 lite server; the clock of this machine is 3600 s ahead of theirs',
  })
})

test('behavior: a newest block that is made far in the future is said to be so, and is no fresh one', () => {
  const clock = 100 - 3_600
  expect(remoteReadiness({ servers: [{ ...report('ready'), clock }] }, synced, { oldHeadS: null, now: clock })).toEqual(
    {
      ready: true,
      words: 'block 5, made 3600 s in the future, 1 of 1 lite server',
    },
  )
})

test('behavior: servers that are behind what is proven are named as such', () => {
  expect(at([{ ...report('ready'), seqno: 2 }], 101)).toMatchObject({ ready: true })
  expect(at([{ ...report('ready'), seqno: 1 }], 101)).toEqual({
    ready: false,
    words:
      'block 5, 1.0 s ago, 1 of 1 lite server; they are at block 1 now: they are behind, or the chain was reverted',
  })
})

test('behavior: another fork is named, and stops nothing while a server has the held block', () => {
  const onFork = (isServed: boolean) => ({
    status: () => ({
      head,
      heldS: 0,
      sync: null,
      trouble: null,
      isUndone: false,
      fork: { text: 'on different forks', isServed },
    }),
  })
  const words = 'block 5, 1.0 s ago, 1 of 1 lite server; on different forks'
  expect(at([report('ready')], 101, onFork(true))).toEqual({ ready: true, words })
  expect(at([report('ready')], 101, onFork(false))).toEqual({ ready: false, words })
  // A served one that is old is no answer of now.
  const old = [{ ...report('ready'), clock: 116 }]
  expect(at(old, 115, onFork(true))).toMatchObject({ ready: true })
  expect(at(old, 116, onFork(true))).toMatchObject({ ready: false })
})

test('behavior: a first start says how long the proof of the chain takes', () => {
  const sync = { seqno: 45_000_000, utime: 1_740_787_200, target: 108_000_000, share: 0.3, remainingMs: 180_000 }
  const trust = { status: () => ({ head: null, heldS: 9, sync, trouble: null, isUndone: false, fork: null }) }
  expect(remoteReadiness({ servers: [report('ready')] }, trust, { oldHeadS: 15, now: 101 })).toEqual({
    ready: false,
    words: 'proving the chain: block 45000000 of 108000000, made on 2025-03-01, about 3 min left, 1 of 1 lite server',
  })
})
