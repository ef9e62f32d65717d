import { Address, beginCell, Cell, loadMessage } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sha256, writeBoc } from '../../../../server/cell/index.ts'
import {
  createFaucet,
  createSigner,
  type Faucet,
  type FaucetPayout,
  faucetAccount,
  MAX_PAYOUTS,
} from '../../../../server/devchain/accounts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { Actor, computed, core, exitCode, genesisTime, own, sent, startTvm } from '../actor.ts'

const account = faucetAccount()
const address = new Address(0, Buffer.from(account.address.hash))
const coin = 1_000_000_000n
let executor: Emulator
let giver: Actor
let faucet: Faucet
let clock = genesisTime

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  clock = genesisTime
  giver = fresh(account.balance)
  faucet = createFaucet({ now: () => clock })
})

const fresh = (balance: bigint) => new Actor(executor, { address, code: account.code, data: account.data, balance })
const target = (index: number) => ({
  workchain: 0,
  hash: Buffer.from(sha256(Buffer.from([index & 255, index >> 8])), 'latin1'),
})
const payouts = (count: number): FaucetPayout[] =>
  Array.from({ length: count }, (_, index) => ({ to: target(index), amount: BigInt(index + 1) * coin }))
const at = (time: number) => {
  clock = time
  giver.now = time
}

describe('paying', () => {
  test('default: 200 accounts in one message', () => {
    const list = payouts(MAX_PAYOUTS)
    const message = faucet.request(list)
    const transaction = computed(giver.message(message))
    expect(exitCode(transaction)).toBe(0)
    expect(transaction.description).toMatchObject({
      actionPhase: { success: true, totalActions: 200, skippedActions: 0 },
    })
    expect(sent(transaction).map(({ to, value, bounce }) => ({ to, value, bounce }))).toEqual(
      list.map(({ to, amount }) => ({ to: `0:${Buffer.from(to.hash).toString('hex')}`, value: amount, bounce: false })),
    )
    const cost = account.balance - giver.balance - (200n * 201n * coin) / 2n
    expect(cost).toBeGreaterThan(0n)
    expect(cost).toBeLessThan(coin)
    expect(writeBoc(message).length).toBeLessThan(65_536)
  })

  test('behavior: many messages at once, in any order', () => {
    const messages = payouts(20).map((payout) => faucet.request([payout]))
    for (const message of messages.toReversed()) expect(sent(computed(giver.message(message)))).toHaveLength(1)
  })

  test('args: comment, short, of 123 bytes, of 124, and longer than a cell', () => {
    const texts = ['', 'Grüße', 'x'.repeat(123), 'y'.repeat(124), 'ё'.repeat(700)]
    const list = texts.map((comment, index) => ({ to: target(index), amount: coin, comment }))
    const bodies = sent(computed(giver.message(faucet.request(list)))).map(({ body }) => body.beginParse())
    expect(bodies.map((body) => body.loadUint(32))).toEqual([0, 0, 0, 0, 0])
    expect(bodies.map((body) => body.loadStringTail())).toEqual(texts)
  })

  test('args: body, and the masterchain as the receiver', () => {
    const body = beginCell().storeUint(0xdeadbeef, 32).storeRef(Cell.EMPTY).endCell()
    const list = [{ to: { workchain: -1, hash: target(1).hash }, amount: coin, body: own(body) }]
    const [message] = sent(computed(giver.message(faucet.request(list))))
    expect(message?.to).toBe(`-1:${target(1).hash.toString('hex')}`)
    expect(message?.body.equals(body)).toBe(true)
  })

  test('args: now, when the caller’s clock is not that of the chain', () => {
    giver.now = genesisTime - 300
    computed(giver.message(faucet.request(payouts(1))))
    giver.now = genesisTime + 599
    computed(giver.message(faucet.request(payouts(1))))
  })

  test.each([
    ['no payments', []],
    ['201 payments', payouts(201)],
    ['a negative amount', [{ to: target(1), amount: -1n }]],
    ['an amount of more than 120 bits', [{ to: target(1), amount: 1n << 120n }]],
    ['a short account id', [{ to: { workchain: 0, hash: new Uint8Array(31) }, amount: 1n }]],
    ['a workchain of nine bits', [{ to: { workchain: 256, hash: target(1).hash }, amount: 1n }]],
  ])('error: %s', (_, list) => {
    expect(() => faucet.request(list)).toThrow()
  })
})

describe('refusing', () => {
  interface Parts {
    readonly walletId?: number
    readonly queryId?: bigint
    readonly validUntil?: number
    readonly seed?: Uint8Array
    readonly tail?: Cell
  }
  /** A request put together by other means than ours. */
  function raw({ walletId = 1, queryId = 5n, validUntil = giver.now + 600, seed = account.seed, tail }: Parts = {}) {
    const payout = beginCell().storeAddress(address).storeCoins(1n).storeUint(0, 2).endCell()
    const signed = beginCell()
      .storeUint(walletId, 32)
      .storeUint(queryId, 64)
      .storeUint(validUntil, 32)
      .storeCoins(1n)
      .storeRef(tail ?? payout)
      .endCell()
    const signature = Buffer.from(createSigner(seed)(signed.hash()))
    return giver.external(beginCell().storeBuffer(signature).storeRef(signed).endCell())
  }

  test('default: the same request goes through once', () => {
    computed(raw())
    expect(raw()).toEqual({ refused: 33 })
    computed(raw({ queryId: 6n }))
  })

  test.each<[string, number, Parts]>([
    ['another key', 34, { seed: new Uint8Array(32) }],
    ['another faucet', 36, { walletId: 2 }],
    ['an old request', 35, { validUntil: genesisTime }],
    ['a request valid for more than 20 minutes', 35, { validUntil: genesisTime + 1201 }],
  ])('error: %s', (_, refused, parts) => {
    expect(raw(parts)).toEqual({ refused })
    expect(giver.data.equals(core(account.data))).toBe(true)
  })

  test('error: more than there is, with what it takes to send it', () => {
    giver = fresh(10n * coin)
    const payment = (amount: bigint) => giver.message(faucet.request([{ to: target(1), amount }]))
    expect(payment(9n * coin)).toEqual({ refused: 37 })
    expect(giver.balance).toBe(10n * coin)
    expect(sent(computed(payment(8n * coin)))).toMatchObject([{ value: 8n * coin }])
  })

  test('error: a broken list of payments uses its id up, so that it costs once', () => {
    const outcome = computed(raw({ tail: beginCell().storeUint(1, 8).endCell() }))
    expect(exitCode(outcome)).toBe(9)
    expect(raw({ tail: beginCell().storeUint(1, 8).endCell() })).toEqual({ refused: 33 })
  })

  test.each([0, 100, 512, 600])('error: a body of %i bits', (bits) => {
    const body = beginCell()
    for (let bit = 0; bit < bits; bit++) body.storeBit(bit & 1)
    expect(giver.external(body.endCell())).toEqual({ refused: 9 })
  })

  test('behavior: an id is refused for as long as its request could be valid, then free again', () => {
    const start = genesisTime
    const used = () => giver.get('is_used', [{ type: 'int', value: 5n }]).readBoolean()
    computed(raw({ validUntil: start + 1200 }))
    for (const later of [1, 600, 1199]) {
      at(start + later)
      expect(raw({ validUntil: start + 1200 })).toEqual({ refused: 33 })
      expect(used()).toBe(true)
    }
    // Others in between move it from the recent ones to the older.
    at(start + 1201)
    computed(raw({ queryId: 6n }))
    expect(used()).toBe(true)
    at(start + 2402)
    expect(used()).toBe(false)
    computed(raw())
    expect(giver.get('is_used', [{ type: 'int', value: 6n }]).readBoolean()).toBe(true)
  })
})

describe('ids', () => {
  const idOf = (message: ReturnType<Faucet['request']>) =>
    loadMessage(core(message).beginParse()).body.beginParse().loadRef().beginParse().skip(32).loadUintBig(64)
  const cellsOf = (cell: Cell): number => 1 + cell.refs.reduce((sum, ref) => sum + cellsOf(ref), 0)
  const withId = (queryId: bigint) => faucet.request([{ to: target(1), amount: 1n }], queryId)

  test('behavior: a thousand requests are a few cells of state', () => {
    const messages = Array.from({ length: 1000 }, () => faucet.request([{ to: target(1), amount: 1n }]))
    for (const message of messages) computed(giver.message(message))
    expect(cellsOf(giver.data)).toBeLessThan(10)
    for (const message of messages) expect(giver.message(message)).toEqual({ refused: 33 })
  })

  test('behavior: those of two processes are different', () => {
    const both = [faucet, createFaucet({ now: () => clock })]
    const ids = both.flatMap((each) => Array.from({ length: 1500 }, () => idOf(each.request(payouts(1)))))
    expect(new Set(ids).size).toBe(3000)
  })

  test('behavior: every query id differs from those before and from those of other lanes', () => {
    const near = [0n, 1n, 255n, 256n, 511n, 512n, 767n, 1n << 63n, (1n << 64n) - 512n, (1n << 64n) - 1n]
    for (const id of near) computed(giver.message(withId(id)))
    for (const id of near) expect(giver.message(withId(id))).toEqual({ refused: 33 })
    for (const id of [2n, 254n, 257n, 510n, 513n, (1n << 64n) - 2n]) computed(giver.message(withId(id)))
  })

  test('error: a stranger’s ids take no more than 512 lanes, and block none of those in use', () => {
    const lane = (index: number, bit = 0) => (BigInt(index) << 9n) | BigInt(bit)
    const first = withId(lane(0))
    computed(giver.message(first))
    for (let index = 1; index < 512; index++) computed(giver.message(withId(lane(index))))
    const size = cellsOf(giver.data)
    expect(giver.message(withId(lane(512)))).toEqual({ refused: 38 })
    computed(giver.message(withId(lane(0, 1))))
    expect(cellsOf(giver.data)).toBe(size)
    expect(giver.message(first)).toEqual({ refused: 33 })
    // Two rotations on, both dictionaries have been replaced.
    at(genesisTime + 1200)
    for (let index = 512; index < 1024; index++) computed(giver.message(withId(lane(index))))
    expect(giver.message(withId(lane(2000)))).toEqual({ refused: 38 })
    at(genesisTime + 2400)
    computed(giver.message(withId(lane(2000))))
  })
})

test('behavior: at every moment of an hour, no request goes through twice', () => {
  at(genesisTime)
  const live: { message: ReturnType<Faucet['request']>; until: number }[] = []
  for (let step = 0; step < 60; step++) {
    at(genesisTime + step * 60)
    const message = faucet.request([{ to: target(step), amount: 1n }])
    computed(giver.message(message))
    live.push({ message, until: clock + 600 })
    for (const old of live) expect(giver.message(old.message)).toEqual({ refused: clock < old.until ? 33 : 35 })
  }
})

describe('state', () => {
  test('default: get-methods', () => {
    expect(giver.get('get_public_key').readBigNumber()).toBe(
      BigInt(`0x${Buffer.from(account.publicKey).toString('hex')}`),
    )
    expect(giver.get('get_subwallet_id').readNumber()).toBe(1)
    expect(giver.get('get_timeout').readNumber()).toBe(1200)
    expect(giver.get('get_last_clean_time').readNumber()).toBe(0)
    expect(giver.get('is_used', [{ type: 'int', value: 1n }]).readBoolean()).toBe(false)
  })

  test('behavior: anyone may top it up, with any body', () => {
    const from = Address.parseRaw(`0:${'cd'.repeat(32)}`)
    for (const body of [Cell.EMPTY, beginCell().storeUint(0x12345678, 32).endCell()]) {
      const before = giver.balance
      const transaction = giver.receive({ from, value: coin, body })
      expect([exitCode(transaction), sent(transaction)]).toEqual([0, []])
      expect(giver.balance).toBe(before + coin - transaction.totalFees.coins)
    }
  })

  test('default: a request is a message as the network reads it', () => {
    const message = loadMessage(core(faucet.request(payouts(1))).beginParse())
    expect(message.info).toMatchObject({ type: 'external-in', importFee: 0n })
    expect(message.info.dest?.toString()).toBe(address.toString())
  })
})
