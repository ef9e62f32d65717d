// A subscription of thousands of accounts: what one block means to it costs what the block has, and not what it names.

import { expect, test } from 'vitest'
import { NamedMembers } from '../../../server/streaming/namedMembers.ts'
import { routesToOne } from '../../../server/streaming/streamRoutes.ts'
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
