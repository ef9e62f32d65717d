// Complaints about validators in a real TVM: what registration costs, who may vote, and what a fine takes. The numbers are
// those of the public contracts.

import { Address, beginCell, Cell } from '@ton/core'
import { ElectorContract } from '@ton/ton'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemAddress } from '../actor.ts'
import { coin, ELECTOR, ElectionScene, keyOf, offerBody, said, T0, UNUSED, usualRules } from './electionScene.ts'

const [W1, W2, W3] = [0xa1, 0xa2, 0xa3].map((byte) => systemAddress(Buffer.alloc(32, byte))) as [
  Address,
  Address,
  Address,
]
const ID = T0 + 900
const COMPLAINT = 0xf2676350
const VOTE = 0xd6745240
const description = Cell.fromBase64('te6cckEBAgEACQABCGVT9IQBAAC1hDhE')
const prices = beginCell().storeUint(0x1a, 8).storeCoins(coin).storeCoins(1).storeCoins(512).endCell()
const PRICE = 1004792320n
/** As the public contract names the complaint of `complain()`. */
const HASH = Buffer.from('rtyye7AJU4ysExvc/Lel2FOPWmBGl13kjX5DbZ5frHs=', 'base64')
const SET = Buffer.from('6OOR/cs0f1+0ka6cRXNfct2kMmAOqVyt9h0oFtceAu8=', 'base64')
const asInt = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)

let scene: ElectionScene

function stake(from: Address, key: number, value: bigint, electAt = ID): void {
  const offer = offerBody({ electAt, holder: from, key })
  scene.send(from, ELECTOR, value * coin, said(0x4e73744b).storeSlice(offer.beginParse()).endCell())
}

/** Two are elected, the third is not; 100 seconds of their term have passed. */
beforeEach(async () => {
  scene = await ElectionScene.begin({ ...usualRules, parameters: new Map([[13, prices]]) })
  scene.run()
  scene.at(60)
  stake(W1, 1, 10_001n)
  stake(W2, 2, 7501n)
  stake(W3, 3, 2001n)
  for (const seconds of [600, 600, 900, 900]) {
    scene.at(seconds)
    scene.run()
  }
  scene.at(1000)
})

interface Complaint {
  readonly from?: Address
  readonly value?: bigint
  readonly election?: number
  readonly key?: Buffer
  readonly fine?: bigint
  readonly part?: number
  readonly about?: Cell
}

function complain(parts: Complaint = {}) {
  const {
    from = W3,
    value = 300n * coin,
    election = ID,
    key = keyOf(2).publicKey,
    fine = 101n * coin,
    part = 0,
  } = parts
  const body = said(0x52674370)
    .storeUint(election, 32)
    .storeUint(0xbc, 8)
    .storeBuffer(key)
    .storeRef(parts.about ?? description)
    .storeUint(0, 32)
    .storeUint(1, 8)
    .storeUint(0, 256)
    .storeCoins(0)
    .storeCoins(fine)
    .storeUint(part, 32)
    .endCell()
  const [answer] = scene.send(from, ELECTOR, value, body)
  return { code: (answer?.op ?? 0) - COMPLAINT, value: answer?.value, about: answer?.reason }
}

interface Vote {
  readonly election?: number
  readonly hash?: Buffer
  readonly by?: number
  readonly tag?: number
}

/** The result of a vote by the validator of this index. */
function vote(index: number, { election = ID, hash = HASH, by = index + 1, tag = 0x56744350 }: Vote = {}) {
  const signed = beginCell().storeUint(tag, 32).storeUint(index, 16).storeUint(election, 32).storeBuffer(hash).endCell()
  const signature = keyOf(by).sign(Buffer.from(signed.bits.subbuffer(0, signed.bits.length) ?? []))
  const body = said(0x56744370).storeBuffer(signature).storeSlice(signed.beginParse()).endCell()
  const [answer] = scene.send(new Address(0, Buffer.alloc(32, 9)), ELECTOR, coin, body)
  expect(answer?.reason).toBe(0x56744370)
  return (answer?.op ?? 0) - VOTE
}

const show = async () => {
  const [found] = await ElectorContract.create().getComplaints(scene.elector.provider(), ID)
  return found
}
/** Of the complaints about an election. */
const hashesIn = (election: number): Buffer[] =>
  scene.elector
    .get('list_complaints', [{ type: 'int', value: BigInt(election) }])
    .readLispList()
    .flatMap((item) => (item.type === 'tuple' && item.items[0]?.type === 'int' ? [item.items[0].value] : []))
    .map((value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
/** What is owed to no account. */
const grams = () => scene.elector.data.beginParse().skip(3).loadCoins()

describe('registration', () => {
  test('default: the price stays, the rest comes back', async () => {
    const before = scene.elector.balance
    expect(complain()).toEqual({ code: 0, value: 300n * coin - PRICE, about: 0x52674370 })
    expect(scene.elector.balance - before).toBe(PRICE)
    expect(await show()).toMatchObject({
      id: asInt(HASH),
      createdAt: T0 + 1000,
      severity: 1,
      paid: PRICE,
      suggestedFine: 101n * coin,
      votes: [],
      vsetId: 0n,
      remainingWeight: 0n,
    })
  })

  test('behavior: the get-method names the price', () => {
    const args = [672n, 2n, 1280n].map((value) => ({ type: 'int', value }) as const)
    expect(scene.elector.get('complaint_storage_price', args).readBigNumber()).toBe(PRICE + (1n << 30n))
    expect(complain({ value: PRICE + (1n << 30n) }).code).toBe(0)
  })

  const deep = (depth: number): Cell =>
    depth === 0
      ? Cell.EMPTY
      : beginCell()
          .storeRef(deep(depth - 1))
          .endCell()

  test.each<[string, number, Complaint]>([
    ['from the basechain', 1, { from: new Address(0, W3.hash) }],
    ['about an unknown election', 2, { election: ID + 1 }],
    ['that is too deep', 3, { about: deep(128) }],
    ['with too little value', 5, { value: PRICE + (1n << 30n) - 1n }],
    ['about a validator that was not elected', 6, { key: keyOf(3).publicKey }],
    ['with a fine above the stake', 7, { fine: 7500n * coin + 1n }],
    ['with a fixed and a proportional fine above the stake', 7, { fine: 3751n * coin, part: 2 ** 31 }],
    ['with a fine of no more than the price', 8, { fine: 1004782080n }],
  ])('error: a complaint %s', (_, code, parts) => {
    const { data, balance } = scene.elector
    const { value = 300n * coin } = parts
    expect(complain(parts)).toEqual({ code, value, about: 0x52674370 })
    expect([scene.elector.data.equals(data), scene.elector.balance]).toEqual([true, balance])
  })

  test('error: the same complaint a second time', () => {
    complain()
    expect(complain()).toEqual({ code: 9, value: 300n * coin, about: 0x52674370 })
  })

  test('error: one about stakes that are to be unfrozen', () => {
    scene.at(2280)
    expect(complain().code).toBe(4)
  })

  test('error: cells without end are refused whole', () => {
    const wide = (level: number, place: number): Cell => {
      const builder = beginCell().storeUint(place, 64)
      if (level > 0) for (let i = 1; i <= 4; i++) builder.storeRef(wide(level - 1, place * 5 + i))
      return builder.endCell()
    }
    expect(() => complain({ about: wide(6, 1) })).toThrow('Refused with 8')
  })
})

describe('votes', () => {
  beforeEach(() => void complain())

  test('default: more than two thirds of the weight fine the accused', async () => {
    expect(vote(1)).toBe(1)
    expect(await show()).toMatchObject({ votes: [1], vsetId: asInt(SET), remainingWeight: 274505120144487375n })
    expect(vote(1)).toBe(0)
    expect([scene.credit(W3), grams()]).toEqual([2000n * coin, 0n])

    expect(vote(0)).toBe(2)
    expect(await show()).toMatchObject({ votes: [0, 1], remainingWeight: -384307168202282325n })
    expect([scene.credit(W3), grams()]).toEqual([2008038338560n, 92961661440n])
    expect(scene.past()).toEqual([[BigInt(ID), BigInt(T0 + 2280), 17_399n * coin, 0n]])
    const [past] = await ElectorContract.create().getPastElections(scene.elector.provider())
    expect([...(past?.frozen.values() ?? [])].map((one) => one.stake)).toContain(7399n * coin)
    expect(vote(0)).toBe(0)
  })

  test('behavior: the reward is an eighth of a small fine', () => {
    expect(hashesIn(ID)).toHaveLength(1)
    complain({ fine: 2n * coin })
    const small = hashesIn(ID).find((hash) => !hash.equals(HASH)) ?? HASH
    expect([vote(0, { hash: small }), vote(1, { hash: small })]).toEqual([1, 2])
    expect(scene.credit(W3)).toBe(2000n * coin + coin / 4n)
  })

  /** Only the third validator is elected for the next term, which begins. */
  function nextTerm(): void {
    scene.at(1200)
    scene.run()
    stake(W3, 3, 6001n, T0 + 2100)
    for (const seconds of [1800, 1800, 2100, 2100]) {
      scene.at(seconds)
      scene.run()
    }
  }

  test('behavior: votes of an older set do not count', async () => {
    expect(vote(0)).toBe(1)
    nextTerm()
    expect(await show()).toMatchObject({ votes: [0], remainingWeight: 768614336404564650n - 658812288346769700n })
    expect(vote(0, { by: 3 })).toBe(2)
    expect(await show()).toMatchObject({ votes: [0], remainingWeight: 2n ** 61n / 3n - 2n ** 60n })
    expect(vote(0, { by: 3 })).toBe(0)
  })

  test('behavior: what an older set has passed takes no more votes', async () => {
    vote(0)
    vote(1)
    nextTerm()
    const credit = scene.credit(W3)
    expect([vote(0, { by: 3 }), scene.credit(W3)]).toEqual([-3, credit])
    expect(await show()).toMatchObject({ votes: [0, 1], vsetId: asInt(SET) })
  })

  test('behavior: where the only validator of a term lost its whole stake, that election ends as the others do', () => {
    nextTerm()
    const election = T0 + 2100
    expect(complain({ from: W1, election, key: keyOf(3).publicKey, fine: 6000n * coin }).code).toBe(0)
    expect(vote(0, { by: 3, election, hash: hashesIn(election)[0] ?? HASH })).toBe(2)
    scene.send(UNUSED, ELECTOR, coin, Cell.EMPTY)
    scene.at(2400)
    scene.run()
    scene.run()
    stake(W1, 1, 6001n, T0 + 3300)
    for (const seconds of [3000, 3000, 3300, 3300, 3480, 3480]) {
      scene.at(seconds)
      scene.run()
    }
    expect(scene.past().map(([id]) => id)).toEqual([BigInt(T0 + 3300)])
    expect(grams()).toBeGreaterThan(coin)
  })

  test('error: an unknown election and an unknown complaint', () => {
    expect([vote(0, { election: ID + 1 }), vote(0, { hash: SET })]).toEqual([-2, -1])
  })

  test.each<[string, string, number, Vote]>([
    ['another key', '34', 0, { by: 2 }],
    ['another tag', '37', 0, { tag: 0x654c5074 }],
    ['an index beyond the set', '41', 2, {}],
  ])('error: %s', (_, code, index, parts) => {
    expect(() => vote(index, parts)).toThrow(`Refused with ${code}`)
  })
})
