// How many more calls far servers get at once than near ones.

import { expect, test } from 'vitest'
import { Latency } from '../../../../server/node/pool/health.ts'
import { Stretch, stretchOf } from '../../../../server/node/pool/stretch.ts'

const still = { now: () => 0 }

function after(answers: number, msOf: (stretch: Stretch, i: number) => number): Stretch {
  const stretch = new Stretch(still)
  for (let i = 0; i < answers; i++) stretch.answered(msOf(stretch, i))
  return stretch
}

test('default: a near server gets no more calls than usual, however quick it is', () => {
  expect(new Stretch(still).times).toBe(1)
  for (const ms of [0, 0.3, 5, 29]) expect(after(10_000, () => ms).times).toBe(1)
})

test('behavior: the farther it is, the more are on their way, up to a bound', () => {
  expect(after(10_000, () => 60).times).toBe(2)
  expect(after(10_000, () => 120).times).toBe(4)
  expect(after(10_000, () => 60_000).times).toBe(8)
})

test('behavior: it grows with its answers, not at once', () => {
  expect(after(1, () => 120).times).toBeLessThan(1.1)
  expect(after(64, () => 120).times).toBeCloseTo(2)
})

test('behavior: a server that has as much as it can do gets no more, and as soon as its answers wait, less', () => {
  // Twice the usual is what it answers without delay.
  const busy = after(20_000, ({ times }) => 120 * Math.max(1, times / 2))
  expect(busy.times).toBeGreaterThan(2)
  expect(busy.times).toBeLessThan(3)
  for (let i = 0; i < 500; i++) busy.answered(400)
  expect(busy.times).toBe(1)
})

test('behavior: what the way takes now and then is no queue', () => {
  expect(after(10_000, (_, i) => (i % 5 === 0 ? 300 : 120)).times).toBeGreaterThan(3)
})

test('behavior: the servers that calls go to are counted, and no others', () => {
  const far = { stretch: after(10_000, () => 120) }
  const near = { stretch: new Stretch(still) }
  const member = (latency: { readonly stretch: Stretch }, isUsable = true, isHigh = false) => ({
    latency,
    isUsable,
    score: { isHigh },
  })
  expect(stretchOf([])).toBe(1)
  expect(stretchOf([member(far), member(near)])).toBe(2.5)
  expect(stretchOf([member(far), member(near, false), member(near, true, true)])).toBe(4)
})

test('behavior: quick refusals, as those of a proxy, make no far server a near one', () => {
  const latency = new Latency(still)
  for (let i = 0; i < 1_000; i++) latency.measured('account', 120)
  latency.refused('account', 1)
  for (let i = 0; i < 1_000; i++) latency.measured('account', 120)
  expect(latency.stretch.times).toBe(4)
})

/** Answers one after the other, each after its own time; `msOf` knows how many are in flight. */
function lives(minutes: number, stretch: Stretch, clock: { at: number }, msOf: (times: number) => number): number[] {
  const seen: number[] = []
  for (const end = clock.at + minutes * 60_000; clock.at < end; ) {
    clock.at += 10
    stretch.answered(msOf(stretch.times))
    seen.push(stretch.times)
  }
  return seen
}

function living() {
  const clock = { at: 0, now: () => clock.at }
  return { clock, stretch: new Stretch(clock) }
}

test('behavior: a server that has become far is far after some minutes', () => {
  const { clock, stretch } = living()
  lives(1, stretch, clock, () => 40)
  expect(stretch.times).toBeCloseTo(40 / 30)
  lives(5, stretch, clock, () => 180)
  expect(stretch.times).toBe(6)
  // And near again at once.
  stretch.answered(15)
  expect(stretch.times).toBe(1)
})

test('behavior: a server that stays where it is keeps its calls in flight', () => {
  const { clock, stretch } = living()
  lives(1, stretch, clock, () => 120)
  const seen = lives(20, stretch, clock, () => 120 + (clock.at % 300 === 0 ? 90 : 0))
  expect(Math.min(...seen)).toBeGreaterThan(3)
})

test('behavior: a near server whose answers wait for each other is not taken for a far one', () => {
  const { clock, stretch } = living()
  lives(1, stretch, clock, () => 20)
  // With as many calls in flight as to a near one it is busy: more only wait longer.
  const seen = lives(60, stretch, clock, (times) => 200 * times)
  expect(Math.max(...seen.slice(-10_000))).toBeLessThan(1.6)
})
