// Subscriptions of strangers: as long as a request may be.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import type { Sql } from '../../../server/store/index.ts'
import { hasManyNames, readingSubscription } from '../../../server/streaming/readSubscription.ts'
import { concerningBlocks } from '../../../server/streaming/resume.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`
const accounts = Array.from({ length: 13_000 }, (_, i) => account(i))
const rules = { transport: 'socket', actionsVersion: null, maxAddresses: Number.POSITIVE_INFINITY } as const
const types = ['transactions']

test('thousands of addresses are read in pieces', () => {
  const value = { types, addresses: accounts }
  const pieces = readingSubscription(value, rules)
  let count = 0
  while (pieces.next().done !== true) count++
  expect(count).toBeGreaterThanOrEqual(accounts.length / 100)
  expect(inOnePiece(readingSubscription(value, rules)).addresses).toEqual(new Set(accounts))
  expect(hasManyNames(value)).toBe(true)
  expect(hasManyNames({ types, addresses: accounts.slice(0, 50) })).toBe(false)
})

test('blocks that thousands of addresses may have missed are looked for, with turns for others before', async () => {
  let queries = 0
  const store: Sql = {
    query: async () => {
      queries++
      return []
    },
  }
  const others = { hashes: new Set<string>(), opcodes: new Set<number>(), namesNoAccount: false }
  const names = { addresses: new Set(accounts), types: new Set(types), ...others }
  const range = { first: 1, last: 9, limit: 5 }
  const { turns } = await turnsOf(() => concerningBlocks(store, names, range).catch(() => []))
  expect(queries).toBeGreaterThan(0)
  expect(turns).toBeGreaterThan(100)
})

test('a list with something else in it is refused by the first of that, and no further', () => {
  const refused = (addresses: readonly unknown[]) => () => inOnePiece(readingSubscription({ types, addresses }, rules))
  const words = 'invalid subscribe request: addresses.1: must be text'
  expect(refused([account(1), 0])).toThrow(words)
  let looks = 0
  const many = new Proxy([account(1), ...new Array(60_000).fill(0)], {
    get(list, name) {
      looks++
      return Reflect.get(list, name)
    },
  })
  expect(refused(many)).toThrow(words)
  expect(looks).toBeLessThan(100)
})

test('the same address again and again is one, and they are counted as before', () => {
  const addresses = new Array(10_000).fill(account(1))
  expect(inOnePiece(readingSubscription({ types, addresses }, { ...rules, maxAddresses: 1 })).addresses).toEqual(
    new Set([account(1)]),
  )
  expect(() =>
    inOnePiece(readingSubscription({ types, addresses: accounts }, { ...rules, maxAddresses: 200 })),
  ).toThrow('address limit exceeded: current 0 + new 13000 > max 200')
})
