// The embedded chain through the service: well-known wallets, the faucet, time, snapshots, and what survives a restart.

import {
  beginCell,
  Cell,
  contractAddress,
  external,
  internal,
  SendMode,
  storeMessage,
  storeStateInit,
  type Address as TonAddress,
  toNano,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { TonClient, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { forAllTests, serve, type TestService } from '../setup/service.ts'

const ALICE = `0:${'11'.repeat(32)}`
const BOB = `0:${'22'.repeat(32)}`

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64')

const clientOf = ({ url }: TestService) => createClient({ url, retry: false, timeoutMs: 300_000 })

interface Wallet {
  readonly address: string
  /** A signed message that pays `amount` to `to`. */
  transfer(seqno: number, to: string, amount: string): Promise<string>
}

type Order = Parameters<WalletContractV4['createTransfer']>[0] & { secretKey: Buffer }

function walletOfKind(
  kind: string,
  publicKey: Buffer,
): { address: TonAddress; sign: (order: Order) => Cell | Promise<Cell> } {
  if (kind === 'v3r2') {
    const wallet = WalletContractV3R2.create({ workchain: 0, publicKey })
    return { address: wallet.address, sign: (order) => wallet.createTransfer(order) }
  }
  if (kind === 'v4r2') {
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    return { address: wallet.address, sign: (order) => wallet.createTransfer(order) }
  }
  const context = { walletVersion: 'v5r1', workchain: 0, subwalletNumber: 0 } as const
  const wallet = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -3, context } })
  return {
    address: wallet.address,
    sign: (order) =>
      wallet.createTransfer({ ...order, sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS }),
  }
}

/** A wallet out of the words of the start banner, by the usual library. */
async function walletOf(service: TestService, kind: string): Promise<Wallet> {
  const { accounts } = await clientOf(service).dev.state()
  const known = accounts.find((account) => account.kind === kind)
  if (!known) throw new Error(`no ${kind} among the accounts`)
  const { publicKey, secretKey } = await mnemonicToPrivateKey(known.mnemonic.split(' '))
  const wallet = walletOfKind(kind, publicKey)
  expect(wallet.address.toRawString()).toBe(known.address)
  return {
    address: known.address,
    async transfer(seqno, to, amount) {
      const order = {
        seqno,
        secretKey,
        timeout: Math.floor(Date.now() / 1000) + 600,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to, value: toNano(amount), bounce: false })],
      }
      const body = await wallet.sign(order)
      const message = beginCell().store(storeMessage(external({ to: wallet.address, body })))
      return message.endCell().toBoc().toString('base64')
    },
  }
}

describe('a new chain', () => {
  const service = forAllTests(() => serve())

  test.each(['v3r2', 'v4r2', 'v5r1'])('a transfer of a %s wallet is mined when sendBoc answers', async (kind) => {
    const client = clientOf(service())
    const wallet = await walletOf(service(), kind)
    const to = `0:${Buffer.from(kind).toString('hex').padEnd(64, '0')}`
    expect(await client.getAddressBalance({ address: to })).toBe('0')
    const before = await client.getMasterchainInfo()
    const boc = await wallet.transfer(0, to, '1.5')
    expect(await client.sendBoc({ boc })).toEqual({ '@type': 'ok' })
    expect(await client.getAddressBalance({ address: to })).toBe(String(toNano('1.5')))
    const after = await client.getMasterchainInfo()
    expect(after.last.seqno).toBeGreaterThan(before.last.seqno)
    expect(await client.getAddressBalance({ address: to, seqno: before.last.seqno })).toBe('0')
    // The same again is refused as the wallet refuses it, and is no second payment.
    await expect(client.sendBoc({ boc })).rejects.toMatchObject({ message: expect.stringMatching(/exitcode=1?33/) })
    expect(await client.getAddressBalance({ address: to })).toBe(String(toNano('1.5')))
  })

  test('TonClient sends and sees the chain', async () => {
    const ton = new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
    const wallet = await walletOf(service(), 'v4r2')
    await ton.sendFile(Buffer.from(await wallet.transfer(1, ALICE, '2'), 'base64'))
    expect(await clientOf(service()).getAddressBalance({ address: ALICE })).toBe(String(toNano('2')))
    const info = await ton.getMasterchainInfo()
    expect(info.latestSeqno).toBeGreaterThan(0)
  })

  test('a refused message says why, in the words of a node', async () => {
    const wallet = await walletOf(service(), 'v3r2')
    const boc = await wallet.transfer(77, ALICE, '1')
    await expect(clientOf(service()).sendBoc({ boc })).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/cannot apply external message to current state.*exitcode=33/s),
    })
  })

  test('a message to an address without a contract, and one that cannot be read', async () => {
    const client = clientOf(service())
    const body = beginCell().endCell()
    const lost = beginCell().store(
      storeMessage(external({ to: 'EQAREREREREREREREREREREREREREREREREREREREREREeYT', body })),
    )
    await expect(client.sendBoc({ boc: 'AAAA' })).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringContaining('sendBoc: INVALID_BAG_OF_CELLS: body'),
    })
    await expect(client.sendBoc({ boc: lost.endCell().toBoc().toString('base64') })).rejects.toMatchObject({
      kind: 'upstream',
    })
  })

  test('the future is not there yet', async () => {
    await expect(clientOf(service()).getAddressBalance({ address: ALICE, seqno: 1_000_000 })).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringContaining('LITE_SERVER_NOTREADY'),
    })
  })
})

describe('control', () => {
  test('faucet, many at once', async () => {
    await using service = await serve()
    const client = clientOf(service)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.dev.faucet({ address: `0:${String(i).padStart(64, '0')}`, amount: '7' }),
      ),
    )
    for (const i of [0, 7, 19])
      expect(await client.getAddressBalance({ address: `0:${String(i).padStart(64, '0')}` })).toBe('7')
  })

  test('time moves on demand', async () => {
    await using service = await serve({ config: { mining: 'manual' } })
    const client = clientOf(service)
    const { utime } = await client.dev.state()
    await client.dev.increaseTime({ seconds: 3600 })
    expect((await client.dev.mine({ blocks: 1 })).utime).toBeGreaterThanOrEqual(utime + 3600)
    await client.dev.setNextBlockTime({ utime: utime + 10_000 })
    expect((await client.dev.mine()).utime).toBe(utime + 10_000)
    await expect(client.dev.setNextBlockTime({ utime: 1 })).rejects.toMatchObject({ kind: 'invalidParams' })
  })

  test('a snapshot brings everything back', async () => {
    await using service = await serve({ config: { blockTime: '60m' } })
    const client = clientOf(service)
    await client.dev.faucet({ address: ALICE, amount: '5' })
    const { id } = await client.dev.snapshot()
    const before = await client.getMasterchainInfo()
    await client.dev.faucet({ address: ALICE, amount: '500' })
    // Storage between the two costs one each second.
    const later = Number(await client.getAddressBalance({ address: ALICE }))
    expect(later > 5 && later <= 505).toBe(true)
    await client.dev.revert({ id })
    expect(await client.getAddressBalance({ address: ALICE })).toBe('5')
    expect((await client.getMasterchainInfo()).last.seqno).toBeLessThanOrEqual(before.last.seqno + 1)
    await expect(client.dev.revert({ id })).rejects.toMatchObject({
      kind: 'invalidParams',
      message: expect.stringMatching(/no snapshot "0x1": ids look like 0x1, dev\.snapshots lists/),
    })
  })

  test('snapshots are listed, and a label names one', async () => {
    await using service = await serve({ config: { blockTime: '60m' } })
    const client = clientOf(service)
    expect(await client.dev.snapshots()).toEqual({ snapshots: [] })
    const { id } = await client.dev.snapshot({ label: 'before-sale' })
    const { id: other } = await client.dev.snapshot()
    const { seqno } = (await client.dev.state()).head
    expect(await client.dev.snapshots()).toEqual({
      snapshots: [
        { id, label: 'before-sale', seqno },
        { id: other, label: null, seqno },
      ],
    })
    await expect(client.dev.snapshot({ label: 'before-sale' })).rejects.toMatchObject({ kind: 'invalidParams' })
    await expect(client.dev.snapshot({ label: '0x7' })).rejects.toMatchObject({ kind: 'invalidParams' })
    await client.dev.faucet({ address: ALICE, amount: '500' })
    await client.dev.revert({ id: 'before-sale' })
    expect(await client.getAddressBalance({ address: ALICE })).toBe('0')
    expect(await client.dev.snapshots()).toEqual({ snapshots: [] })
  })

  test('an amount with a fraction is shown as it would be in units', async () => {
    await using service = await serve()
    const { dev } = clientOf(service)
    await expect(dev.faucet({ address: ALICE, amount: '1.5' })).rejects.toMatchObject({
      kind: 'invalidParams',
      message: expect.stringContaining('in nanotons: 1.5 TON is 1500000000'),
    })
    const asNumber = { jsonrpc: '2.0', id: 1, method: 'dev.faucet', params: { address: ALICE, amount: 1.5 } }
    const reply = await fetch(`${service.url}/jsonRPC`, { method: 'POST', body: JSON.stringify(asNumber) })
    expect(await reply.text()).toContain('in nanotons: 1.5 TON is 1500000000')
    await expect(dev.jetton({ address: ALICE, amount: '0.25' })).rejects.toMatchObject({
      kind: 'invalidParams',
      message: expect.stringContaining('0.25 jettons is 250000000'),
    })
    await expect(dev.faucet({ address: ALICE, amount: '1e9' })).rejects.toMatchObject({
      kind: 'invalidParams',
      message: expect.stringContaining('not an amount in nanotons'),
    })
  })

  test('a payment beyond the balance of the faucet says what it has', async () => {
    await using service = await serve()
    const client = clientOf(service)
    await expect(client.dev.faucet({ address: ALICE, amount: '2000000000000000000' })).rejects.toMatchObject({
      kind: 'invalidParams',
      message: expect.stringMatching(
        /can pay \d{18} nanotons \(999999998 TON\), not 2000000000000000000 \(2000000000 TON\)/,
      ),
    })
    const rest = '999999998000000000'
    expect(await client.dev.faucet({ address: ALICE, amount: rest })).toMatchObject({ pending: 0 })
    expect(await client.getAddressBalance({ address: ALICE })).toBe(rest)
    await expect(client.dev.faucet({ address: ALICE, amount: '1000000000' })).rejects.toMatchObject({
      kind: 'invalidParams',
    })
  })

  test('what a call has caused can be looked up', async () => {
    await using service = await serve()
    const client = clientOf(service)
    const { tx_hash, trace_id, pending } = await client.dev.sendInternal({
      from: BOB,
      to: ALICE,
      value: '5000000000',
      bounce: false,
    })
    expect(pending).toBe(0)
    const [newest] = await client.getTransactions({ address: ALICE, limit: 1 })
    expect([tx_hash, trace_id]).toEqual([newest?.transaction_id.hash, newest?.transaction_id.hash])
  })

  test('what moves the clock says what that means, and a reset lets it stand still', async () => {
    await using service = await serve({ config: { mining: 'manual' } })
    const client = clientOf(service)
    const moved = await client.dev.increaseTime({ seconds: 3600 })
    expect(moved.note).toMatch(/clock is 3[56]\d\d s ahead of this computer's: messages that wallets sign/)
    expect(moved.note).not.toContain('wait for the next block')
    expect(moved.clock_offset).toBeGreaterThan(3500)
    await client.dev.faucet({ address: ALICE, amount: '1' })
    const later = await client.dev.increaseTime({ seconds: 3600 })
    expect(later.note).toContain('Messages that wait for the next block may be too late for it now: dev.mine before')
    const { utime } = await client.dev.mine()
    const reset = await client.dev.resetTime()
    expect(reset.note).toMatch(/agree again in 7[12]\d\d s/)
    expect((await client.dev.mine()).utime).toBe(utime)
  })

  test('accounts and messages out of nothing', async () => {
    await using service = await serve()
    const client = clientOf(service)
    await client.dev.setAccount({ address: ALICE, balance: '123456789' })
    expect(await client.getAddressBalance({ address: ALICE })).toBe('123456789')
    await client.dev.sendInternal({ from: ALICE, to: BOB, value: '1000000000', bounce: false })
    expect(await client.getAddressBalance({ address: BOB })).toBe('1000000000')
    const contract = { code: Cell.EMPTY, data: Cell.EMPTY }
    const address = contractAddress(0, contract).toRawString()
    const init = bocOf(beginCell().store(storeStateInit(contract)).endCell())
    await client.dev.sendInternal({ from: ALICE, to: address, value: '1000000000', init })
    expect(await client.getAddressState({ address })).toBe('active')
    const wrong = client.dev.sendInternal({ from: ALICE, to: BOB, value: '1', init: bocOf(Cell.EMPTY) })
    await expect(wrong).rejects.toMatchObject({ kind: 'invalidParams', data: { param: 'init' } })
    const library = bocOf(beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true }))
    const untaken = client.dev.sendInternal({ from: ALICE, to: BOB, value: '1', body: library })
    await expect(untaken).rejects.toMatchObject({ kind: 'invalidParams' })
    await expect(client.dev.setAccount({ address: ALICE, code: 'AAAA' })).rejects.toMatchObject({
      kind: 'invalidParams',
      data: { param: 'code' },
    })
  })

  test('amounts that the TVM could not add up are refused, and the most that are given can be', async () => {
    await using service = await serve()
    const client = clientOf(service)
    const most = 2n ** 100n - 1n
    for (const value of [`${most + 1n}`, `${2n ** 120n - 1n}`]) {
      const tooMuch = { kind: 'invalidParams', message: expect.stringContaining('below 2^100') }
      await expect(client.dev.setAccount({ address: BOB, balance: value })).rejects.toMatchObject(tooMuch)
      await expect(client.dev.sendInternal({ from: ALICE, to: BOB, value })).rejects.toMatchObject(tooMuch)
    }
    await client.dev.setAccount({ address: BOB, balance: `${most}` })
    await client.dev.sendInternal({ from: ALICE, to: BOB, value: `${most}`, bounce: false })
    const balance = BigInt(await client.getAddressBalance({ address: BOB }))
    // Of two sums of this size, storage took a little.
    expect(2n * most - balance).toBeLessThan(1_000_000_000n)
  })

  test('mining can be changed while it runs', async () => {
    await using service = await serve()
    const client = clientOf(service)
    expect(await client.dev.setMining({ mode: 'manual' })).toEqual({ mode: 'manual' })
    const { seqno } = await client.dev.faucet({ address: ALICE, amount: '5' })
    expect(await client.getAddressBalance({ address: ALICE })).toBe('0')
    expect((await client.dev.mine({ blocks: 2 })).seqno).toBe(seqno + 2)
    expect(await client.getAddressBalance({ address: ALICE })).toBe('5')
    for (const mode of ['1s', '90s', '1m', '24h', '50ms'])
      expect(await client.dev.setMining({ mode })).toEqual({ mode })
    await expect.poll(async () => (await client.dev.state()).head.seqno).toBeGreaterThan(seqno + 4)
    await expect(client.dev.setMining({ mode: '1ms' })).rejects.toMatchObject({ kind: 'invalidParams' })
  })
})

test('what was there is there after a restart, and gone after a reset', async () => {
  await using first = await serve({ config: { mining: 'manual' } })
  const client = clientOf(first)
  await client.dev.faucet({ address: ALICE, amount: '42' })
  await client.dev.mine({ blocks: 2 })
  const { last, init } = await client.getMasterchainInfo()
  await first.close()
  {
    await using again = await serve({ config: { data: first.data, mining: 'manual' } })
    expect(await clientOf(again).getAddressBalance({ address: ALICE })).toBe('42')
    const info = await clientOf(again).getMasterchainInfo()
    expect([info.last.seqno, info.init]).toEqual([last.seqno, init])
  }
  await using fresh = await serve({ config: { data: first.data, mining: 'manual', reset: true } })
  expect(await clientOf(fresh).getAddressBalance({ address: ALICE })).toBe('0')
  expect((await clientOf(fresh).getMasterchainInfo()).init).not.toEqual(init)
})

test('a folder belongs to one service at a time', async () => {
  await using first = await serve()
  await expect(serve({ config: { data: first.data } })).rejects.toThrow(first.data)
})

test('a network whose lite servers are away says so', async () => {
  await using service = await serve({ config: { network: 'mainnet' } })
  await expect(clientOf(service).getMasterchainInfo()).rejects.toMatchObject({
    message: expect.stringContaining('LITE_SERVER_NETWORK: no lite server is connected'),
  })
})
