// Selection of validators among very many: the same as by trying every count, for an amount of gas that does not grow with
// the square of their number.

import { type Address, beginCell, type Cell, Dictionary } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { systemAddress } from '../actor.ts'
import { coin, ElectionScene, T0, usualRules, weightsOf } from './electionScene.ts'

interface Member {
  readonly stake: bigint
  readonly factor: number
  readonly time?: number
}

/** An elector whose election has these members and closes at +600. */
function storageWith(members: readonly Member[]): Cell {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (cell: Cell, builder) => builder.storeSlice(cell.beginParse()),
    parse: (slice) => slice.asCell(),
  })
  members.forEach(({ stake, factor, time = 5 }, place) => {
    const member = beginCell().storeCoins(stake).storeUint(time, 32).storeUint(factor, 32)
    dict.set(keyAt(place), member.storeBuffer(holderAt(place).hash).storeUint(place, 256).endCell())
  })
  const total = members.reduce((sum, { stake }) => sum + stake, 0n)
  const election = beginCell()
    .storeUint(T0 + 900, 32)
    .storeUint(T0 + 600, 32)
    .storeCoins(1000n * coin)
    .storeCoins(total)
    .storeDict(dict)
    .storeUint(0, 2)
    .endCell()
  return beginCell().storeMaybeRef(election).storeUint(0, 2).storeCoins(0).storeUint(0, 32).storeUint(0, 256).endCell()
}

/** Spread over all keys, as those of validators are. */
const keyAt = (place: number): bigint =>
  BigInt(`0x${beginCell().storeUint(place, 32).endCell().hash().toString('hex')}`)
const holderAt = (place: number): Address => systemAddress(beginCell().storeUint(place, 33).endCell().hash())

const LIMITS = { least: 1, most: 1000, min: 1000n * coin, max: 100_000n * coin, factor: 3 << 16 }

/** By the rule itself, every count in turn. */
function elected(members: readonly Member[]): { readonly count: number; readonly total: bigint } {
  const sorted = members
    .map(({ stake, factor, time = 5 }, place) => ({ stake, factor, time, key: keyAt(place) }))
    .sort((a, b) => compare(b.stake, a.stake) || a.time - b.time || compare(b.key, a.key))
    .slice(0, LIMITS.most)
    .map(({ stake, factor }) => ({
      stake: stake < LIMITS.max ? stake : LIMITS.max,
      factor: BigInt(Math.min(factor, LIMITS.factor)),
    }))
  let best = { count: 0, total: 0n }
  sorted.forEach(({ stake: smallest }, place) => {
    if (smallest < LIMITS.min) return
    const counted = sorted.slice(0, place + 1).map(({ stake, factor }) => {
      const most = (factor * smallest) >> 16n
      return stake < most ? stake : most
    })
    const total = counted.reduce((sum, one) => sum + one, 0n)
    if (total > best.total) best = { count: place + 1, total }
  })
  return best
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Conducts the election; the gas it took. */
async function conduct(members: readonly Member[]) {
  const scene = await ElectionScene.begin(usualRules)
  scene.elector.setData(storageWith(members))
  scene.at(600)
  const gas = Number(scene.conduct())
  const set = scene.parameter(36)
  return { gas, count: set === undefined ? 0 : weightsOf(set).weights.length, total: scene.past()[0]?.[2] }
}

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

const many = (count: number, one: (place: number) => Member): Member[] =>
  Array.from({ length: count }, (_, at) => one(at))

describe('a thousand members', () => {
  const draw = numbers(7)
  test.each<[string, Member[]]>([
    ['of equal stakes', many(1000, () => ({ stake: 5000n * coin, factor: 3 << 16 }))],
    [
      'of all sizes',
      many(1000, () => ({
        stake: BigInt(Math.floor(1000 / (1 - draw(1000) / 1001))) * coin + BigInt(draw(1e9)),
        factor: 65_536 + draw(196_608),
      })),
    ],
    [
      'whose totals are made to be equal, but for the rounding of factors that all differ',
      many(1000, (place) => ({ stake: (1_000_000n * coin) / BigInt(place + 1), factor: 65_536 + place })),
    ],
  ])('behavior: %s', async (_, members) => {
    const { gas, count, total } = await conduct(members)
    expect({ count, total }).toEqual(elected(members))
    // The limit of special accounts is 70 million.
    expect(gas).toBeLessThan(60_000_000)
  })
})

test('behavior: gas grows no faster than the number of members, but for the depth of their dictionaries', async () => {
  const members = many(1000, (place) => ({ stake: BigInt(2000 + place * 7) * coin, factor: 65_536 + place }))
  const few = await conduct(members.slice(0, 250))
  const all = await conduct(members)
  expect(all.gas / few.gas).toBeLessThan(6)
})

test('behavior: the same members as by trying every count, whatever the stakes', async () => {
  const draw = numbers(99)
  for (let round = 0; round < 60; round++) {
    const few = 1 + draw(12)
    const members = many(few, () => ({
      stake: BigInt(500 + draw(4) * draw(40_000)) * coin + BigInt(draw(3) * draw(1e9)),
      factor: 65_536 + draw(2) * draw(400_000),
      time: draw(3),
    }))
    const expected = elected(members)
    const { count, total = 0n } = await conduct(members)
    // Below the least of all stakes together there is no set.
    expect({ round, count, total }).toEqual(
      expected.total < 3000n * coin ? { round, count: 0, total: 0n } : { round, ...expected },
    )
  }
})
