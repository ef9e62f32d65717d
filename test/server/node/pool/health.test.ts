// What answers and failures make of a server, and for how long.

import { expect, test } from 'vitest'
import { LiteError } from '../../../../server/node/index.ts'
import { CoolDown, ErrorScore, Latency, Past, TokenBucket } from '../../../../server/node/pool/health.ts'
import { noteFailure } from '../../../../server/node/pool/retrying.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** A clock that stands still, and does not begin at zero. */
const stillClock = () => {
  const clock = { ms: 5_000_000, now: () => clock.ms, after: () => () => undefined }
  return clock
}

test('three failures leave a server for the last, until half a minute has passed or it has answered', () => {
  const clock = stillClock()
  const score = new ErrorScore(clock)
  for (const isHigh of [false, false, true]) {
    score.add(1)
    expect(score.isHigh).toBe(isHigh)
  }
  score.ease()
  expect(score.isHigh).toBe(false)
  score.add(1)
  expect(score.isHigh).toBe(true)
  clock.ms += 30 * SECOND_MS
  expect(score.isHigh).toBe(false)
  score.add(1.7)
  expect(score.isHigh).toBe(true)
})

test('good answers make up for no block that is missing; a revert does, and for the next ten seconds', () => {
  const clock = stillClock()
  const score = new ErrorScore(clock)
  for (let i = 0; i < 6; i++) score.lacks(17, 0.5)
  for (let i = 0; i < 9; i++) score.ease()
  expect(score.isHigh).toBe(true)
  score.add(3)
  score.pardon()
  expect(score.isHigh).toBe(false)
  clock.ms += 10 * SECOND_MS - 1
  for (let i = 0; i < 6; i++) score.lacks(17, 0.5)
  expect(score.isHigh).toBe(false)
  clock.ms++
  for (let i = 0; i < 6; i++) score.lacks(17, 0.5)
  expect(score.isHigh).toBe(true)
})

test('that a server has no old blocks is held for ten minutes after it was found last', () => {
  const clock = stillClock()
  const past = new Past(clock)
  expect([past.mayHold(1_000_000), past.mayHoldLt(0n)]).toEqual([true, true])
  past.misses(1000)
  past.misses(2000)
  past.missesLt(70n)
  past.missesLt(50n)
  const held = () => [past.mayHold(999), past.mayHold(1000), past.mayHoldLt(71n), past.mayHoldLt(70n)]
  expect(held()).toEqual([true, false, true, false])
  clock.ms += 10 * MINUTE_MS
  expect(held()).toEqual([true, false, true, false])
  clock.ms++
  expect(held()).toEqual([true, true, true, true])
  past.misses(2000)
  past.missesLt(50n)
  expect([past.mayHold(1999), past.mayHold(2000), past.mayHoldLt(51n), past.mayHoldLt(50n)]).toEqual(
    held().map((_, i) => i % 2 === 0),
  )
})

test('the pause of a server that is asked too much doubles up to a minute; refusals of calls at once count once', () => {
  const clock = stillClock()
  const cool = new CoolDown(clock)
  const pauses = Array.from({ length: 8 }, () => {
    cool.begin()
    cool.begin()
    const { left } = cool
    cool.answered()
    clock.ms += left
    return left / SECOND_MS
  })
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  expect(cool.left).toBe(0)
  cool.answered()
  cool.begin()
  expect(cool.left).toBe(SECOND_MS)
})

test('a server that limits its callers is paused, and is no worse than others afterwards', () => {
  const clock = stillClock()
  const server = { cool: new CoolDown(clock), score: new ErrorScore(clock) }
  for (let i = 0; i < 5; i++) noteFailure(server, new LiteError(228, 'too many requests'))
  expect([server.cool.left, server.score.isHigh, server.score.failures]).toEqual([SECOND_MS, false, 5])
  for (let i = 0; i < 3; i++) noteFailure(server, new LiteError('timeout', 'no answer'))
  expect(server.score.isHigh).toBe(true)
})

test('calls per second: as many at once after a rest, and what was taken beyond is waited for', () => {
  const clock = stillClock()
  const tokens = new TokenBucket(clock, 4)
  clock.ms += MINUTE_MS
  for (let i = 0; i < 4; i++) {
    expect(tokens.wait).toBe(0)
    tokens.take()
  }
  expect(tokens.wait).toBe(250)
  tokens.take()
  expect(tokens.wait).toBe(500)
  clock.ms += 500
  expect(tokens.wait).toBe(0)
  clock.ms += MINUTE_MS
  tokens.giveBack()
  for (let i = 0; i < 4; i++) tokens.take()
  expect(tokens.wait).toBe(250)
  tokens.giveBack()
  expect(tokens.wait).toBe(0)
  const free = new TokenBucket(clock, 0)
  for (let i = 0; i < 9; i++) free.take()
  expect(free.wait).toBe(0)
})

test('latency follows what was measured last by a quarter, for each kind of call', () => {
  const latency = new Latency(stillClock())
  expect([latency.of('small'), latency.mean]).toEqual([null, null])
  latency.measured('small', 100)
  latency.measured('small', 200)
  latency.refused('large', 25)
  expect([latency.of('small'), latency.of('large'), latency.mean]).toEqual([125, 25, 75])
  latency.measured('large', 225)
  expect(latency.mean).toBe(100)
})
