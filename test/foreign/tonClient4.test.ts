// TonClient4 of @ton/ton, and a sandbox that forks from the running service through it.

import { Address, beginCell, Cell, Dictionary, internal, loadShardAccount, SendMode, toNano } from '@ton/core'
import { Blockchain, RemoteBlockchainStorage, wrapTonClient4ForRemote } from '@ton/sandbox'
import { TonClient4, type WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, post } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'

const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)
const UNUSED = Address.parse(`0:${'77'.repeat(32)}`)

const ZEROS = Buffer.alloc(32).toString('base64url')

const service = forAllTests(() => serve())
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })
const ton4 = () => new TonClient4({ endpoint: `${service().url}/api/v4`, timeout: 300_000 })

let wallet: WalletContractV4
let secretKey: Buffer

beforeAll(async () => {
  ;({ wallet, secretKey } = await fundedWallet(client()))
})

const order = { to: RECEIVER, value: toNano(2), bounce: false }
const sendMode = SendMode.PAY_GAS_SEPARATELY

describe('TonClient4', () => {
  test('reads the newest block, accounts, get-methods; sends', async () => {
    const { last } = await ton4().getLastBlock()
    expect(last.workchain).toBe(-1)
    // A block may come in between.
    const ahead = async () => {
      const newest = (await ton4().getLastBlock()).last.seqno
      return (await client().getMasterchainInfo()).last.seqno - newest
    }
    await expect.poll(ahead).toBe(0)
    const opened = ton4().open(wallet)
    expect([await opened.getSeqno(), await opened.getBalance()]).toEqual([
      0,
      BigInt(await client().getAddressBalance({ address: wallet.address.toRawString() })),
    ])
    await opened.sendTransfer({ seqno: 0, secretKey, sendMode, messages: [internal(order)] })
    expect(await opened.getSeqno()).toBe(1)
    const now = (await ton4().getLastBlock()).last.seqno
    const { account } = await ton4().getAccount(now, wallet.address)
    const { account: lite } = await ton4().getAccountLite(now, wallet.address)
    expect(lite.state).toMatchObject({ type: 'active', codeHash: wallet.init.code.hash().toString('base64') })
    expect([lite.balance, lite.last]).toEqual([account.balance, account.last])
    const lt = BigInt(account.last?.lt ?? 0)
    expect((await ton4().isAccountChanged(now, wallet.address, lt)).changed).toBe(false)
    expect((await ton4().isAccountChanged(now, wallet.address, 1n)).changed).toBe(true)
    expect(await ton4().isContractDeployed(now, UNUSED)).toBe(false)
    expect((await ton4().getAccount(last.seqno, wallet.address)).account.last).not.toEqual(account.last)
  })

  test('what an account stores, until when that is paid, and what it owes', async () => {
    const { last } = await ton4().getLastBlock()
    const { seqno } = last
    for (const address of [wallet.address, Address.parse(`-1:${'33'.repeat(32)}`)]) {
      const { bytes } = await client().getShardAccountCell({ address: address.toRawString(), seqno })
      const { storageStats } = loadShardAccount(Cell.fromBase64(bytes).beginParse()).account ?? {}
      const { used, lastPaid } = storageStats ?? {}
      const expected = { lastPaid, duePayment: null, used: { bits: Number(used?.bits), cells: Number(used?.cells) } }
      expect(expected.used.cells).toBeGreaterThan(1)
      expect((await ton4().getAccount(seqno, address)).account.storageStat).toEqual(expected)
      expect((await ton4().getAccountLite(seqno, address)).account.storageStat).toEqual(expected)
    }
    expect((await ton4().getAccount(seqno, UNUSED)).account.storageStat).toBeNull()
  })

  test('the time of the newest block, also where the clock of the chain was moved', async () => {
    await using moved = await serve({ config: { seed: 'none' } })
    const v2 = createClient({ url: moved.url, retry: false, timeoutMs: 120_000 })
    await v2.dev.increaseTime({ seconds: 1_000_000 })
    await v2.dev.mine({ blocks: 1 })
    const { now, last } = await new TonClient4({ endpoint: `${moved.url}/api/v4`, timeout: 300_000 }).getLastBlock()
    const { workchain, shard, seqno } = last
    expect(now).toBe((await v2.getBlockHeader({ workchain, shard, seqno })).gen_utime)
  })

  test('arguments and results of every kind pass through', async () => {
    const { last } = await ton4().getLastBlock()
    const config = Address.parse(`-1:${'55'.repeat(32)}`)
    const { result, exitCode, block } = await ton4().runMethod(last.seqno, config, 'seqno')
    expect([exitCode, result[0]?.type, block.seqno]).toEqual([0, 'int', last.seqno])
    const elector = Address.parse(`-1:${'33'.repeat(32)}`)
    const args = [{ type: 'int', value: 5n }] as const
    const returned = await ton4().runMethod(last.seqno, elector, 'compute_returned_stake', [...args])
    expect(returned.reader.readBigNumber()).toBe(0n)
    expect((await ton4().runMethod(last.seqno, elector, 'nothing')).exitCode).toBe(11)
  })
})

describe('blocks', () => {
  test('a block has what its shards did since the one before', async () => {
    const { last } = await ton4().getLastBlock()
    const wanted = new Set<string>()
    const listed = new Set<string>()
    for (let seqno = 1; seqno <= last.seqno; seqno++) {
      const { shards } = await ton4().getBlock(seqno)
      expect([shards[0]?.workchain, shards[0]?.seqno]).toEqual([-1, seqno])
      for (const one of shards.slice(1)) {
        const place = `${one.shard}:${one.seqno}`
        expect(wanted).not.toContain(place)
        wanted.add(place)
      }
      for (const { transactions } of shards) for (const { hash } of transactions) listed.add(hash)
    }
    const { shards: tops } = await client().getShards({ seqno: last.seqno })
    for (const { shard, seqno } of tops) for (let at = 1; at <= seqno; at++) expect(wanted).toContain(`${shard}:${at}`)
    const { account } = await ton4().getAccount(last.seqno, wallet.address)
    expect(listed).toContain(account.last?.hash)
  })

  test('by time, and none before the first and after the newest', async () => {
    const { last } = await ton4().getLastBlock()
    const whole = { workchain: -1, shard: last.shard }
    const { gen_utime: time } = await client().getBlockHeader({ seqno: last.seqno, ...whole })
    const { seqno } = await client().lookupBlock({ unixtime: time, ...whole })
    const { shards } = await ton4().getBlockByUtime(time)
    expect(shards).toEqual((await ton4().getBlock(seqno)).shards)
    await expect(ton4().getBlockByUtime(time + 1_000_000)).rejects.toThrow('Block is out of scope')
    await expect(ton4().getBlockByUtime(0)).rejects.toThrow('Block is out of scope')
    await expect(ton4().getBlock(0)).rejects.toThrow('Block is out of scope')
    await expect(ton4().getBlock(2_000_000_000)).rejects.toThrow('Block is out of scope')
  })
})

describe('configuration', () => {
  const valuesOf = (cell: string) =>
    Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(cell))

  test('all of it, and the parameters one names', async () => {
    const { last } = await ton4().getLastBlock()
    const { config: all } = await ton4().getConfig(last.seqno)
    expect(all.cell).toBe((await client().getConfigAll({ seqno: last.seqno })).config.bytes)
    expect(Address.parse(all.address).toRawString()).toBe(`-1:${'55'.repeat(32)}`)
    const { config: some } = await ton4().getConfig(last.seqno, [20, 1, 1_000_000])
    expect(valuesOf(some.cell).keys()).toEqual([1, 20])
    expect(valuesOf(some.cell).get(20)?.hash()).toEqual(valuesOf(all.cell).get(20)?.hash())
  })

  test('the TON of all accounts, at any block', async () => {
    const { last } = await ton4().getLastBlock()
    const coinsAt = async (seqno: number) => BigInt((await ton4().getConfig(seqno)).config.globalBalance.coins)
    const had = BigInt(await client().getAddressBalance({ address: wallet.address.toRawString() }))
    expect(await coinsAt(1)).toBeGreaterThan(had)
    expect(String(await coinsAt(last.seqno))).toBe((await client().getGlobalBalance({ seqno: last.seqno })).coins)
  })
})

describe('history', () => {
  const lastOf = async (address: Address) => {
    const { last } = await ton4().getLastBlock()
    const { account } = await ton4().getAccountLite(last.seqno, address)
    return [BigInt(account.last?.lt ?? 0), Buffer.from(account.last?.hash ?? '', 'base64')] as const
  }

  test('transactions with the blocks that hold them', async () => {
    const [lt, hash] = await lastOf(wallet.address)
    const all = await ton4().getAccountTransactions(wallet.address, lt, hash)
    expect(all[0]?.tx.hash()).toEqual(hash)
    const known = await client().getTransactions({ address: wallet.address.toRawString(), limit: 20 })
    expect(all.map(({ tx }) => tx.hash().toString('base64'))).toEqual(known.map((one) => one.transaction_id.hash))
    for (const { block, tx } of all) {
      const { workchain, shard, seqno } = block
      const { transactions } = await client().getBlockTransactions({ workchain, shard, seqno, count: 1000 })
      expect(transactions.map((one) => one.hash)).toContain(tx.hash().toString('base64'))
    }
  })

  test('a provider reads on to the first one', async () => {
    const elector = Address.parse(`-1:${'33'.repeat(32)}`)
    await client().dev.mine({ blocks: 25 })
    const [lt, hash] = await lastOf(elector)
    // From the same transaction: each block that comes in between adds a newer one.
    const from = { lt: String(lt), hash: hash.toString('base64') }
    const known = await client().getTransactions({ address: elector.toRawString(), ...from, limit: 50 })
    const found = await ton4().provider(elector, null).getTransactions(elector, lt, hash, 50)
    expect(found.map((tx) => tx.hash().toString('base64'))).toEqual(known.map((one) => one.transaction_id.hash))
    expect(found.length).toBeGreaterThan(20)
  })

  test('taken apart: an order of a wallet, and what it sent', async () => {
    const [lt, hash] = await lastOf(wallet.address)
    const { blocks, transactions } = await ton4().getAccountTransactionsParsed(wallet.address, lt, hash, 1)
    const [order] = transactions
    const own = wallet.address.toString()
    expect([blocks.length, transactions.length, order?.address, order?.hash]).toEqual([
      1,
      1,
      own,
      hash.toString('base64'),
    ])
    const to = RECEIVER.toString()
    const parsed = { seqno: 0, status: 'success', dest: to, kind: 'out', amount: String(-toNano(2)), mentioned: [to] }
    expect(order?.parsed).toMatchObject(parsed)
    expect(order?.inMessage?.info).toMatchObject({ type: 'external-in', dest: own })
    expect(order?.outMessages[0]?.info).toMatchObject({ type: 'internal', src: own, dest: to, bounce: false })
    const [receivedLt, receivedHash] = await lastOf(RECEIVER)
    const { transactions: came } = await ton4().getAccountTransactionsParsed(RECEIVER, receivedLt, receivedHash)
    expect(came[0]?.parsed).toMatchObject({ kind: 'in', amount: String(toNano(2)), resolvedAddress: own })
    expect(came.map((one) => [one.oldStatus, one.newStatus])).toEqual([['non-existing', 'uninitialized']])
  })
})

test('a sandbox forks from it: accounts as they are here, changes stay there', async () => {
  const remote = new RemoteBlockchainStorage(wrapTonClient4ForRemote(ton4()))
  const chain = await Blockchain.create({ storage: remote })
  const here = async () => BigInt(await client().getAddressBalance({ address: RECEIVER.toRawString() }))
  const before = await here()
  const there = async () => (await chain.getContract(RECEIVER)).balance
  expect(await there()).toBe(before)
  const opened = chain.openContract(wallet)
  const seqno = await opened.getSeqno()
  expect(seqno).toBe(await ton4().open(wallet).getSeqno())
  await opened.sendTransfer({ seqno, secretKey, sendMode, messages: [internal(order)] })
  expect([await opened.getSeqno(), await there(), await here()]).toEqual([seqno + 1, before + toNano(2), before])
})

test('a request costs one call, whatever it is made of', async () => {
  await using limited = await serve({ config: { limits: 'on', seed: 'none' }, now: () => 1e6 })
  const { status, headers } = await ask(limited, '/api/v4/block/1')
  expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringContaining('r=0')])
  expect((await ask(limited, '/api/v4/block/1')).status).toBe(429)
})

describe('refusals', () => {
  const answer = async (path: string) => {
    const { status, body } = await ask(service(), `/api/v4${path}`)
    return [status, body.error]
  }
  test.each([
    ['/block', 404, 'Not Found'],
    ['/block/newest', 404, 'Not Found: did you mean /api/v4/block/latest?'],
    ['/block/1/me', 422, expect.stringContaining("Failed to parse ton_addr: 'me'")],
    [`/block/1/${'%ff'}`, 422, 'a part of the path is not encoded correctly'],
    [`/block/4000000000/${UNUSED}`, 422, expect.stringContaining('"seqno" must be at most')],
    [`/block/2000000000/${UNUSED}`, 500, expect.stringContaining('LITE_SERVER')],
    [`/block/1/${UNUSED}/run/seqno/AAAA`, 422, expect.stringContaining('the arguments are not a stack')],
    [`/account/${UNUSED}/tx/1/AA`, 422, expect.stringContaining("invalid hash: 'AA'")],
    [`/account/me/tx/1/${ZEROS}`, 422, expect.stringContaining("Failed to parse ton_addr: 'me'")],
    [`/account/${UNUSED}/tx/1/${ZEROS}`, 500, expect.stringContaining('LITE_SERVER')],
    [`/account/${UNUSED}/tx/parsed/1/${ZEROS}?count=0`, 422, '"count" must be a number from 1 to 100'],
    [`/account/${UNUSED}/tx/parsed/1/${ZEROS}?count=1e2`, 422, '"count" must be a number from 1 to 100'],
    [`/account/${UNUSED}/tx/x/${ZEROS}`, 404, 'Not Found: did you mean /api/v4/account/ADDRESS/tx/LT/HASH?'],
    ['/block/1/config/x', 422, '"x" is not the number of a parameter'],
    ['/block/1/config/1,4294967296', 422, '"4294967296" is not the number of a parameter'],
    [`/block/1/config/${Array(257).fill(1)}`, 422, 'at most 256 parameters: without a list all are returned'],
    ['/block/1/config/1000000', 404, 'none of these parameters is set'],
    ['/block/2000000000/config', 500, expect.stringContaining('LITE_SERVER')],
    ['/send', 405, 'method GET is not supported: use POST'],
  ])('%s', async (path, status, words) => {
    expect(await answer(path)).toEqual([status, words])
  })

  test('a message that is refused, and none', async () => {
    const refused = await post(service(), '/api/v4/send', { boc: beginCell().endCell().toBoc().toString('base64') })
    expect(refused.status).toBe(500)
    expect((await post(service(), '/api/v4/send', {})).status).toBe(422)
    expect((await post(service(), '/api/v4/send', '[')).status).toBe(422)
  })
})
