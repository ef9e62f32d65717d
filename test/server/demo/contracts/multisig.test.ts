import { beginCell, Cell, Dictionary } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  approveBody,
  approveTextBody,
  executeInternalBody,
  type MultisigAction,
  multisigOrderOf,
  multisigWallet,
  newOrderBody,
  orderCell,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody, outgoingMessage } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, own, startTvm } from '../../devchain/actor.ts'
import {
  bodyOf,
  carried,
  coin,
  coreAddress,
  type Event,
  int,
  Network,
  person,
  raw,
  stepsOf,
} from '../../devchain/contracts/network.ts'

const [one, two, three, proposer, receiver, stranger] = [1, 2, 3, 4, 5, 9].map((byte) => person(byte)) as [
  AccountId,
  AccountId,
  AccountId,
  AccountId,
  AccountId,
  AccountId,
]
const members = { threshold: 2, signers: [one, two, three], proposers: [proposer] }
const multisig = multisigWallet(members)
const expiresAt = genesisTime + 30 * 24 * 3600
const payment = (value: bigint): MultisigAction => ({
  kind: 'message',
  mode: 1,
  message: outgoingMessage({ to: receiver, value, body: commentBody('salary'), bounce: false }),
})
const orderAt = (seqno: bigint) => multisigOrderOf(multisig.address, seqno).address
const first = orderAt(0n)

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: stranger, to: multisig, value: 100n * coin, body: commentBody('for the team') })
})

interface Putting {
  readonly from?: AccountId
  readonly index?: number
  readonly role?: 'signer' | 'proposer'
  readonly seqno?: bigint | null
  readonly until?: number
  readonly value?: bigint
}
function put(order: ReturnType<typeof orderCell>, more: Putting = {}): Event[] {
  const { from = one, index = 0, role = 'signer', seqno = null, until = expiresAt, value = coin } = more
  const body = newOrderBody({ queryId: 7n, seqno, by: { role, index }, expiresAt: until, order })
  return network.send({ from, to: multisig.address, value, body })
}
const approve = (from: AccountId, index: number, at = first) =>
  network.send({ from, to: at, value: coin / 5n, body: approveBody(8n, index) })
function orderData(at = first) {
  const data = network.get(at, 'get_order_data')
  const owner = data.readAddress().toRawString()
  const seqno = data.readBigNumber()
  const threshold = data.readNumberOpt()
  const isSent = data.readBooleanOpt()
  const signers = data.readCellOpt()
  const mask = data.readNumberOpt()
  const approvals = data.readNumberOpt()
  return {
    owner,
    seqno,
    threshold,
    isSent,
    signers,
    mask,
    approvals,
    expiresAt: data.readNumberOpt(),
    order: data.readCellOpt(),
  }
}
function multisigData() {
  const data = network.get(multisig.address, 'get_multisig_data')
  const seqno = data.readNumber()
  const threshold = data.readNumber()
  const list = (cell: Cell | null) =>
    cell === null
      ? []
      : Dictionary.loadDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Address(), cell)
          .values()
          .map((address) => address.toRawString())
  return { seqno, threshold, signers: list(data.readCellOpt()), proposers: list(data.readCellOpt()) }
}
const received = (events: readonly Event[]) =>
  carried(
    events.filter(({ on }) => on === raw(receiver)),
    0,
  )

describe('an order', () => {
  test('default: of a signer, who approves by it; done when enough have approved', () => {
    const order = orderCell([payment(5n * coin)])
    expect(stepsOf(put(order))).toEqual(['0xf718510f', '0x9c73fba2'])
    expect(
      network
        .get(multisig.address, 'get_order_address', [int(0)])
        .readAddress()
        .toRawString(),
    ).toBe(raw(first))
    expect(orderData()).toMatchObject({
      owner: raw(multisig.address),
      seqno: 0n,
      threshold: 2,
      isSent: false,
      mask: 1,
      approvals: 1,
      expiresAt,
    })
    expect(orderData().order?.equals(core(order))).toBe(true)

    const events = approve(two, 1)
    expect(stepsOf(events)).toEqual(['0xa762230f', '0x82609bf6', '0x75097f5d', '0x0'])
    expect([received(events), bodyOf(events, 0x82609bf6).to]).toEqual([5n * coin, raw(two)])
    expect([orderData().isSent, orderData().mask, network.balance(first)]).toEqual([true, 3, 0n])
  })

  test('default: of a proposer, approved by text', () => {
    put(orderCell([payment(coin)]), { from: proposer, role: 'proposer' })
    expect(orderData()).toMatchObject({ mask: 0, approvals: 0 })
    const say = (from: AccountId) => network.send({ from, to: first, value: coin / 5n, body: approveTextBody() })
    say(three)
    expect(orderData().mask).toBe(4)
    expect(stepsOf(say(stranger))).toEqual(['failed 106', 'bounced'])
    expect(received(say(one))).toBe(coin)
  })

  test('default: of one signer is done at once', () => {
    const alone = multisigWallet({ threshold: 1, signers: [one], proposers: [] })
    network.send({ from: stranger, to: alone, value: 10n * coin })
    const body = newOrderBody({
      queryId: 1n,
      seqno: 0n,
      by: { role: 'signer', index: 0 },
      expiresAt,
      order: orderCell([payment(coin), payment(2n * coin)]),
    })
    const events = network.send({ from: one, to: alone.address, value: coin, body })
    expect(stepsOf(events)).toEqual(['0xf718510f', '0x9c73fba2', '0x75097f5d', '0x0', '0x0'])
  })

  test('default: deploys a contract', () => {
    const nft = singleNft(1n, receiver, own(Cell.EMPTY))
    const message = outgoingMessage({ to: nft, value: coin })
    put(orderCell([{ kind: 'message', mode: 1, message }]))
    approve(two, 1)
    expect(network.get(nft.address, 'get_nft_data').readBoolean()).toBe(true)
  })

  test('behavior: an approval that is of no use is answered with the reason', () => {
    put(orderCell([payment(coin)]))
    const reason = (events: Event[]) => bodyOf(events, 0xafaf283e).body.loadUint(32)
    expect(reason(approve(one, 0))).toBe(107)
    approve(two, 1)
    expect(reason(approve(three, 2))).toBe(112)
    expect(orderData()).toMatchObject({ mask: 3, approvals: 2 })
    put(orderCell([payment(coin)]))
    network.now = expiresAt + 1
    expect(reason(approve(two, 1, orderAt(1n)))).toBe(111)
  })

  test('error: approvals of strangers, and under the number of another', () => {
    put(orderCell([payment(coin)]))
    expect(stepsOf(approve(stranger, 1))).toEqual(['failed 106', 'bounced'])
    expect(stepsOf(approve(two, 2))).toEqual(['failed 106', 'bounced'])
    expect(stepsOf(approve(proposer, 0))).toEqual(['failed 106', 'bounced'])
    expect(stepsOf(approve(two, 77))).toEqual(['failed 106', 'bounced'])
    expect(orderData().mask).toBe(1)
  })

  test.each<[string, number, Putting]>([
    ['by a stranger', 1007, { from: stranger }],
    ['by a signer under the number of another', 1007, { index: 1 }],
    ['by a proposer as a signer', 1007, { from: proposer }],
    ['that has expired', 111, { until: genesisTime }],
    ['with another number than the next', 1008, { seqno: 1n }],
    ['for too few coins', 100, { value: coin / 100n }],
  ])('error: an order %s', (_, failure, more) => {
    expect(stepsOf(put(orderCell([payment(coin)]), more))).toEqual([`failed ${failure}`, 'bounced'])
    expect(multisigData().seqno).toBe(0)
  })

  test('behavior: what it is estimated to cost is enough', () => {
    const order = orderCell(Array.from({ length: 50 }, () => payment(coin / 10n)))
    const estimate = network
      .get(multisig.address, 'get_order_estimate', [{ type: 'cell', cell: core(order) }, int(expiresAt)])
      .readBigNumber()
    expect(stepsOf(put(order, { value: estimate - 1n }))).toEqual(['failed 100', 'bounced'])
    put(order, { value: estimate })
    network.now = expiresAt
    const events = approve(two, 1)
    expect(events.filter(({ on }) => on === raw(receiver))).toHaveLength(50)
  })

  test('error: an order that did not come from the multisig', () => {
    const body = beginCell()
      .storeUint(0x9c73fba2, 32)
      .storeUint(1, 64)
      .storeUint(1, 8)
      .storeRef(Cell.EMPTY)
      .storeUint(expiresAt, 48)
      .storeRef(Cell.EMPTY)
      .storeBit(0)
      .endCell()
    expect(stepsOf(network.send({ from: stranger, to: multisigOrderOf(multisig.address, 0n), body }))).toEqual([
      'failed 104',
      'bounced',
    ])
    expect(orderData()).toMatchObject({ threshold: null, isSent: null })
    expect(stepsOf(approve(one, 0))).toEqual(['failed 106', 'bounced'])
    put(orderCell([payment(coin)]))
    expect(orderData().mask).toBe(1)
  })

  test('error: an order that no order contract sent', () => {
    const body = (seqno: bigint) =>
      beginCell()
        .storeUint(0x75097f5d, 32)
        .storeUint(1, 64)
        .storeUint(seqno, 256)
        .storeUint(expiresAt, 48)
        .storeUint(3, 8)
        .storeUint(0, 256)
        .storeRef(core(orderCell([payment(50n * coin)])))
        .endCell()
    expect(stepsOf(network.send({ from: one, to: multisig.address, body: body(0n) }))).toEqual([
      'failed 101',
      'bounced',
    ])
    const inside = executeInternalBody(1n, orderCell([payment(50n * coin)]))
    expect(stepsOf(network.send({ from: one, to: multisig.address, body: inside }))).toEqual(['failed 1009', 'bounced'])
  })
})

describe('the members', () => {
  const update = (threshold: number, signers: AccountId[], proposers: AccountId[] = []): MultisigAction => ({
    kind: 'update',
    threshold,
    signers,
    proposers,
  })

  test('default: who they are', () => {
    expect(multisigData()).toEqual({
      seqno: 0,
      threshold: 2,
      signers: [raw(one), raw(two), raw(three)],
      proposers: [raw(proposer)],
    })
  })

  test('default: are changed by an order, and orders of before are void', () => {
    put(orderCell([update(1, [two, stranger])]))
    put(orderCell([payment(50n * coin)]))
    approve(two, 1)
    expect(multisigData()).toEqual({ seqno: 2, threshold: 1, signers: [raw(two), raw(stranger)], proposers: [] })
    const events = approve(three, 2, orderAt(1n))
    expect(stepsOf(events)).toEqual(['0xa762230f', '0x82609bf6', 'failed 102'])
    expect(received(events)).toBe(0n)
  })

  test('error: changes after which no account could approve', () => {
    const gap = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
      .set(0, coreAddress(one))
      .set(2, coreAddress(two))
    const action = (threshold: number, signers: Dictionary<number, ReturnType<typeof coreAddress>>) =>
      beginCell()
        .storeUint(0x1d0cfbd3, 32)
        .storeUint(threshold, 8)
        .storeRef(beginCell().storeDictDirect(signers).endCell())
        .storeBit(0)
        .endCell()
    const ordered = (cell: Cell) =>
      own(
        beginCell()
          .storeDictDirect(Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell()).set(0, cell))
          .endCell(),
      )
    put(ordered(action(1, gap)))
    expect(stepsOf(approve(two, 1)).at(-1)).toBe('failed 103')
    const both = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address()).set(0, coreAddress(one))
    put(ordered(action(2, both)))
    expect(stepsOf(approve(two, 1, orderAt(1n))).at(-1)).toBe('failed 1010')
    put(ordered(beginCell().storeUint(0xabcdef01, 32).endCell()))
    expect(stepsOf(approve(two, 1, orderAt(2n))).at(-1)).toMatch('failed')
    expect(multisigData()).toMatchObject({ threshold: 2, signers: [raw(one), raw(two), raw(three)] })
    expect(() => multisigWallet({ ...members, threshold: 4 })).toThrow(RangeError)
    expect(() => multisigWallet({ ...members, signers: [] })).toThrow(RangeError)
  })

  test('default: number their orders as they like, where that is agreed', () => {
    const free = multisigWallet({ ...members, allowsAnySeqno: true })
    network.send({ from: stranger, to: free, value: 10n * coin })
    expect(network.get(free.address, 'get_multisig_data').readNumber()).toBe(-1)
    const by = { role: 'signer', index: 0 } as const
    const body = newOrderBody({ queryId: 1n, seqno: 1234n, by, expiresAt, order: orderCell([payment(coin)]) })
    network.send({ from: one, to: free.address, body })
    expect(orderData(multisigOrderOf(free.address, 1234n).address)).toMatchObject({ seqno: 1234n, mask: 1 })
    expect(stepsOf(network.send({ from: one, to: free.address, body })).slice(1)).toEqual(['failed 105', 'bounced'])
  })

  test('default: an order too long for one transaction goes on by itself', () => {
    const rest = outgoingMessage({
      to: multisig.address,
      value: coin / 2n,
      body: executeInternalBody(1n, orderCell([payment(2n * coin)])),
    })
    put(orderCell([payment(coin), { kind: 'message', mode: 1, message: rest }]))
    const events = approve(two, 1)
    expect(events.filter(({ on }) => on === raw(receiver))).toHaveLength(2)
    expect(() => orderCell([])).toThrow(RangeError)
  })

  test('error: an unknown operation', () => {
    const body = beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell()
    expect(stepsOf(network.send({ from: one, to: multisig.address, body }))).toEqual(['failed 65535', 'bounced'])
    const cut = beginCell().storeUint(0xf718510f, 32).storeUint(0, 64).endCell()
    expect(stepsOf(network.send({ from: one, to: multisig.address, body: cut }))[1]).toBe('bounced')
  })
})
