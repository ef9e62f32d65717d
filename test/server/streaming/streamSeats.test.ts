import { expect, test } from 'vitest'
import type { Caller } from '../../../server/access/index.ts'
import { StreamSeats } from '../../../server/streaming/streamSeats.ts'

const callerWith = (streamConnections: number | null): Caller => {
  const limits = { monthly: null, connections: null, streamConnections, streamAddresses: null, webhooks: 0 }
  return { subject: 'a', keyId: 'a', tier: { name: 'p', perSecond: 1, plan: { name: 'p', perSecond: 1, ...limits } } }
}

test.each([0, 1, 3])('a plan with %i streams gives so many at once', (most) => {
  const seats = new StreamSeats()
  const caller = callerWith(most)
  const taken = Array.from({ length: most }, () => seats.take(caller, () => undefined))
  expect(() => seats.take(caller, () => undefined)).toThrow(`connection limit reached: ${most} active connections`)
  for (const seat of taken) seats.leave('a', seat)
  expect(seats.count).toBe(0)
})

test('a plan without a limit of streams gives all', () => {
  const seats = new StreamSeats()
  for (let i = 0; i < 1_000; i++) seats.take(callerWith(null), () => undefined)
  expect(seats.count).toBe(1_000)
})

test('a silent connection gives its seat to a new one', () => {
  const seats = new StreamSeats()
  const closed: string[] = []
  seats.take(callerWith(1), () => void closed.push('first')).isSilent = true
  seats.take(callerWith(1), () => void closed.push('second'))
  expect([closed, seats.count]).toEqual([['first'], 1])
})
