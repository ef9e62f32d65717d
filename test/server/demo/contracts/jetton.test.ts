import { beginCell, Cell } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  jettonBurnBody,
  jettonCloseMintingBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  onChainContent,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, own, startTvm } from '../../devchain/actor.ts'
import {
  bodyOf,
  carried,
  coin,
  coreAddress,
  type Event,
  Network,
  person,
  raw,
  stepsOf,
} from '../../devchain/contracts/network.ts'
import { code } from '../../tvm/contracts.ts'

const admin = person(1)
const alice = person(2)
const bob = person(3)
const stranger = person(9)
const content = onChainContent({
  name: 'Test Jetton',
  symbol: 'TST',
  decimals: '9',
  image: 'https://jetton.test/i.png',
})
const master = jettonMasterInit({ admin, content })
const wallet = (owner: typeof alice) => jettonWalletInit(master.address, owner)
const supply = () => network.get(master.address, 'get_jetton_data').readBigNumber()
const balance = (owner: typeof alice) =>
  network.state(wallet(owner).address) === null
    ? 0n
    : network.get(wallet(owner).address, 'get_wallet_data').readBigNumber()

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: admin, to: master })
})

interface Mint {
  readonly from?: typeof alice
  readonly value?: bigint
  readonly forwardAmount?: bigint
  readonly kind?: 'named' | 'numbered'
  readonly to?: typeof alice
}
const mint = (
  amount: bigint,
  { from = admin, value = coin / 5n, forwardAmount = 0n, kind = 'named', to = alice }: Mint = {},
) =>
  network.send({
    from,
    to: master.address,
    value: value + coin / 10n,
    body: jettonMintBody({ queryId: 7n, to, amount, value, responseTo: admin, forwardAmount, kind }),
  })

const transferOf = (amount: bigint, more: Partial<Parameters<typeof jettonTransferBody>[0]> = {}) =>
  jettonTransferBody({ queryId: 5n, amount, to: bob, responseTo: alice, ...more })
const transfer = (amount: bigint, more: Partial<Parameters<typeof jettonTransferBody>[0]> = {}, value = coin / 2n) =>
  network.send({ from: alice, to: wallet(alice).address, value, body: transferOf(amount, more) })

describe('minting', () => {
  test.each(['named', 'numbered'] as const)('default: deploys the wallet and says so to its owner (%s)', (kind) => {
    const events = mint(100n, { forwardAmount: 1n, kind })
    expect(stepsOf(events).slice(1)).toEqual(['0x178d4519', '0x7362d09c', '0xd53276db'])
    const { queryId, body, to } = bodyOf(events, 0x7362d09c)
    expect([queryId, body.loadCoins(), body.loadMaybeAddress(), to]).toEqual([7n, 100n, null, raw(alice)])
    expect([supply(), balance(alice)]).toEqual([100n, 100n])
  })

  test('error: by another account, and of too little value', () => {
    expect(stepsOf(mint(100n, { from: stranger }))).toEqual(['failed 73', 'bounced'])
    expect(stepsOf(mint(100n, { value: coin / 100n }))).toEqual(['failed 48', 'bounced'])
    expect(stepsOf(mint(100n, { value: coin / 20n, forwardAmount: coin / 20n }))).toEqual(['failed 48', 'bounced'])
    expect(stepsOf(mint(100n, { to: person(2, -1) }))).toEqual(['failed 333', 'bounced'])
    expect(supply()).toBe(0n)
  })

  test('error: a transfer inside that is none', () => {
    const body = (inside: Cell) =>
      beginCell()
        .storeUint(0x642b7d07, 32)
        .storeUint(1, 64)
        .storeAddress(coreAddress(alice))
        .storeCoins(coin)
        .storeRef(inside)
        .endCell()
    const send = (inside: Cell) =>
      network.send({ from: admin, to: master.address, value: 2n * coin, body: body(inside) })
    expect(stepsOf(send(Cell.EMPTY))).toEqual(['failed 63', 'bounced'])
    expect(stepsOf(send(beginCell().storeUint(0x178d4518, 32).storeUint(0, 200).endCell()))).toEqual([
      'failed 63',
      'bounced',
    ])
    expect(supply()).toBe(0n)
  })

  test('behavior: what a failing wallet sends back was never minted', () => {
    mint(50n)
    const { address, data } = wallet(bob)
    network.place({ address, data, code: own(code.throwing) })
    expect(stepsOf(mint(100n, { to: bob })).slice(1)).toEqual(['failed 42', 'bounced'])
    expect(supply()).toBe(50n)
  })

  test('behavior: closed for good', () => {
    mint(10n)
    expect(stepsOf(network.send({ from: stranger, to: master.address, body: jettonCloseMintingBody(1n) }))[0]).toBe(
      'failed 73',
    )
    network.send({ from: admin, to: master.address, body: jettonCloseMintingBody(1n) })
    expect(stepsOf(mint(1n))).toEqual(['failed 74', 'bounced'])
    const data = network.get(master.address, 'get_jetton_data')
    expect([data.readBigNumber(), data.readBoolean()]).toEqual([10n, false])
  })
})

describe('transferring', () => {
  beforeEach(() => {
    mint(1000n)
  })

  test('default: with a text for the receiver; the rest goes back to who is named', () => {
    const text = commentBody('for the coffee')
    const events = transfer(300n, { forwardAmount: coin / 10n, forwardPayload: { form: 'reference', cell: text } })
    expect(stepsOf(events)).toEqual(['0xf8a7ea5', '0x178d4519', '0x7362d09c', '0xd53276db'])
    const { queryId, body, to } = bodyOf(events, 0x7362d09c)
    expect([queryId, body.loadCoins(), body.loadAddress().toRawString(), to]).toEqual([5n, 300n, raw(alice), raw(bob)])
    expect([body.loadBit(), body.loadRef().equals(core(text)), body.remainingBits]).toEqual([true, true, 0])
    expect(carried(events, 0x7362d09c)).toBe(coin / 10n)
    expect(bodyOf(events, 0xd53276db)).toMatchObject({ queryId: 5n, to: raw(alice) })
    expect(carried(events, 0xd53276db)).toBeGreaterThan(coin / 3n)
    expect([balance(alice), balance(bob), supply()]).toEqual([700n, 300n, 1000n])
  })

  test('behavior: a payload that stands in the body itself arrives as it was', () => {
    const cell = own(beginCell().storeUint(0xabc, 12).storeRef(beginCell().storeUint(1, 8).endCell()).endCell())
    const { body } = bodyOf(transfer(1n, { forwardAmount: 1n, forwardPayload: { form: 'inline', cell } }), 0x7362d09c)
    body.loadCoins()
    body.loadAddress()
    expect([body.loadBit(), body.asCell().equals(core(cell))]).toEqual([false, true])
  })

  test('behavior: without a forwarded amount no one is notified, without a response address nothing comes back', () => {
    expect(stepsOf(transfer(1n))).toEqual(['0xf8a7ea5', '0x178d4519', '0xd53276db'])
    expect(stepsOf(transfer(1n, { responseTo: null }))).toEqual(['0xf8a7ea5', '0x178d4519'])
  })

  test('behavior: again, and back, and to oneself', () => {
    transfer(600n)
    const back = { queryId: 1n, amount: 200n, to: alice, responseTo: null }
    network.send({ from: bob, to: wallet(bob).address, body: jettonTransferBody(back) })
    expect([balance(alice), balance(bob)]).toEqual([600n, 400n])
    transfer(600n, { to: alice })
    expect([balance(alice), balance(bob), supply()]).toEqual([600n, 400n, 1000n])
  })

  test('behavior: what the wallet keeps never runs out by sending', () => {
    const before = network.balance(wallet(alice).address)
    for (let count = 0; count < 5; count++) transfer(1n)
    expect(network.balance(wallet(alice).address)).toBeGreaterThanOrEqual(before - 5n)
    expect(network.balance(wallet(bob).address)).toBeGreaterThanOrEqual(coin / 100n)
  })

  test('behavior: a failing wallet on the other side costs no jettons', () => {
    const { address, data } = wallet(bob)
    network.place({ address, data, code: own(code.throwing) })
    expect(stepsOf(transfer(300n))).toEqual(['0xf8a7ea5', 'failed 42', 'bounced'])
    expect(balance(alice)).toBe(1000n)
  })

  test('behavior: a wallet that cannot forward what was requested refuses, and the jettons return', () => {
    const { address } = wallet(alice)
    const notEnough = transferOf(300n, { forwardAmount: coin })
    expect(stepsOf(network.send({ from: alice, to: address, value: coin, body: notEnough }))).toEqual([
      'failed 48',
      'bounced',
    ])
    expect(balance(alice)).toBe(1000n)
  })

  test.each<[string, number, () => Event[]]>([
    ['more than there is', 706, () => transfer(1001n)],
    ['too little value', 48, () => transfer(1n, {}, coin / 100n)],
    ['to the masterchain', 333, () => transfer(1n, { to: person(3, -1) })],
    ['by another account', 705, () => network.send({ from: bob, to: wallet(alice).address, body: transferOf(1n) })],
  ])('error: %s', (_, failure, attempt) => {
    const events = attempt()
    expect(stepsOf(events)).toEqual([`failed ${failure}`, 'bounced'])
    expect([balance(alice), balance(bob), supply()]).toEqual([1000n, 0n, 1000n])
  })

  test('error: too little gas to find out', () => {
    expect(stepsOf(transfer(1n, {}, coin / 1000n))[0]).toBe('failed -14')
    expect(stepsOf(transfer(1n, {}, 1n))).toHaveLength(1)
    expect([balance(alice), balance(bob), supply()]).toEqual([1000n, 0n, 1000n])
  })

  test('error: jettons from whom they cannot come', () => {
    const forged = (from: typeof alice | null) =>
      beginCell()
        .storeUint(0x178d4519, 32)
        .storeUint(1, 64)
        .storeCoins(100n)
        .storeAddress(from === null ? null : coreAddress(from))
        .storeAddress(null)
        .storeCoins(0n)
        .storeBit(0)
        .endCell()
    const send = (from: typeof alice | null, by = stranger) =>
      stepsOf(network.send({ from: by, to: wallet(alice).address, body: forged(from) }))
    expect(send(null)).toEqual(['failed 707', 'bounced'])
    expect(send(bob)).toEqual(['failed 707', 'bounced'])
    expect(send(stranger)).toEqual(['failed 707', 'bounced'])
    expect(balance(alice)).toBe(1000n)
  })

  const whole = core(transferOf(1n, { forwardAmount: 1n }))
  const cut = (bits: number) => beginCell().storeBits(whole.bits.substring(0, bits)).endCell()
  test.each<[string, Cell]>([
    ['an operation alone', cut(32)],
    ['half a query id', cut(70)],
    ['no destination', cut(110)],
    ['no payload', cut(whole.bits.length - 1)],
    [
      'a payload that should stand in a reference',
      beginCell()
        .storeBits(cut(whole.bits.length - 1).bits)
        .storeBit(1)
        .endCell(),
    ],
    [
      'a payload in a reference, and more',
      beginCell()
        .storeBits(cut(whole.bits.length - 1).bits)
        .storeUint(0b101, 3)
        .storeRef(Cell.EMPTY)
        .endCell(),
    ],
    ['an unknown operation', beginCell().storeUint(0x0f8a7ea6, 32).storeUint(0, 64).endCell()],
    ['less than an operation', beginCell().storeUint(1, 8).endCell()],
  ])('error: %s', (_, body) => {
    const events = network.send({ from: alice, to: wallet(alice).address, body })
    expect([events[0]?.failure === null, stepsOf(events)[1]]).toEqual([false, 'bounced'])
    expect([balance(alice), supply()]).toEqual([1000n, 1000n])
  })

  test('behavior: coins alone pay for storage', () => {
    expect(stepsOf(network.send({ from: bob, to: wallet(alice).address }))).toEqual(['0x0'])
    const topUp = beginCell().storeUint(0xd372158c, 32).storeUint(0, 64).endCell()
    expect(stepsOf(network.send({ from: bob, to: wallet(alice).address, body: topUp }))).toEqual(['0xd372158c'])
  })
})

describe('burning', () => {
  const burn = (amount: bigint, from = alice, value = coin / 10n) =>
    network.send({
      from,
      to: wallet(alice).address,
      value,
      body: jettonBurnBody({ queryId: 6n, amount, responseTo: alice }),
    })
  beforeEach(() => {
    mint(1000n)
  })

  test('default: the supply shrinks', () => {
    const events = burn(400n)
    expect(stepsOf(events)).toEqual(['0x595f07bc', '0x7bdd97de', '0xd53276db'])
    const { queryId, body } = bodyOf(events, 0x7bdd97de)
    expect([queryId, body.loadCoins(), body.loadAddress().toRawString(), body.loadAddress().toRawString()]).toEqual([
      6n,
      400n,
      raw(alice),
      raw(alice),
    ])
    expect([balance(alice), supply()]).toEqual([600n, 600n])
  })

  test('error: more than there is, by another account, for too little value', () => {
    expect(stepsOf(burn(1001n))).toEqual(['failed 706', 'bounced'])
    expect(stepsOf(burn(1n, bob))).toEqual(['failed 705', 'bounced'])
    expect(stepsOf(burn(1n, alice, 10_000_000n))[0]).toBe('failed 48')
    expect([balance(alice), supply()]).toEqual([1000n, 1000n])
  })

  test('behavior: what a failing master does not take note of is not burnt', () => {
    network.place({ ...master, code: own(code.throwing) })
    expect(stepsOf(burn(400n))).toEqual(['0x595f07bc', 'failed 42', 'bounced'])
    expect(balance(alice)).toBe(1000n)
  })

  test('error: a notification that comes from no wallet', () => {
    const body = beginCell()
      .storeUint(0x7bdd97de, 32)
      .storeUint(1, 64)
      .storeCoins(10n)
      .storeAddress(coreAddress(alice))
      .storeAddress(null)
      .endCell()
    expect(stepsOf(network.send({ from: alice, to: master.address, body }))).toEqual(['failed 707', 'bounced'])
    expect(supply()).toBe(1000n)
  })
})
