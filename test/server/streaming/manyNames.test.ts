// A subscription of thousands of accounts: what one block means to it costs what the block has, and not what it names.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import type { Finality } from '../../../server/methods/index.ts'
import type { BlockRows } from '../../../server/store/index.ts'
import { NamedMembers } from '../../../server/streaming/namedMembers.ts'
import { RoutesToMany, routesToOne } from '../../../server/streaming/streamRoutes.ts'
import { accountsInTrace, findingAccounts } from '../../../server/streaming/subjects.ts'
import { textReader } from '../../setup/textReader.ts'

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`

class SetThatCounts extends Set<string> {
  visits = 0

  override *[Symbol.iterator]() {
    for (const one of super[Symbol.iterator]()) {
      this.visits++
      yield one
    }
    return undefined
  }
}

test('a block for one subscriber goes through none of the names that it does not have', () => {
  const addresses = new SetThatCounts(Array.from({ length: 13_000 }, (_, i) => account(i)))
  const hashes = new SetThatCounts(['hash'])
  const subscriber = textReader([], { types: new Set(['transactions']), addresses, hashes })
  const routes = routesToOne(subscriber)
  expect([...routes.ofParts([[account(20_000)], [account(7)], [account(8), account(7)]])]).toEqual([
    [subscriber, [1, 2]],
  ])
  expect([...routes.ofAddress(account(20_000)), ...routes.ofHash('other'), ...routes.ofType('trace')]).toEqual([])
  expect([routes.ofAddress(account(7)), routes.ofHash('hash'), routes.ofType('transactions')]).toEqual(
    new Array(3).fill(new Set([subscriber])),
  )
  expect([routes.hasHashes, routes.wants('finalized')]).toEqual([true, true])
  expect(addresses.visits + hashes.visits).toBe(0)
})

test('members are found by each of their names until it is removed', () => {
  const named = new NamedMembers<string, { readonly name: string }>()
  const [a, b] = ['a', 'b'].map((name) => ({ name }))
  if (a === undefined || b === undefined) throw new Error('no members')
  for (const one of [a, a, b, b]) named.add('both', one)
  named.add('own', a)
  expect([named.of('both'), named.of('own'), named.of('none')]).toEqual([new Set([a, b]), new Set([a]), new Set()])
  named.remove('own', b)
  named.remove('both', a)
  named.remove('none', a)
  expect([named.size, named.has('own'), named.of('both')]).toEqual([2, true, new Set([b])])
  named.remove('both', b)
  named.remove('own', a)
  expect([named.size, named.has('both'), named.has('own')]).toEqual([0, false, false])
})

test('whether someone waits for a message is known without a look at any of the subscribers', () => {
  const routes = new RoutesToMany()
  let looks = 0
  const wanting = (minFinality: Finality) =>
    textReader([], { types: new Set(), addresses: new Set(), hashes: new Set(), minFinality })
  const readers = Array.from({ length: 100 }, () => wanting('finalized'))
  for (const reader of readers) {
    routes.add(reader)
    const { subscription } = reader
    const look = () => {
      looks++
      return subscription
    }
    Object.defineProperty(reader, 'subscription', { get: look })
  }
  expect([routes.wants('pending'), routes.wants('confirmed'), routes.wants('finalized'), looks]).toEqual([
    false,
    false,
    true,
    0,
  ])
  const early = wanting('confirmed')
  routes.add(early)
  expect([routes.wants('pending'), routes.wants('confirmed')]).toEqual([false, true])
  routes.remove(early)
  expect(routes.wants('confirmed')).toBe(false)
})

test('the state of an account is written when it is its turn', () => {
  let written = 0
  const transactionOf = (i: number) => ({
    row: { account: Buffer.concat([Buffer.alloc(1), Buffer.alloc(32, i)]), stateAfter: Buffer.alloc(32, i) },
    get after() {
      written++
      return null
    },
  })
  const transactions = Array.from({ length: 100 }, (_, i) => transactionOf(i))
  // The cast: no other rows of the block are looked at.
  const rows = { transactions, jettonWallets: [], changed: [] } as unknown as BlockRows
  const accounts = accountsInTrace(rows, inOnePiece(findingAccounts(rows)), 'finalized')
  accounts.next()
  expect(written).toBe(1)
  expect([[...accounts].length, written]).toEqual([99, 100])
})
