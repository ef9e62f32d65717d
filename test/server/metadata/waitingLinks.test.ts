// Links that wait in memory: however many one site or one host has, there is room for those of others.

import { expect, test } from 'vitest'
import { WaitingLinks } from '../../../server/metadata/waitingLinks.ts'

/** Enters links while there is room for them; returns how many there were. */
function fill(waiting: WaitingLinks, site: string, hostOf: (i: number) => string): number {
  let count = 0
  for (; waiting.hasRoom({ site, host: hostOf(count) }); count++) waiting.enter({ site, host: hostOf(count) })
  return count
}

test('hosts of a site have half of what is left of its limit each', () => {
  const waiting = new WaitingLinks({ most: 1_000, ofSite: 40 })
  const found = ['a', 'b', 'c'].map((host) => fill(waiting, 'x.test', () => `${host}.x.test`))
  expect(found).toEqual([20, 10, 5])
  expect(fill(waiting, 'y.test', () => 'y.test')).toBe(20)
})

test('a site has up to its limit, and no more than a quarter of what others leave', () => {
  const many = (site: string) => (i: number) => `${i}.${site}`
  const roomy = new WaitingLinks({ most: 1_000, ofSite: 40 })
  expect(fill(roomy, 'x.test', many('x.test'))).toBe(40)
  const waiting = new WaitingLinks({ most: 100, ofSite: 40 })
  const found = ['x.test', 'y.test', 'z.test'].map((site) => fill(waiting, site, many(site)))
  expect(found).toEqual([20, 16, 13])
})

test('what has ended leaves its room to those that come', () => {
  const waiting = new WaitingLinks({ most: 1_000, ofSite: 40 })
  const share = { site: 'x.test', host: 'a.x.test' }
  const count = fill(waiting, share.site, () => share.host)
  waiting.leave(share)
  expect(fill(waiting, share.site, () => share.host)).toBe(1)
  for (let i = 0; i < count; i++) waiting.leave(share)
  expect(waiting.isEmpty).toBe(true)
  expect(fill(waiting, share.site, () => share.host)).toBe(count)
})
