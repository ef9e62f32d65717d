// Contract wrappers over the client, against a running service: wallets of the usual library and a contract of ours.

import {
  Address,
  beginCell,
  Cell,
  ComputeError,
  comment,
  getMethodId,
  internal,
  SendMode,
  serializeTuple,
  type TupleItem,
  toNano,
} from '@ton/core'
import { keyPairFromSeed, mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient, isRpcError } from '../../../client/index.ts'
import { createTon, type Ton } from '../../../client/ton/index.ts'
import { GuestBook } from '../../setup/guestBook.ts'
import { forAllTests, serve } from '../../setup/service.ts'

const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)
const UNUSED = Address.parse(`0:${'77'.repeat(32)}`)
/** A contract without code in it: it leaves what it was given, and the number of the method on top. */
const ECHO = Address.parse(`0:${'ee'.repeat(32)}`)

/** The receiver pays a little for its storage between two looks at it. */
const inCoins = (nano: bigint): number => Number(nano) / 1e9

let posts = 0
const counted: typeof fetch = (...args) => {
  posts++
  return fetch(...args)
}
const service = forAllTests(() => serve())
const client = () => createClient({ url: service().url, fetch: counted, retry: false, timeoutMs: 300_000 })
const ton = (): Ton => createTon(client())

async function walletOf(name: string) {
  const { accounts } = await client().dev.state()
  const { mnemonic = '' } = accounts.find((one) => one.name === name) ?? {}
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
  return { wallet: WalletContractV4.create({ workchain: 0, publicKey }), secretKey }
}

async function postsOf<T>(run: () => Promise<T>): Promise<[number, T]> {
  const before = posts
  const result = await run()
  return [posts - before, result]
}

describe('wallets', () => {
  test('a new one is deployed by its first transfer, and its seqno goes on', async () => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 5))
    const walletId = { networkGlobalId: -3 }
    const wallet = WalletContractV5R1.create({ workchain: 0, publicKey, walletId })
    await client().dev.faucet({ address: wallet.address.toRawString(), amount: '3000000000' })
    expect(await ton().isContractDeployed(wallet.address)).toBe(false)
    const { last } = await client().getMasterchainInfo()

    const opened = ton().open(wallet)
    const pay = (seqno: number) =>
      opened.sendTransfer({
        seqno,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to: RECEIVER, value: toNano('0.5'), bounce: false, body: 'rent' })],
      })
    expect(await opened.getSeqno()).toBe(0)
    await pay(0)
    await expect.poll(() => opened.getSeqno()).toBe(1)
    expect(await ton().isContractDeployed(wallet.address)).toBe(true)
    expect(await ton().at(last.seqno).isContractDeployed(wallet.address)).toBe(false)
    await pay(1)
    await expect.poll(() => opened.getSeqno()).toBe(2)
    expect(inCoins(await ton().getBalance(RECEIVER))).toBeCloseTo(1, 6)
  })

  test('a sender of one pays once for each of its sends, whichever of them waits', async () => {
    const { wallet, secretKey } = await walletOf('wallet4')
    const sender = ton().sender(wallet, secretKey)
    expect(sender.address?.equals(wallet.address)).toBe(true)
    const before = await ton().getBalance(RECEIVER)
    await Promise.all(
      ['1', '2'].map((value) =>
        sender.send({ to: RECEIVER, value: toNano(value), bounce: false, sendMode: SendMode.PAY_GAS_SEPARATELY }),
      ),
    )
    expect(inCoins((await ton().getBalance(RECEIVER)) - before)).toBeCloseTo(3, 6)
  })

  test('error: a transfer that is refused says why', async () => {
    const { wallet, secretKey } = await walletOf('wallet4')
    const sent = ton()
      .open(wallet)
      .sendTransfer({ seqno: 77, secretKey, messages: [], sendMode: SendMode.PAY_GAS_SEPARATELY })
    const error: unknown = await sent.catch((refused: unknown) => refused)
    expect(isRpcError(error) && [error.kind, error.message]).toEqual([
      'messageRefused',
      expect.stringMatching(/cannot apply external message.*exitcode=33/s),
    ])
  })
})

describe('a contract of one’s own', () => {
  let book: GuestBook
  beforeAll(async () => {
    const { wallet } = await walletOf('wallet5')
    book = await GuestBook.create(wallet.address)
  })
  const opened = () => ton().open(book)

  test('error: not deployed', async () => {
    const error: unknown = await opened()
      .getBook()
      .catch((refused: unknown) => refused)
    expect(error).toBeInstanceOf(ComputeError)
    expect(error).toMatchObject({
      exitCode: -13,
      message: `book of ${book.address}: the contract is not deployed (exit code -13)`,
    })
    expect(await ton().getState(book.address)).toEqual({
      balance: 0n,
      extracurrency: null,
      last: null,
      state: { type: 'uninit' },
    })
    expect(await ton().getTransactions(book.address)).toEqual([])
  })

  test('is deployed by its first message, and takes further ones', async () => {
    const { wallet, secretKey } = await walletOf('wallet5')
    const via = ton().sender(wallet, secretKey)
    await opened().sendVisit(via, 'first')
    await opened().sendVisit(via, 'second')
    await opened().sendStamp(7)
    const { visits, owner, last } = await opened().getBook()
    expect([visits, owner.equals(wallet.address), last?.equals(comment('second'))]).toEqual([102, true, true])
    const { state, balance } = await ton().getState(book.address)
    const code = state.type === 'active' && state.code ? Cell.fromBoc(state.code)[0] : null
    expect(code?.equals(book.init?.code ?? Cell.EMPTY)).toBe(true)
    expect(balance).toBeGreaterThan(toNano('0.09'))
  })

  test('every kind of value goes in and comes out', async () => {
    const cell = beginCell().storeUint(5, 3).storeRef(beginCell().storeUint(1, 8).endCell()).endCell()
    const { first, slice, cell: inner, list, nothing } = await opened().getShapes(-(2n ** 255n), cell)
    expect([first, nothing]).toEqual([-(2n ** 255n), null])
    expect([slice.equals(cell), inner.equals(cell)]).toEqual([true, true])
    expect(list).toEqual([0n, 1n, 2n].map((n) => ({ type: 'int', value: first + n })))
    expect(await opened().getSum([])).toBe(0n)
    expect(await opened().getSum(Array.from({ length: 300 }, (_, n) => BigInt(n)))).toBe(44_850n)
    expect((await opened().getSecond(cell)).equals(cell)).toBe(true)
    const byNumber = await ton().provider(book.address).get(getMethodId('book'), [])
    expect(byNumber.stack.readNumber()).toBe((await opened().getBook()).visits)
  })

  test('what reads in one tick is one request', async () => {
    const one = ton()
    const [count, results] = await postsOf(() =>
      Promise.all([
        one.open(book).getBook(),
        one.open(book).getSum([1n, 2n]),
        one.getState(book.address),
        one.getBalance(RECEIVER),
        one.isContractDeployed(UNUSED),
      ]),
    )
    expect(count).toBe(1)
    expect(results.slice(1, 2)).toEqual([3n])
    expect(results.at(-1)).toBe(false)
  })

  test('a builder among the results is no obstacle until it is read', async () => {
    const stack = await opened().getDraft()
    expect(stack.readNumber()).toBe(1)
    expect(() => stack.readCell()).toThrow(/builder/)
    expect(stack.readNumber()).toBe(2)
  })

  test('error: a method that throws, and one that is not there', async () => {
    await expect(opened().getRefused()).rejects.toMatchObject({ exitCode: 777, message: /exit code 777/ })
    const missing = ton().provider(book.address).get('no_such_method', [])
    await expect(missing).rejects.toThrow('no such get-method (exit code 11)')
  })

  test('error: an external message that is refused', async () => {
    await expect(opened().sendStamp(8)).rejects.toMatchObject({
      kind: 'messageRefused',
      message: expect.stringContaining('exitcode=707'),
    })
  })

  test('history, page by page, from the newest', async () => {
    const all = await ton().getTransactions(book.address)
    expect(all).toHaveLength(3)
    const [newest] = await ton().getTransactions(book.address, { limit: 1 })
    const provider = ton().provider(book.address)
    const older = await provider.getTransactions(
      book.address,
      newest?.prevTransactionLt ?? 0n,
      Buffer.from((newest?.prevTransactionHash ?? 0n).toString(16).padStart(64, '0'), 'hex'),
    )
    expect([newest, ...older].map((one) => one?.hash().toString('hex'))).toEqual(
      all.map((one) => one.hash().toString('hex')),
    )
    expect(all.map(({ inMessage }) => inMessage?.info.type)).toEqual(['external-in', 'internal', 'internal'])
  })

  test('at an earlier block everything is as it was, and nothing can be sent', async () => {
    const { last } = await client().getMasterchainInfo()
    const { wallet, secretKey } = await walletOf('wallet5')
    await opened().sendVisit(ton().sender(wallet, secretKey), 'later')
    const then = ton().at(last.seqno)
    expect((await opened().getBook()).visits).toBe(103)
    expect((await then.open(book).getBook()).visits).toBe(102)
    expect(await then.getTransactions(book.address)).toHaveLength(3)
    expect(await then.getBalance(book.address)).toBeLessThan(await ton().getBalance(book.address))
    await expect(then.open(book).sendStamp(7)).rejects.toThrow(`block ${last.seqno} is read only`)
    for (const { sender } of [then, ton()])
      await expect(then.open(book).sendVisit(sender(wallet, secretKey), '')).rejects.toThrow('is read only')
  })
})

test('arguments come back as they were given', async () => {
  const empty = beginCell().endCell().toBoc().toString('base64')
  await client().dev.setAccount({ address: ECHO.toRawString(), balance: '1000000000', code: empty, data: empty })
  const cell = beginCell().storeUint(1, 8).endCell()
  const args: TupleItem[] = [
    { type: 'int', value: -(2n ** 256n) },
    { type: 'null' },
    { type: 'cell', cell },
    { type: 'slice', cell },
    { type: 'tuple', items: [] },
    { type: 'tuple', items: [{ type: 'tuple', items: [{ type: 'slice', cell }] }, { type: 'null' }] },
    { type: 'tuple', items: [1n, 2n, 3n].map((value) => ({ type: 'int', value })) },
  ]
  const { stack, gasUsed } = await ton().provider(ECHO).get(9, args)
  const back = Array.from({ length: stack.remaining }, () => stack.pop())
  const given: TupleItem[] = [...args, { type: 'int', value: 9n }]
  expect(back.map(({ type }) => type)).toEqual(given.map(({ type }) => type))
  expect(serializeTuple(back).equals(serializeTuple(given))).toBe(true)
  expect(gasUsed).toBeGreaterThan(0n)
  await expect(
    ton()
      .provider(ECHO)
      .get(9, [{ type: 'builder', cell }]),
  ).rejects.toThrow('cannot be given a builder')
})
