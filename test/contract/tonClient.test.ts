// TonClient of @ton/ton as it ships, where a page of wallets and one contract is what most applications have. History,
// fees and locating stand with the methods they belong to.

import { Address, beginCell, Cell, internal, SendMode, type TupleItem, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { TonClient, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { GuestBook } from '../setup/guestBook.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { shownLine } from '../setup/shownLine.ts'

const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)
const UNUSED = Address.parse(`0:${'77'.repeat(32)}`)

/** A block of its own accord, between two looks at the newest, would be a newer one. */
const service = forAllTests(() => serve({ config: { blockTime: '60m' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const ton = () => shownLine('@ton/ton', service().url, { TonClient }) as TonClient

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 21))
const sendMode = SendMode.PAY_GAS_SEPARATELY
const payment = () => internal({ to: RECEIVER, value: toNano('0.5'), bounce: false, body: 'rent' })

const fund = (address: Address) => client().dev.faucet({ address: address.toRawString(), amount: '3000000000' })

describe('new wallets', () => {
  const v3 = WalletContractV3R2.create({ workchain: 0, publicKey })
  const v4 = WalletContractV4.create({ workchain: 0, publicKey })
  const v5 = WalletContractV5R1.create({ workchain: 0, publicKey, walletId: { networkGlobalId: -3 } })

  test.each([
    ['v3r2', () => ton().open(v3)],
    ['v4r2', () => ton().open(v4)],
    ['v5r1', () => ton().open(v5)],
  ])('%s is deployed by its first transfer, and its seqno goes on', async (_, open) => {
    const wallet = open()
    await fund(wallet.address)
    expect(await ton().isContractDeployed(wallet.address)).toBe(false)
    expect(await wallet.getSeqno()).toBe(0)
    const before = await ton().getBalance(RECEIVER)
    for (const seqno of [0, 1]) {
      await wallet.sendTransfer({ seqno, secretKey, sendMode, messages: [payment()] })
      await expect.poll(() => wallet.getSeqno()).toBe(seqno + 1)
    }
    expect(await ton().isContractDeployed(wallet.address)).toBe(true)
    // The receiver pays a little for its storage.
    expect(Number((await ton().getBalance(RECEIVER)) - before) / 1e9).toBeCloseTo(1, 6)
  })

  test('states: no contract, and a wallet with code, data and a last transaction', async () => {
    const unused = await ton().getContractState(UNUSED)
    expect(unused).toMatchObject({ state: 'uninitialized', balance: 0n, code: null, data: null, lastTransaction: null })
    const { state, code, lastTransaction, blockId } = await ton().getContractState(v4.address)
    expect(state).toBe('active')
    expect(Cell.fromBoc(code ?? Buffer.alloc(0))[0]?.equals(v4.init.code)).toBe(true)
    const [newest] = await ton().getTransactions(v4.address, { limit: 1 })
    expect(lastTransaction).toEqual({ lt: String(newest?.lt), hash: newest?.hash().toString('base64') })
    expect(blockId.seqno).toBe((await ton().getMasterchainInfo()).latestSeqno)
  })

  test('the shards of a block, and what happened in them', async () => {
    const { latestSeqno } = await ton().getMasterchainInfo()
    const [shard] = await ton().getWorkchainShards(latestSeqno)
    expect(shard?.workchain).toBe(0)
    const [newest] = await ton().getTransactions(v5.address, { limit: 1 })
    const accounts: string[] = []
    for (let seqno = shard?.seqno ?? 0; seqno > 0 && accounts.length === 0; seqno--) {
      const listed = await ton().getShardTransactions(0, seqno, shard?.shard ?? '')
      const own = listed.find(({ lt }) => lt === String(newest?.lt))
      if (own) accounts.push(own.account.toRawString())
    }
    expect(accounts).toEqual([v5.address.toRawString()])
  })

  test('error: a transfer that is refused', async () => {
    const sent = ton()
      .open(v4)
      .sendTransfer({ seqno: 77, secretKey, sendMode, messages: [payment()] })
    await expect(sent).rejects.toMatchObject({
      response: { status: 500, data: { error: expect.stringMatching(/exitcode=33/) } },
    })
  })
})

describe('a contract of one’s own', () => {
  let book: GuestBook
  beforeAll(async () => {
    book = await GuestBook.create(RECEIVER)
    const wallet = ton().open(WalletContractV4.create({ workchain: 0, publicKey, walletId: 9 }))
    await fund(wallet.address)
    await ton().open(book).sendVisit(wallet.sender(secretKey), 'hello')
  })

  test('is deployed by its first message, and takes an external one', async () => {
    const opened = ton().open(book)
    await opened.sendStamp(7)
    const { visits, owner, last } = await opened.getBook()
    expect([visits, owner.equals(RECEIVER)]).toEqual([101, true])
    expect(last?.beginParse().skip(32).loadStringTail()).toBe('hello')
    await expect(opened.sendStamp(8)).rejects.toMatchObject({ response: { status: 500 } })
  })

  test('get-methods: numbers, cells and slices in; tuples, lists, cells, null out', async () => {
    const cell = beginCell().storeUint(5, 3).endCell()
    const args: TupleItem[] = [
      { type: 'int', value: -(2n ** 200n) },
      { type: 'slice', cell },
    ]
    const { stack } = await ton().runMethod(book.address, 'shapes', args)
    // It takes lists for tuples, and what is inside of tuples comes bare.
    const [number, [slice, inner]] = readItems(stack.pop()) as [bigint, [typeof cell, typeof cell]]
    expect([number, slice.equals(cell), inner.equals(cell)]).toEqual([-(2n ** 200n), true, true])
    expect(readItems(stack.pop())).toEqual([0n, 1n, 2n].map((n) => number + n))
    expect(stack.readBigNumberOpt()).toBe(null)
    expect(stack.remaining).toBe(0)
  })

  test('error: exit codes', async () => {
    await expect(ton().open(book).getRefused()).rejects.toThrow('777')
    expect(await ton().runMethodWithError(book.address, 'refuse')).toMatchObject({ exit_code: 777 })
    await expect(ton().runMethod(UNUSED, 'seqno')).rejects.toThrow('-13')
  })
})

const readItems = (item: TupleItem): readonly unknown[] => (item.type === 'tuple' ? item.items : [])
