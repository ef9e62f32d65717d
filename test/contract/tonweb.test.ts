// tonweb as it ships, against the service: its provider, its wallet classes, its reader of stacks.

import { createRequire } from 'node:module'
import { Address, beginCell, Cell, storeStateInit } from '@ton/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { GuestBook } from '../setup/guestBook.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { shownLine } from '../setup/shownLine.ts'

// Its types name a default export that the package does not have.
const TonWeb = createRequire(import.meta.url)('tonweb') as typeof import('tonweb').default

const { BN, toNano, bytesToBase64, nacl } = TonWeb.utils
const RECEIVER = `0:${'ab'.repeat(32)}`
const UNUSED = `0:${'77'.repeat(32)}`

const service = forAllTests(() => serve())
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const shown = () => shownLine('tonweb', service().url, { TonWeb }) as InstanceType<typeof TonWeb>
const provider = () => shown().provider as InstanceType<typeof TonWeb.HttpProvider>

interface BlockName {
  readonly workchain: number
  readonly seqno: number
}

/** What is read of a transaction. */
interface Sent {
  readonly transaction_id: { readonly lt: string; readonly hash: string }
  readonly in_msg: { readonly source: string; readonly hash: string }
  readonly out_msgs: readonly Record<'source' | 'destination' | 'created_lt' | 'hash', string>[]
}

const history = (...args: Parameters<InstanceType<typeof TonWeb.HttpProvider>['getTransactions']>): Promise<Sent[]> =>
  provider().getTransactions(...args)
// Its types promise a Response here.
const send = (method: string, params: object) => provider().send(method, params) as unknown as Promise<Sent>

type Kind = 'simpleR3' | 'v2R2' | 'v3R1' | 'v3R2' | 'v4R2'

/** A wallet that is unused, with TON. */
async function newWallet(kind: Kind, seed: number) {
  const keys = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(seed))
  const wallet = new TonWeb.Wallets.all[kind](provider(), { publicKey: keys.publicKey, wc: 0 })
  const address = (await wallet.getAddress()).toString(true, true, false)
  await client().dev.faucet({ address, amount: '5000000000' })
  return { wallet, address, secretKey: keys.secretKey }
}

type Wallet = Awaited<ReturnType<typeof newWallet>>

const transfer = ({ wallet, secretKey }: Wallet, seqno: number, amount: string) =>
  wallet.methods.transfer({
    secretKey,
    toAddress: new TonWeb.Address(RECEIVER).toString(true, true, false),
    amount: toNano(amount),
    seqno,
    payload: `payment ${seqno}`,
    sendMode: 3,
  })

/** In the older classes the method does not exist before the wallet does, and answers nothing at all. */
const seqnoOf = async ({ wallet }: Wallet): Promise<number | null> => (await wallet.methods.seqno().call()) ?? null

describe('wallets', () => {
  const kinds: readonly Kind[] = ['simpleR3', 'v2R2', 'v3R1', 'v3R2', 'v4R2']

  test.each(kinds)('%s is deployed, pays, and its seqno goes on', async (kind) => {
    const mine = await newWallet(kind, 40 + kinds.indexOf(kind))
    expect((await provider().getAddressInfo(mine.address)).state).toBe('uninitialized')
    expect(await seqnoOf(mine)).toBe(null)
    await mine.wallet.deploy(mine.secretKey).send()
    const deployed = (await seqnoOf(mine)) ?? 0
    expect((await provider().getAddressInfo(mine.address)).state).toBe('active')
    const before = BigInt(await provider().getBalance(RECEIVER))
    await transfer(mine, deployed, '0.5').send()
    expect(await seqnoOf(mine)).toBe(deployed + 1)
    const paid = BigInt(await provider().getBalance(RECEIVER)) - before
    // The receiver pays a little for its storage.
    expect(Number(paid) / 1e9).toBeCloseTo(0.5, 6)
  })

  test('the first transfer of a new one deploys it too', async () => {
    const mine = await newWallet('v4R2', 50)
    await transfer(mine, 0, '0.5').send()
    expect(await seqnoOf(mine)).toBe(1)
    expect(await provider().getWalletInfo(mine.address)).toMatchObject({
      wallet: true,
      wallet_type: 'wallet v4 r2',
      seqno: 1,
    })
    expect(await provider().getExtendedAddressInfo(mine.address)).toMatchObject({
      account_state: { '@type': 'wallet.v4.accountState', seqno: 1 },
    })
  })

  test('error: what is refused rejects with the reason', async () => {
    const mine = await newWallet('v3R2', 51)
    await mine.wallet.deploy(mine.secretKey).send()
    await expect(transfer(mine, 9, '0.1').send()).rejects.toMatch(/cannot apply external message.*exitcode=33/s)
    await expect(provider().sendBoc('AAAA')).rejects.toMatch(/./)
  })
})

describe('a wallet with a history', () => {
  let mine: Wallet
  beforeAll(async () => {
    mine = await newWallet('v3R2', 60)
    for (let seqno = 0; seqno < 5; seqno++) await transfer(mine, seqno, '0.2').send()
  })

  test('without and with a contract: balance and state', async () => {
    expect(await provider().getBalance(UNUSED)).toBe('0')
    expect(await provider().getAddressInfo(UNUSED)).toMatchObject({ state: 'uninitialized', balance: '0', code: '' })
    const { balance, code, last_transaction_id } = await provider().getAddressInfo(mine.address)
    expect(await provider().getBalance(mine.address)).toBe(balance)
    const parsed = TonWeb.boc.Cell.oneFromBoc(TonWeb.utils.base64ToBytes(code))
    expect(parsed.refs).toBeDefined()
    expect(last_transaction_id.lt).toMatch(/^\d+$/)
  })

  test('page by page: the last of one page is the first of the next', async () => {
    const all = await history(mine.address, 100)
    // The coins of the faucet, and five payments.
    expect(all).toHaveLength(6)
    const names: string[] = []
    for (let from: { lt?: string; hash?: string } = {}; ; ) {
      const page = await history(mine.address, 3, from.lt, from.hash)
      names.push(...page.slice(from.lt === undefined ? 0 : 1).map(({ transaction_id }) => transaction_id.hash))
      const last = page.at(-1)?.transaction_id
      if (page.length < 3 || !last) break
      from = last
    }
    expect(names).toEqual(all.map(({ transaction_id }) => transaction_id.hash))
    const [newest] = all
    expect(newest?.in_msg.source).toBeFalsy()
    expect(newest?.out_msgs[0]).toMatchObject({ value: '200000000', message: 'payment 4' })
    const lt = all[2]?.transaction_id.lt
    expect(await history(mine.address, 20, undefined, undefined, lt)).toEqual(all.slice(0, 2))
  })

  test('what a transfer would cost, with a signature that is none', async () => {
    const fees = await transfer(mine, 5, '0.1').estimateFee()
    expect(fees).toMatchObject({ '@type': 'query.fees', source_fees: { '@type': 'fees' }, destination_fees: [] })
    expect(fees.source_fees.gas_fee).toBeGreaterThan(0)
    const fresh = await newWallet('v4R2', 61)
    const first = await transfer(fresh, 0, '0.1').estimateFee()
    expect(first.source_fees.gas_fee).toBeGreaterThan(0)
    expect(await seqnoOf(mine)).toBe(5)
  })

  test('both transactions of a message are located', async () => {
    const [, sent] = await history(mine.address, 2)
    const [message] = sent?.out_msgs ?? []
    if (!message) throw new Error('a payment was expected')
    const { source, destination, created_lt } = message
    const mark = { source, destination, created_lt }
    const taken = await send('tryLocateTx', mark)
    expect(taken.in_msg.hash).toBe(message.hash)
    expect(await send('tryLocateResultTx', mark)).toEqual(taken)
    expect(await send('tryLocateSourceTx', mark)).toEqual(sent)
    await expect(send('tryLocateTx', { ...mark, created_lt: '1' })).rejects.toBe('transaction was not found')
  })

  test('blocks: the newest, its shards, their headers and transactions', async () => {
    const { last } = await provider().getMasterchainInfo()
    const { shards } = await provider().getBlockShards(last.seqno)
    expect(shards).toHaveLength(1)
    const [{ workchain, shard, seqno }] = shards
    const header = await provider().getBlockHeader(workchain, shard, seqno)
    expect([header.end_lt, header.prev_blocks[0].seqno]).toEqual([expect.stringMatching(/^\d+$/), seqno - 1])
    expect((await provider().getMasterchainBlockHeader(last.seqno)).id).toMatchObject({ seqno: last.seqno })
    const [newest] = await history(RECEIVER, 1)
    const found: string[] = []
    for (let at = seqno; at > 0 && found.length === 0; at--) {
      const { transactions } = await provider().getBlockTransactions(workchain, shard, at)
      const own = (transactions as { hash: string; account: string }[]).find(
        ({ hash }) => hash === newest?.transaction_id.hash,
      )
      if (own) found.push(own.account)
    }
    expect(found).toEqual([RECEIVER])
  })

  test('its subscription sees every block, those of the masterchain in order', async () => {
    const seen: BlockName[] = []
    const { last } = await provider().getMasterchainInfo()
    const onBlock = async (header: unknown) => {
      seen.push((header as { readonly id: BlockName }).id)
    }
    const intervals = { startMcBlockNumber: last.seqno, mcInterval: 20, shardsInterval: 20 }
    const storage = new TonWeb.InMemoryBlockStorage(() => {})
    const subscription = new TonWeb.BlockSubscription(provider(), storage, onBlock, intervals)
    try {
      await subscription.start()
      await client().dev.mine({ blocks: 4 })
      const seqnos = (workchain: number) => seen.filter((one) => one.workchain === workchain).map(({ seqno }) => seqno)
      await expect.poll(() => seqnos(-1).slice(0, 3)).toEqual([1, 2, 3].map((n) => last.seqno + n))
      await expect.poll(() => seqnos(0).length).toBeGreaterThan(2)
    } finally {
      subscription.stop()
    }
  })

  test('configuration, as a cell of its own', async () => {
    const typed = provider() as unknown as { getConfigParam(id: number): Promise<{ bits: { getUsedBits(): number } }> }
    const cell = await typed.getConfigParam(18)
    expect(cell.bits.getUsedBits()).toBeGreaterThan(0)
  })
})

describe('get-methods', () => {
  let book: GuestBook
  beforeAll(async () => {
    book = await GuestBook.create(Address.parse(RECEIVER))
    const mine = await newWallet('v4R2', 70)
    if (!book.init) throw new Error('a contract with its code was expected')
    const init = beginCell().store(storeStateInit(book.init)).endCell()
    // It reads bytes, but not those of a Buffer.
    const stateInit = TonWeb.boc.Cell.oneFromBoc(new Uint8Array(init.toBoc()))
    const message = await mine.wallet.createTransferMessage(
      mine.secretKey,
      book.address.toString(),
      toNano('1'),
      0,
      'hello',
      3,
      false,
      stateInit,
    )
    await provider().sendBoc(bytesToBase64(await message.message.toBoc(false)))
  })
  const call = (method: string | number, stack: unknown[][] = []) =>
    provider().call2(book.address.toString(), method, stack as never)
  const boc = (cell: Cell): string => cell.toBoc().toString('base64')

  test('numbers, tuples with tuples and cells inside, lists, slices', async () => {
    const [outer, list, owner] = await call('card')
    expect(outer[0].toString()).toBe('1')
    expect(outer[1][0].toString()).toBe('7')
    expect(outer[1][1].refs).toHaveLength(1)
    expect(list.map(String)).toEqual(['1', '2', '3'])
    const bytes = Buffer.from(await owner.toBoc(false))
    expect(Cell.fromBoc(bytes)[0]?.beginParse().loadAddress().toRawString()).toBe(RECEIVER)
  })

  test('null is an empty list', async () => {
    const fresh = await GuestBook.create(Address.parse(UNUSED))
    const init = fresh.init
    await client().dev.setAccount({
      address: fresh.address.toRawString(),
      balance: '1000000000',
      code: boc(init?.code ?? Cell.EMPTY),
      data: boc(init?.data ?? Cell.EMPTY),
    })
    const [visits, , last] = await provider().call2(fresh.address.toString(), 'book')
    expect([visits.toString(), last]).toEqual(['0', []])
  })

  test('arguments: numbers of every spelling, cells, slices', async () => {
    const cell = boc(beginCell().storeUint(5, 3).endCell())
    for (const [given, read] of [
      [-16, '-16'],
      ['-16', '-16'],
      ['0x10', '16'],
      [new BN('123456789012345678901234567890').toString(), '123456789012345678901234567890'],
    ]) {
      const { stack } = await provider().call(book.address.toString(), 'shapes', [
        ['num', given],
        ['tvm.Slice', cell],
      ] as never)
      expect(stack[0][1].elements[0].number.number).toBe(read)
      expect(stack[0][1].elements[1].tuple.elements[1].cell.bytes).toBe(
        stack[0][1].elements[1].tuple.elements[0].slice.bytes,
      )
    }
    const pair = {
      '@type': 'tvm.tuple',
      elements: [
        { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '1' } },
        { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: cell } },
      ],
    }
    const second = await call('second', [['tuple', pair]])
    expect(Buffer.from(await second.hash())).toEqual(Cell.fromBase64(cell).hash())
  })

  test('error: an exit code other than 0', async () => {
    await expect(call('refuse')).rejects.toMatchObject({ result: { exit_code: 777 } })
    await expect(provider().call2(UNUSED, 'seqno')).rejects.toMatchObject({ result: { exit_code: -13 } })
    await expect(provider().call2('nonsense', 'seqno')).rejects.toMatch(/Failed to parse ton_addr: 'nonsense'/)
  })
})
