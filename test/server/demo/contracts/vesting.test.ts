import { generateKeyPairSync, sign } from 'node:crypto'
import { beginCell, Cell } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  singleNft,
  type VestingTransfer,
  vestingSendBody,
  vestingTransferBody,
  vestingWallet,
  vestingWhitelistBody,
} from '../../../../server/demo/contracts/index.ts'
import {
  CONFIG_ACCOUNT,
  commentBody,
  ELECTOR_ACCOUNT,
  type OutgoingMessage,
  outgoingMessage,
} from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { exitCode, genesisTime, own, startTvm } from '../../devchain/actor.ts'
import {
  addressItem,
  bodyOf,
  carried,
  coin,
  type Event,
  int,
  Network,
  person,
  raw,
  stepsOf,
} from '../../devchain/contracts/network.ts'

const giver = person(1)
const owner = person(2)
const pool = person(3)
const friend = person(4)
const stranger = person(9)
const elector = { workchain: -1, hash: ELECTOR_ACCOUNT }
const config = { workchain: -1, hash: CONFIG_ACCOUNT }
const MONTH = 30 * 24 * 3600
const start = genesisTime + 1000
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
const parts = {
  subwalletId: 698_983_191,
  publicKey: key,
  start,
  totalDuration: 10 * MONTH,
  unlockPeriod: MONTH,
  cliffDuration: 3 * MONTH,
  totalAmount: 500n * coin,
  sender: giver,
  owner,
}
const wallet = vestingWallet(parts)

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: giver, to: wallet, value: 501n * coin })
})

const transfer = (message: OutgoingMessage | null, more: Partial<VestingTransfer> = {}) =>
  network.external(
    wallet.address,
    vestingTransferBody({
      seqno: 0,
      subwalletId: parts.subwalletId,
      validUntil: network.now + 60,
      mode: 3,
      message: message === null ? null : outgoingMessage(message),
      sign: (hash) => sign(null, hash, privateKey),
      ...more,
    }),
  )
const events = (result: ReturnType<typeof transfer>): Event[] => {
  if ('refused' in result) throw new Error(`Refused with ${result.refused}`)
  return result
}
const send = (message: OutgoingMessage, mode = 3, from = owner) =>
  network.send({ from, to: wallet.address, body: vestingSendBody(6n, mode, outgoingMessage(message)) })
const list = (addresses: AccountId[], from = giver) =>
  network.send({ from, to: wallet.address, body: vestingWhitelistBody(5n, addresses) })
const reached = (all: readonly Event[], who: AccountId) =>
  carried(
    all.filter(({ on }) => on === raw(who)),
    0,
  )
const seqno = () => network.get(wallet.address, 'seqno').readNumber()
const op = (code: number) => own(beginCell().storeUint(code, 32).storeUint(0, 64).endCell())

describe('get-methods', () => {
  test('default: the terms', () => {
    const data = network.get(wallet.address, 'get_vesting_data')
    expect([0, 1, 2, 3].map(() => data.readNumber())).toEqual([start, 10 * MONTH, MONTH, 3 * MONTH])
    expect([data.readBigNumber(), data.readAddress().toRawString(), data.readAddress().toRawString()]).toEqual([
      500n * coin,
      raw(giver),
      raw(owner),
    ])
    expect([data.readCellOpt(), data.remaining]).toEqual([null, 0])
    expect(network.get(wallet.address, 'get_subwallet_id').readNumber()).toBe(parts.subwalletId)
    expect(network.get(wallet.address, 'get_public_key').readBigNumber()).toBe(
      BigInt(`0x${Buffer.from(key).toString('hex')}`),
    )
  })

  test.each<[string, number, bigint]>([
    ['before the beginning', start - 1, 500n],
    ['at the beginning', start, 500n],
    ['within the cliff', start + 3 * MONTH - 1, 500n],
    ['after the cliff', start + 3 * MONTH, 350n],
    ['within a period', start + 4 * MONTH - 1, 350n],
    ['after another period', start + 4 * MONTH, 300n],
    ['at the last moment', start + 10 * MONTH - 1, 50n],
    ['at the end', start + 10 * MONTH, 0n],
    ['long after', start + 1000 * MONTH, 0n],
  ])('default: %s', (_, time, locked) => {
    expect(network.get(wallet.address, 'get_locked_amount', [int(time)]).readBigNumber()).toBe(locked * coin)
  })

  test('error: times that do not go into each other', () => {
    expect(() => vestingWallet({ ...parts, unlockPeriod: 7 })).toThrow(RangeError)
    expect(() => vestingWallet({ ...parts, unlockPeriod: 0 })).toThrow(RangeError)
    expect(() => vestingWallet({ ...parts, cliffDuration: parts.totalDuration })).toThrow(RangeError)
  })
})

describe('the key', () => {
  test('default: sends what is unlocked, to anybody', () => {
    const all = events(transfer({ to: friend, value: coin / 2n, body: commentBody('lunch'), bounce: false }))
    expect([reached(all, friend), seqno()]).toEqual([coin / 2n, 1])
    network.now = start + 10 * MONTH
    expect(reached(events(transfer({ to: friend, value: 400n * coin, bounce: false }, { seqno: 1 })), friend)).toBe(
      400n * coin,
    )
  })

  test('behavior: a request whose mode does not ignore errors counts as used, too', () => {
    network.now = start + 10 * MONTH
    const request = { to: friend, value: 600n * coin, bounce: false }
    expect(events(transfer(request, { mode: 1 }))).toHaveLength(1)
    expect([seqno(), transfer(request, { mode: 1 })]).toEqual([1, { refused: 33 }])
  })

  test.each([0x0c, 0xc0])('behavior: so does one whose mode no message has: %i', (mode) => {
    network.now = start + 10 * MONTH
    const [only, ...sent] = events(transfer({ to: friend, value: coin, bounce: false }, { mode }))
    expect([only && exitCode(only.transaction), sent, seqno()]).toEqual([100, [], 1])
  })

  test('behavior: what is locked stays, and the request counts as used', () => {
    expect(events(transfer({ to: friend, value: 2n * coin, bounce: false }))).toHaveLength(1)
    expect([seqno(), network.balance(wallet.address) > 500n * coin]).toEqual([1, true])
    const everything = events(transfer({ to: friend, value: 0n, bounce: false }, { seqno: 1, mode: 128 }))
    expect(reached(everything, friend)).toBeLessThan(coin)
    expect(network.balance(wallet.address)).toBe(500n * coin)
  })

  test.each<[string, number, Partial<VestingTransfer>]>([
    ['another seqno', 33, { seqno: 1 }],
    ['another subwallet', 34, { subwalletId: 1 }],
    ['another key', 35, { sign: (hash) => sign(null, hash, generateKeyPairSync('ed25519').privateKey) }],
    ['an old request', 36, { validUntil: genesisTime }],
  ])('error: %s', (_, refused, wrong) => {
    expect(transfer({ to: friend, value: 1n }, wrong)).toEqual({ refused })
    expect(seqno()).toBe(0)
  })

  test('error: a request a second time, and bodies cut short', () => {
    events(transfer(null))
    expect(transfer(null)).toEqual({ refused: 33 })
    for (const bits of [0, 100, 512, 560])
      expect(
        network.external(
          wallet.address,
          beginCell()
            .storeUint(0, bits % 257)
            .endCell(),
        ),
      ).toEqual({ refused: 9 })
  })

  test('behavior: what is not allowed is not sent, but the request counts as used', () => {
    list([pool])
    const [only, ...sent] = events(transfer({ to: pool, value: coin, body: commentBody('for me') }))
    expect([only && exitCode(only.transaction), sent, seqno()]).toEqual([104, [], 1])
    expect(transfer({ to: pool, value: coin, body: commentBody('for me') })).toEqual({ refused: 33 })
  })
})

describe('the whitelist', () => {
  test('default: is longer by what the giver adds', () => {
    const first = person(0x10)
    const second = person(0x20)
    const third = person(0x30, -1)
    expect(bodyOf(list([first, second, third]), 0xf258a69b)).toMatchObject({ queryId: 5n, to: raw(giver) })
    const isListed = (who: AccountId) => network.get(wallet.address, 'is_whitelisted', [addressItem(who)]).readBoolean()
    expect([first, second, third, friend].map(isListed)).toEqual([true, true, true, false])
    const items = network.get(wallet.address, 'get_whitelist').readLispList()
    const names = items.map((item) =>
      item.type === 'tuple' ? item.items.map((part) => (part.type === 'int' ? part.value : null)) : null,
    )
    const hash = (byte: string) => BigInt(`0x${byte.repeat(32)}`)
    expect(names).toHaveLength(3)
    expect(names).toEqual(
      expect.arrayContaining([
        [0n, hash('10')],
        [0n, hash('20')],
        [-1n, hash('30')],
      ]),
    )
    const data = network.get(wallet.address, 'get_vesting_data')
    data.skip(7)
    expect(data.readCellOpt()).not.toBeNull()
  })

  test('error: by anybody else, or of no address', () => {
    expect(stepsOf(list([friend], owner))).toEqual(['failed 458', 'bounced'])
    const none = beginCell().storeUint(0x7258a69b, 32).storeUint(1, 64).endCell()
    expect(stepsOf(network.send({ from: giver, to: wallet.address, body: none }))[1]).toBe('bounced')
    expect(() => vestingWhitelistBody(1n, [])).toThrow(RangeError)
  })

  type Case = [string, number | null, OutgoingMessage, number?]
  const cases: Case[] = [
    ['nothing said', null, { to: pool, value: 100n * coin }],
    ['an empty text', null, { to: pool, value: 100n * coin, body: commentBody('') }],
    ['a deposit', null, { to: pool, value: 100n * coin, body: commentBody('d') }],
    ['a withdrawal', null, { to: pool, value: coin, body: commentBody('Withdraw') }],
    ['a deposit by operation', null, { to: pool, value: 100n * coin, body: op(0x47d54391) }],
    ['a stake for the elector', null, { to: elector, value: 100n * coin, body: op(0x4e73744b) }],
    ['a vote for the configuration', null, { to: config, value: coin, body: op(0x566f7465) }],
    ['coins back to the giver', null, { to: giver, value: 100n * coin, body: commentBody('thanks'), bounce: false }],
    ['another mode', 100, { to: pool, value: coin }, 1],
    ['another mode, to the giver', 100, { to: giver, value: coin }, 128],
    ['coins that do not come back', 101, { to: pool, value: coin, bounce: false }],
    ['a deposit for the elector', 103, { to: elector, value: coin, body: commentBody('d') }],
    ['a stake for the configuration', 103, { to: config, value: coin, body: op(0x4e73744b) }],
    ['another operation', 103, { to: pool, value: coin, body: op(0x0f8a7ea5) }],
    ['another text', 104, { to: pool, value: coin, body: commentBody('hello') }],
  ]
  test.each(cases)('behavior: locked coins with %s', (_, failure, message, mode = 3) => {
    list([pool, elector, config])
    const all = send(message, mode)
    const to = raw('code' in message.to ? message.to.address : message.to)
    expect(all[0]?.failure).toBe(failure)
    expect(all.some(({ on, op: what }) => on === to && what !== 0xf7733acd)).toBe(failure === null)
  })

  test('error: a listed contract is not deployed', () => {
    const nft = singleNft(1n, owner, own(Cell.EMPTY))
    list([nft.address])
    expect(stepsOf(send({ to: nft, value: coin }))).toEqual(['failed 102', 'bounced'])
  })
})

describe('the owner', () => {
  test('default: sends by a message, and gets the rest of it back', () => {
    const all = send({ to: friend, value: coin / 2n, bounce: false })
    expect([reached(all, friend), bodyOf(all, 0xf7733acd)]).toMatchObject([coin / 2n, { queryId: 6n, to: raw(owner) }])
    expect(carried(all, 0xf7733acd)).toBeGreaterThan((coin * 9n) / 10n)
  })

  test('error: not by anybody else, not even the giver', () => {
    for (const from of [giver, stranger])
      expect(stepsOf(send({ to: friend, value: 1n }, 3, from))).toEqual(['failed 458', 'bounced'])
  })

  test('behavior: with all unlocked there are no limits', () => {
    list([pool])
    network.now = start + 10 * MONTH
    const all = send({ to: pool, value: 0n, body: commentBody('hello'), bounce: false }, 128)
    expect(reached(all, pool)).toBeGreaterThan(500n * coin)
    expect(network.balance(wallet.address)).toBe(0n)
  })

  test('behavior: anybody may add coins, with any word', () => {
    for (const body of [commentBody('gift'), op(0x12345678), own(beginCell().storeUint(1, 3).endCell())])
      expect(network.send({ from: stranger, to: wallet.address, body })).toHaveLength(1)
    expect(network.balance(wallet.address)).toBeGreaterThan(503n * coin)
  })
})
