// Sending and estimating through the service, with wallets of the usual library.

import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { TonClient, WalletContractV4 } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { post } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'

const LIBRARY = beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true })
const base64 = (cell: Cell): string => cell.toBoc().toString('base64')
const RECEIVER = `0:${'ab'.repeat(32)}`
const NOWHERE = Address.parse(`0:${'99'.repeat(32)}`)

const service = forAllTests(() => serve())
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const ton = () => new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
const rest = (name: string, params: object) => post(service(), `/api/v2/${name}`, params)

const walletOf = () => fundedWallet(client())

async function transferOf(seqno: number, amount: string) {
  const { wallet, secretKey } = await walletOf()
  const order = internal({ to: RECEIVER, value: toNano(amount), bounce: false, body: 'fees' })
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages: [order] })
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
  return { wallet, body, message, boc: message.toBoc().toString('base64'), order }
}

const seqnoOf = async (address: Address) => (await ton().runMethod(address, 'seqno')).stack.readNumber()

describe('sendBocReturnHash', () => {
  test('answers with the hash of the message, by which its transaction is found', async () => {
    const { wallet, message, boc } = await transferOf(0, '1')
    const { hash, hash_norm } = await client().sendBocReturnHash({ boc })
    expect(hash).toBe(message.hash().toString('base64'))
    expect(await seqnoOf(wallet.address)).toBe(1)
    const [taken] = await client().getTransactions({ address: wallet.address.toRawString(), limit: 1 })
    expect(taken?.in_msg?.hash).toBe(hash)
    expect(hash_norm).toHaveLength(44)
  })

  test('the normalised hash does not depend on how a message was put together', async () => {
    const { wallet, body, message } = await transferOf(1, '1')
    const head = beginCell().storeUint(0b10, 2).storeUint(0, 2).storeAddress(wallet.address).storeCoins(0)
    const norm = head.storeBit(0).storeBit(1).storeRef(body).endCell().hash().toString('base64')
    const inlined = beginCell()
      .storeUint(0b10, 2)
      .storeUint(0, 2)
      .storeAddress(wallet.address)
      .storeCoins(5)
      .storeUint(0, 1)
      .storeUint(1, 1)
      .storeRef(body)
      .endCell()
    const answers = []
    for (const one of [message, inlined])
      answers.push(
        await client()
          .sendBocReturnHashNoError({ boc: one.toBoc().toString('base64') })
          .catch(() => null),
      )
    expect(answers[0]?.hash_norm).toBe(norm)
    expect(await seqnoOf(wallet.address)).toBe(2)
  })

  test('error: refused, by two statuses', async () => {
    const { boc } = await transferOf(77, '1')
    const failed = await rest('sendBocReturnHash', { boc })
    expect([failed.status, failed.body.error]).toEqual([
      500,
      expect.stringMatching(/cannot apply external.*exitcode=33/s),
    ])
    const refused = await rest('sendBocReturnHashNoError', { boc })
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ ok: false, code: 400 })])
    expect((await rest('sendBocReturnHash', { boc: 'AAAA' })).status).toBe(500)
    expect((await rest('sendBocReturnHash', { boc: '' })).status).toBe(422)
  })

  test('error: the advice says what the exit code of a wallet means, and what to do without an account', async () => {
    const { boc } = await transferOf(77, '1')
    const refused = { kind: 'messageRefused', message: expect.stringContaining('exitcode=33') }
    const seqnos = 'wrong seqno (the message has 77, the wallet expects 2)'
    const advice = expect.stringContaining(`Exit code 33 of this wallet: ${seqnos}.`)
    await expect(client().sendBocReturnHashNoError({ boc })).rejects.toMatchObject({ ...refused, advice })
    const nowhere = beginCell().store(storeMessage(external({ to: NOWHERE, body: Cell.EMPTY })))
    const lost = { boc: base64(nowhere.endCell()) }
    const absent = { kind: 'messageRefused', advice: expect.stringMatching(/does not exist.*send TON.*walletId/) }
    await expect(client().sendBocReturnHashNoError(lost)).rejects.toMatchObject(absent)
  })
})

test('a wallet of the usual library pays, and its seqno goes on', async () => {
  const { wallet, secretKey } = await walletOf()
  const opened = ton().open(wallet)
  const seqno = await opened.getSeqno()
  const messages = [internal({ to: RECEIVER, value: toNano('1'), bounce: false })]
  await opened.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY })
  await expect.poll(() => opened.getSeqno()).toBe(seqno + 1)
})

describe('estimateFee', () => {
  test('what a transfer would cost is what it does cost', async () => {
    const { wallet } = await transferOf(0, '1')
    const seqno = await seqnoOf(wallet.address)
    const { body, boc } = await transferOf(seqno, '1')
    const { source_fees } = await ton().estimateExternalMessageFee(wallet.address, {
      body,
      initCode: null,
      initData: null,
      ignoreSignature: true,
    })
    expect(await seqnoOf(wallet.address)).toBe(seqno)
    await client().sendBoc({ boc })
    const [taken] = await client().getTransactions({ address: wallet.address.toRawString(), limit: 1 })
    const { in_fwd_fee, gas_fee, fwd_fee } = source_fees
    // Storage goes on being paid for while the message is in flight.
    expect(in_fwd_fee + gas_fee + fwd_fee).toBe(Number(taken?.other_fee))
    expect(gas_fee).toBeGreaterThan(0)
  })

  test('behavior: a signature counts on request', async () => {
    const { wallet } = await transferOf(0, '1')
    const address = wallet.address.toRawString()
    const stranger = keyPairFromSeed(Buffer.alloc(32, 9))
    const body = wallet
      .createTransfer({
        seqno: await seqnoOf(wallet.address),
        secretKey: stranger.secretKey,
        messages: [],
        sendMode: SendMode.PAY_GAS_SEPARATELY,
      })
      .toBoc()
      .toString('base64')
    const lenient = await client().estimateFee({ address, body })
    expect(lenient.source_fees.gas_fee).toBeGreaterThan(0)
    const strict = await client().estimateFee({ address, body, ignore_chksig: false })
    expect(strict).toMatchObject({ source_fees: { gas_fee: 0, fwd_fee: 0 }, destination_fees: [] })
    expect(strict.source_fees.in_fwd_fee).toBe(lenient.source_fees.in_fwd_fee)
  })

  test('a wallet that is not there yet brings its code', async () => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7))
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    await client().dev.faucet({ address: wallet.address.toRawString(), amount: '1000000000' })
    const body = wallet.createTransfer({ seqno: 0, secretKey, messages: [], sendMode: SendMode.PAY_GAS_SEPARATELY })
    const { code, data } = wallet.init
    const { source_fees } = await ton().estimateExternalMessageFee(wallet.address, {
      body,
      initCode: code,
      initData: data,
      ignoreSignature: false,
    })
    expect(source_fees.gas_fee).toBeGreaterThan(0)
  })

  test('a message no one takes is an answer, without gas', async () => {
    const body = beginCell()
      .store(storeMessageRelaxed(internal({ to: RECEIVER, value: 1n })))
      .endCell()
    const answer = await client().estimateFee({
      address: `0:${'99'.repeat(32)}`,
      body: body.toBoc().toString('base64'),
    })
    expect(answer.source_fees).toMatchObject({ gas_fee: 0, fwd_fee: 0, storage_fee: 0 })
    expect(answer.source_fees.in_fwd_fee).toBeGreaterThan(0)
  })

  test('error: an exotic cell as body, which ends the run of any contract', async () => {
    const { wallet } = await walletOf()
    const { status, body } = await rest('estimateFee', { address: wallet.address.toRawString(), body: base64(LIBRARY) })
    expect([status, body.error]).toEqual([422, expect.stringMatching(/body is an exotic cell$/)])
  })

  test.each([
    [{ body: 'AAAA' }, 500],
    [{ init_code: 'AAAA' }, 500],
    [{ init_code: Cell.EMPTY.toBoc().toString('base64') }, 500],
    [{ init_code: '!' }, 422],
    [{ ignore_chksig: 'perhaps' }, 422],
    [{ body: base64(LIBRARY) }, 422],
    [{ ignore_chksig: 'yes' }, 422],
    [{ ignore_chksig: 1 }, 422],
    [{ body: '' }, 422],
    [{ address: `5000:${'00'.repeat(32)}` }, 422],
  ])('error: %j', async (wrong, status) => {
    const body = Cell.EMPTY.toBoc().toString('base64')
    expect((await rest('estimateFee', { address: RECEIVER, body, ...wrong })).status).toBe(status)
  })
})
