// Our highload wallet, by its public interface.

import { Address, beginCell, Cell, internal, loadMessage, storeMessageRelaxed } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createSigner,
  walletAccounts,
  walletOfKind,
  walletRequest,
} from '../../../../server/devchain/accounts/index.ts'
import { outgoingMessage } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, globalId, startTvm } from '../actor.ts'
import { coin, int, Network, person, raw } from './network.ts'

const [owner, stranger] = walletAccounts(globalId)
if (!owner || !stranger) throw new Error('there are wallets')
const wallet = walletOfKind(owner, 'highload', { globalId })
const TIMEOUT = 3600

let executor: Emulator
let network: Network
beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.place(wallet, 1000n * coin)
})

interface Request {
  readonly queryId?: number
  readonly createdAt?: number
  readonly timeout?: number
  readonly walletId?: number
  readonly message?: Cell
  readonly mode?: number
  readonly seed?: Uint8Array
}

const toPerson = (value = coin) =>
  beginCell()
    .store(storeMessageRelaxed(internal({ to: Address.parse(raw(person(7))), value, bounce: false })))
    .endCell()

/** As the public wrappers put it together. */
function ask({ queryId = 5, message = toPerson(), seed = wallet.seed, ...rest }: Request = {}) {
  const { createdAt = network.now - 10, timeout = TIMEOUT, walletId = 0x10ad, mode = 1 } = rest
  const signed = beginCell()
    .storeUint(walletId, 32)
    .storeRef(message)
    .storeUint(mode, 8)
    .storeUint(queryId >> 10, 13)
    .storeUint(queryId & 1023, 10)
    .storeUint(createdAt, 64)
    .storeUint(timeout, 22)
    .endCell()
  const signature = createSigner(seed)(signed.hash())
  return network.external(wallet.address, beginCell().storeBuffer(Buffer.from(signature)).storeRef(signed).endCell())
}

const isProcessed = (queryId: number, needsCleaning = true) =>
  network.get(wallet.address, 'processed?', [int(queryId), int(needsCleaning ? -1 : 0)]).readBoolean()

test('says whose it is, which one, and how long it remembers', () => {
  expect(network.get(wallet.address, 'get_public_key').readBigNumber()).toBe(
    BigInt(`0x${Buffer.from(owner.publicKey).toString('hex')}`),
  )
  expect(network.get(wallet.address, 'get_subwallet_id').readNumber()).toBe(0x10ad)
  expect(network.get(wallet.address, 'get_timeout').readNumber()).toBe(TIMEOUT)
  expect(network.get(wallet.address, 'get_last_clean_time').readNumber()).toBe(0)
})

test('a request is carried out once, in any order, and forgotten when it could not be valid any more', () => {
  for (const queryId of [9, 3, (1 << 23) - 1]) expect(ask({ queryId })).toHaveLength(2)
  expect(network.balance(person(7))).toBe(3n * coin)
  expect(ask({ queryId: 3 })).toEqual({ refused: 36 })
  expect([isProcessed(3), isProcessed(4)]).toEqual([true, false])
  network.now += TIMEOUT
  expect(ask({ queryId: 3 })).toEqual({ refused: 36 })
  network.now += TIMEOUT
  expect([isProcessed(3), isProcessed(3, false)]).toEqual([false, true])
  expect(ask({ queryId: 3 })).toHaveLength(2)
})

test('many messages go out as one request', () => {
  const messages = Array.from({ length: 254 }, (_, at) => ({
    mode: 3,
    message: outgoingMessage({ to: person(at % 200), value: coin, bounce: false }),
  }))
  const request = { seqno: 1, validUntil: network.now + 60, messages }
  const { body } = loadMessage(core(walletRequest(wallet, request)).beginParse())
  const events = network.external(wallet.address, body)
  expect(Array.isArray(events) && events.length).toBe(2 + 254)
  expect(network.balance(person(199))).toBe(coin)
  expect(() => walletRequest(wallet, { ...request, messages: [...messages, ...messages] })).toThrow(RangeError)
})

describe('refuses, before anything is paid:', () => {
  const external = beginCell().storeUint(0b11, 2).storeUint(0, 10).endCell()
  test.each<[string, Request, number]>([
    ['the key of another', { seed: stranger.seed }, 33],
    ['a request for another wallet', { walletId: 1 }, 34],
    ['one of the future', { createdAt: genesisTime + 9 }, 35],
    ['one that is too old', { createdAt: genesisTime - TIMEOUT }, 35],
    ['a message that is not internal', { message: external }, 37],
    ['a mode that no message has', { mode: 0x0c }, 37],
    ['two modes at once', { mode: 0xc0 }, 37],
    ['another time to remember', { timeout: 60 }, 38],
  ])('%s', (_, request, code) => {
    expect(ask(request)).toEqual({ refused: code })
    expect(network.balance(wallet.address)).toBe(1000n * coin)
  })
})

test('a message that cannot be sent counts all the same: it would be paid for again and again', () => {
  expect(ask({ queryId: 8, message: toPerson(5000n * coin) })).toHaveLength(1)
  expect(ask({ queryId: 8 })).toEqual({ refused: 36 })
})

test('a list of actions is accepted only from the wallet itself', () => {
  const list = beginCell().storeRef(Cell.EMPTY).storeUint(0x0ec3c86d, 32).storeUint(0, 8).storeRef(toPerson()).endCell()
  const body = beginCell().storeUint(0xae42e5a4, 32).storeUint(0, 64).storeRef(list).endCell()
  expect(network.send({ from: person(9), to: wallet.address, body })).toHaveLength(1)
  expect(network.balance(person(7))).toBe(0n)
})
