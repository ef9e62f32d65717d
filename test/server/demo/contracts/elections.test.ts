// Elections in a real TVM: a round of them from its announcement to the stakes that are taken back, and who is elected. The
// numbers are those of the public contracts.

import { Address } from '@ton/core'
import { describe, expect, test } from 'vitest'
import {
  contractCode,
  poolDepositBody,
  poolNoteValidatorSetBody,
  poolPayRequestedBody,
  poolRecoverStakeBody,
  poolStakeBody,
  poolValidatorDepositBody,
  poolWithdrawBody,
} from '../../../../server/demo/contracts/index.ts'
import { core, own, systemAddress } from '../../devchain/actor.ts'
import {
  coin,
  ELECTOR,
  type ElectionRules,
  ElectionScene,
  type Offer,
  offerBody,
  said,
  T0,
  UNUSED,
  usualRules,
  weightsOf,
} from '../../devchain/contracts/electionScene.ts'
import { freshPool, poolStorage, readPool, VALIDATOR } from './poolStorage.ts'

const W2 = systemAddress(Buffer.alloc(32, 0xb2))
const W3 = systemAddress(Buffer.alloc(32, 0xb3))
const POOL = systemAddress(Buffer.alloc(32, 0x99))
const owner = systemAddress(VALIDATOR)
const [N1, N2, N3] = [1, 2, 3].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [Address, Address, Address]
const ACCEPTED = 0xf374484c
const REFUSED = 0xee6f454c
const RECOVERED = 0xf96f7324
const NOTHING = 0xfffffffe
const NEW_STAKE = 0x4e73744b
const RECOVER = said(0x47657424).endCell()
const ID = T0 + 900

interface Stake extends Partial<Offer> {
  readonly key: number
  readonly value: bigint
  readonly queryId?: bigint
}

/** The reason a stake is refused for, `accepted`, or `silent` when no one says anything. */
function stake(scene: ElectionScene, from: Address, { value, queryId = 7n, ...offer }: Stake): number | string | null {
  const body = said(NEW_STAKE, queryId).storeSlice(offerBody({ electAt: ID, holder: from, ...offer }).beginParse())
  const [answer] = scene.send(from, ELECTOR, value * coin, body.endCell())
  if (answer === undefined) return 'silent'
  expect(answer.to).toBe(from.toRawString())
  expect(answer.value > (answer.op === REFUSED ? value * coin - coin / 10n : coin - coin / 10n)).toBe(true)
  return answer.op === ACCEPTED ? 'accepted' : answer.reason
}

test('default: a round, to the nanoton, with a pool that stakes what others have put in', async () => {
  const scene = await ElectionScene.begin()
  const pool = scene.add(POOL, contractCode('staking/pool'), own(poolStorage(freshPool)), 20n * coin)
  const sendTo = (from: Address, value: bigint, body: Parameters<typeof core>[0]) =>
    scene.send(from, POOL, value, core(body))
  const ledger = () => readPool(pool.data)
  sendTo(owner, 5001n * coin, poolValidatorDepositBody(1n))
  sendTo(N1, 1001000000007n, poolDepositBody())
  sendTo(N2, 2001000000011n, poolDepositBody())
  sendTo(N3, 3001000000013n, poolDepositBody())

  expect([scene.run(), scene.run(), scene.run()]).toEqual([true, true, false])
  expect(scene.election()).toEqual({
    electAt: BigInt(ID),
    electClose: BigInt(T0 + 600),
    minStake: 1000n * coin,
    total: 0n,
    stakes: 0,
    failed: false,
    finished: false,
  })

  scene.at(60)
  expect(stake(scene, W2, { key: 2, value: 5001n, forged: true })).toBe(1)
  expect(stake(scene, W2, { key: 2, value: 5001n, electAt: ID + 1 })).toBe(3)
  expect(stake(scene, W2, { key: 2, value: 901n })).toBe(5)
  expect(stake(scene, W2, { key: 2, value: 5001n, factor: 65_535 })).toBe(6)
  expect(stake(scene, new Address(0, W2.hash), { key: 2, value: 5001n, holder: W2 })).toBe(0)
  expect(stake(scene, W2, { key: 2, value: 5001n })).toBe('accepted')
  expect(stake(scene, W3, { key: 2, value: 5001n })).toBe(4)
  expect(stake(scene, W3, { key: 3, value: 2001n, queryId: 0n })).toBe('silent')
  expect(stake(scene, W2, { key: 2, value: 2501n })).toBe('accepted')
  sendTo(owner, coin, poolStakeBody(9n, 10_001n * coin, own(offerBody({ electAt: ID, holder: POOL, key: 1 }))))
  expect([ledger().state, ledger().sent, scene.election().total]).toEqual([2, 10_000n * coin, 19_500n * coin])

  scene.at(599)
  expect(scene.run()).toBe(false)
  scene.at(600)
  expect(scene.run()).toBe(true)
  expect([W3, W2, POOL].map((one) => scene.credit(one))).toEqual([2000n * coin, 0n, 0n])
  expect(scene.past()).toEqual([[BigInt(ID), BigInt(T0 + 2280), 17_500n * coin, 0n]])
  expect(weightsOf(scene.parameter(36))).toMatchObject({
    since: T0 + 900,
    until: T0 + 2100,
    weights: [658812288346769700n, 494109216260077275n],
  })
  expect(scene.election().finished).toBe(true)
  expect(scene.run()).toBe(true)
  expect(stake(scene, W2, { key: 2, value: 5001n })).toBe(0)
  sendTo(N2, 501n * coin, poolDepositBody())
  sendTo(N3, coin, poolWithdrawBody())
  expect([ledger().nominators.size, ledger().requests.length]).toEqual([3, 1])

  scene.at(900)
  scene.run()
  expect(weightsOf(scene.parameter(34)).since).toBe(T0 + 900)
  expect(scene.parameter(36)).toBeUndefined()
  scene.run()
  expect(scene.elector.data.beginParse().skip(3).loadCoins()).toBe(0n)
  sendTo(N1, coin, poolNoteValidatorSetBody(1n))
  scene.send(UNUSED, ELECTOR, 100n * coin, said(0).endCell())
  scene.send(UNUSED, ELECTOR, 23456789000n, said(0).endCell())
  expect(scene.past()[0]?.[3]).toBe(123456789000n)

  // No one stakes for the next term: an election is open, and put off for as long.
  scene.at(1200)
  scene.run()
  expect(scene.election().electAt).toBe(BigInt(T0 + 2100))
  scene.at(2099)
  expect(scene.run()).toBe(false)
})

describe('what becomes of stakes afterwards', () => {
  /** The pool and another staker were elected, and at +2100 another one took over from them. */
  async function afterTerm(): Promise<{ scene: ElectionScene; pool: () => ReturnType<typeof readPool> }> {
    const scene = await ElectionScene.begin()
    const three = new Map(
      [N1, N2, N3].map(({ hash }, place) => {
        const amounts = [1000000000007n, 2000000000011n, 3000000000013n]
        return [BigInt(`0x${hash.toString('hex')}`), [amounts[place] ?? 0n, 0n] as const]
      }),
    )
    const data = own(poolStorage({ ...freshPool, validatorAmount: 5000n * coin, nominators: three }))
    const pool = scene.add(POOL, contractCode('staking/pool'), data, 11_020n * coin)
    scene.run()
    const body = core(poolStakeBody(9n, 10_001n * coin, own(offerBody({ electAt: ID, holder: POOL, key: 1 }))))
    scene.send(owner, POOL, coin, body)
    stake(scene, W2, { key: 2, value: 7501n })
    scene.at(600)
    scene.run()
    scene.run()
    scene.at(900)
    scene.run()
    scene.run()
    const sendTo = (from: Address, what: Parameters<typeof core>[0]) => scene.send(from, POOL, coin, core(what))
    sendTo(N1, poolNoteValidatorSetBody(1n))
    scene.send(UNUSED, ELECTOR, 123456789000n, said(0).endCell())
    // The term after it.
    scene.at(1200)
    scene.run()
    stake(scene, W3, { key: 3, value: 5001n, electAt: T0 + 2100 })
    scene.at(1800)
    scene.run()
    scene.run()
    scene.at(2100)
    scene.run()
    scene.run()
    sendTo(N1, poolNoteValidatorSetBody(2n))
    return { scene, pool: () => readPool(pool.data) }
  }

  test('default: they are held, then free with a share of what the set has earned', async () => {
    const { scene, pool } = await afterTerm()
    expect(pool()).toMatchObject({ state: 2, changes: 2, changedAt: T0 + 2100 })
    expect(scene.past().map(([id, unfreezeAt]) => [id, unfreezeAt])).toEqual([
      [BigInt(ID), BigInt(T0 + 2280)],
      [BigInt(T0 + 2100), BigInt(T0 + 2100 + 1200 + 180)],
    ])
    // The next election is announced meanwhile, before what is to be unfrozen.
    scene.at(2280)
    scene.run()
    scene.at(2281)
    scene.run()
    scene.run()
    const bonus = (of: bigint) => (123456789000n * of) / 17_500n
    expect(scene.credit(POOL)).toBe(10_000n * coin + bonus(10_000n))
    expect(scene.credit(W2)).toBe(7500n * coin + bonus(7500n))
    expect(() => scene.send(N1, POOL, coin, core(poolRecoverStakeBody(1n)))).toThrow('112')
    scene.at(2341)
    const before = pool()
    scene.send(N1, POOL, coin, core(poolRecoverStakeBody(1n)))
    const { state, validatorAmount, nominators } = pool()
    expect([state, scene.credit(POOL)]).toEqual([0, 0n])
    const own40 = validatorAmount - before.validatorAmount
    // What was left of the coin that came with the order is shared, too.
    expect(own40 > (bonus(10_000n) * 4000n) / 10_000n).toBe(true)
    expect(
      [...nominators.values()].every(([amount], place) => amount > ([...before.nominators.values()][place]?.[0] ?? 0n)),
    ).toBe(true)
    expect(scene.send(N1, POOL, coin, core(poolPayRequestedBody(1n, 10)))).toEqual([])
    const [paid] = scene.send(W2, ELECTOR, coin, RECOVER)
    expect([paid?.op, paid?.value]).toEqual([RECOVERED, 7500n * coin + bonus(7500n) + coin])
    expect(scene.send(W2, ELECTOR, coin, RECOVER)[0]?.op).toBe(NOTHING)
    expect(scene.send(new Address(0, W2.hash), ELECTOR, coin, RECOVER)[0]?.op).toBe(NOTHING)
  })
})

describe('who is elected', () => {
  async function conducted(
    rules: Partial<ElectionRules>,
    stakes: readonly (readonly [bigint, number?])[],
    closedAt = 600,
  ) {
    const scene = await ElectionScene.begin({ ...usualRules, ...rules })
    scene.run()
    const from = stakes.map((_, place) => systemAddress(Buffer.alloc(32, 0xc0 + place)))
    const more = (place: number) =>
      stake(scene, from[place] ?? W2, {
        key: place + 1,
        value: (stakes[place]?.[0] ?? 0n) + 1n,
        factor: (stakes[place]?.[1] ?? 3) << 16,
      })
    for (const place of stakes.keys()) expect(more(place)).toBe('accepted')
    scene.at(closedAt)
    scene.run()
    return { scene, from, set: () => weightsOf(scene.parameter(36)) }
  }

  test('default: no one counts for more than three times the smallest', async () => {
    const { scene, from, set } = await conducted(
      {},
      [
        [30_000n, 10],
        [7000n, 10],
        [6000n, 10],
      ],
      700,
    )
    expect(set().weights).toEqual([669438292997524050n, 260337113943481575n, 223146097665841350n])
    expect([set().since, set().total]).toEqual([ID + 40, 1152921504606846975n])
    expect(from.map((one) => scene.credit(one))).toEqual([12_000n * coin, 0n, 0n])
    expect(scene.past()[0]?.[2]).toBe(31_000n * coin)
  })

  test('behavior: what is above the greatest stake counts for nothing', async () => {
    const { scene, from, set } = await conducted({ stakes: [1000n, 8000n, 3000n] }, [[10_000n], [5000n]])
    expect(set().weights).toEqual([709490156681136600n, 443431347925710375n])
    expect(from.map((one) => scene.credit(one))).toEqual([0n, 0n])
  })

  test('behavior: too little of all is refused', async () => {
    const { scene } = await conducted({}, [[43_000n]], 100)
    const body = said(NEW_STAKE)
      .storeSlice(offerBody({ electAt: ID, holder: W3, key: 9 }).beginParse())
      .endCell()
    expect(scene.send(W3, ELECTOR, (coin * 3n) / 2n, body)[0]?.reason).toBe(2)
  })

  test('behavior: put off with too little, failed with too few, until another comes', async () => {
    const rules = { stakes: [1000n, 100_000n, 10_000n], counts: [1000, 100, 3] } as const
    const { scene } = await conducted(rules, [[5000n]])
    expect(scene.election()).toMatchObject({ failed: false, finished: false })
    const stakes = (key: number) =>
      stake(scene, systemAddress(Buffer.alloc(32, 0xd0 + key)), { key: 20 + key, value: 6001n })
    expect(stakes(1)).toBe('accepted')
    scene.run()
    expect(scene.election()).toMatchObject({ failed: true, finished: false })
    expect(scene.run()).toBe(false)
    expect(stakes(2)).toBe('accepted')
    expect(scene.election().failed).toBe(false)
    scene.run()
    expect(scene.election().finished).toBe(true)
    const sixth = 406913472214181285n
    expect(weightsOf(scene.parameter(36)).weights).toEqual([sixth, sixth, 339094560178484404n])
  })

  test('behavior: the configuration refuses a set that should have begun: all is as before', async () => {
    const { scene, from } = await conducted({ endBefore: 60 }, [[5000n]], 905)
    expect(scene.parameter(36)).toBeUndefined()
    expect([scene.credit(from[0] ?? W2), scene.past(), scene.election().electAt]).toEqual([5000n * coin, [], 0n])
    scene.run()
    expect(scene.election().electAt).toBe(BigInt(T0 + 905 + 900))
  })
})
