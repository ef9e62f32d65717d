import { expect, test } from 'vitest'
import { wideNetworkOf } from '../../../../server/node/adnl/networkOf.ts'
import { type HoldsPlace, whoLeaves as whoLeavesFor } from '../../../../server/node/adnl/whoLeaves.ts'

const NOW = 100_000

const whoLeaves = (address: string, peers: readonly HoldsPlace[], now: number) =>
  whoLeavesFor(wideNetworkOf(address), peers, now)

const greeted = (address: string, askedAt = NOW): HoldsPlace => ({
  wideNetwork: wideNetworkOf(address),
  askedAt,
  isGreeted: true,
})
const silent = (address: string): HoldsPlace => ({ wideNetwork: wideNetworkOf(address), askedAt: 0, isGreeted: false })
const many = (count: number, peer: (i: number) => HoldsPlace): HoldsPlace[] =>
  Array.from({ length: count }, (_, i) => peer(i))
const ofOne = (count: number): HoldsPlace[] => many(count, (i) => greeted(`203.0.113.${i}`, NOW - 100 + i))
const ofMany = (count: number): HoldsPlace[] => many(count, (i) => greeted(`10.${i}.0.1`, NOW - 100 + i))

test('the one of the largest network that asked longest ago', () => {
  const crowd = ofOne(20)
  expect(whoLeaves('198.51.100.1', [...ofMany(12), ...crowd], NOW)).toBe(crowd[0])
})

test('a network of IPv6 is that of one owner', () => {
  const crowd = many(20, (i) => greeted(`2001:db8:1:${i.toString(16)}::1`, NOW - i))
  expect(whoLeaves('2001:db8:2::1', [...ofMany(12), ...crowd], NOW)).toBe(crowd[19])
  expect(whoLeaves('2001:db8:1:99::1', [...ofMany(12), ...crowd], NOW)).toBeUndefined()
})

test('nobody for one more of the same network, or where all have few', () => {
  expect(whoLeaves('203.0.113.200', [...ofMany(12), ...ofOne(20)], NOW)).toBeUndefined()
  expect(whoLeaves('198.51.100.1', [...ofMany(30), ...ofOne(2)], NOW)).toBeUndefined()
})

test('one that has asked nothing for long, also where all have few', () => {
  const quiet = greeted('192.0.2.1', NOW - 30_000)
  expect(whoLeaves('198.51.100.1', [...ofMany(30), quiet], NOW)).toBe(quiet)
})

test('a crowd that asks all the time does not wear out those of other networks that are quiet', () => {
  const others = many(20, (i) => greeted(`10.${i}.0.1`, NOW - 31_000))
  expect(whoLeaves('203.0.113.200', [...others, ...ofOne(30)], NOW)).toBeUndefined()
  expect(whoLeaves('198.51.100.1', [...others, ...ofOne(2)], NOW)).toBe(others[0])
})

test('one without a hello when there are many of them; else they keep some places', () => {
  const [first = silent(''), ...others] = many(4, (i) => silent(`192.0.2.${i}`))
  expect(whoLeaves('198.51.100.1', [...ofOne(28), first, ...others], NOW)).toBe(first)
  const crowd = ofOne(29)
  expect(whoLeaves('198.51.100.1', [...others, ...crowd], NOW)).toBe(crowd[0])
  expect(whoLeaves('198.51.100.1', [...ofMany(29), ...others], NOW)).toBe(others[0])
})
