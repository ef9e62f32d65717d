// Sends that are followed to their end, with wallets of the usual library, on a chain that makes a block at once.

import { Address, internal, type Sender, SendMode, toNano } from '@ton/core'
import type { WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { bocsOf, follow } from '../../../client/ton/following.ts'
import { createTon } from '../../../client/ton/index.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { GuestBook } from '../../setup/guestBook.ts'
import { forAllTests, serve } from '../../setup/service.ts'

const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)
const sendMode = SendMode.PAY_GAS_SEPARATELY

const service = forAllTests(() => serve({ withIndex: true }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })
const ton = () => createTon(client())

let wallet: WalletContractV4
let secretKey: Buffer

beforeAll(async () => {
  ;({ wallet, secretKey } = await fundedWallet(client()))
})

describe('a send is followed', () => {
  test('by a wrapper that sends from outside', async () => {
    const opened = ton().open(wallet)
    const seqno = await opened.getSeqno()
    const messages = [internal({ to: RECEIVER, value: toNano(1), bounce: false })]
    const sending = opened.sendTransfer({ seqno, secretKey, sendMode, messages })
    const done = await sending.finalized({ includeActions: true })
    expect(done).toMatchObject({ status: 'finalized', trace: { actions: [{ type: 'ton_transfer', success: true }] } })
    expect((await sending.sent()).message_hash_norm).toBe(done.message_hash_norm)
    expect(await sending).toBeUndefined()
  })

  test('by a sender, and by a wrapper that sends through it', async () => {
    const via = ton().sender(wallet, secretKey)
    const [one, other] = [1, 2].map((amount) =>
      via.send({ to: RECEIVER, value: toNano(amount), bounce: false, sendMode }),
    )
    const ids = [(await one?.finalized())?.trace?.trace_id, (await other?.finalized())?.trace?.trace_id]
    expect(new Set(ids).size).toBe(2)
    const book = ton().open(await GuestBook.create(wallet.address))
    const { trace } = await book.sendVisit(via, 'hello').finalized()
    expect(Object.values(trace?.transactions ?? {}).map(({ account }) => account)).toContain(
      book.address.toRawString().toUpperCase(),
    )
  })

  test('a wallet that was opened has a sender of its own, as every opened contract does', async () => {
    const opened = ton().open(wallet)
    const seqno = await opened.getSeqno()
    const via: Sender = opened.sender(secretKey)
    await via.send({ to: RECEIVER, value: toNano(1), bounce: false, sendMode })
    expect(await opened.getSeqno()).toBe(seqno + 1)
  })

  test('as long as is wished, whatever limit its client has for other calls', async () => {
    const opened = ton().open(wallet)
    const messages = [internal({ to: RECEIVER, value: toNano(1), bounce: false })]
    const sending = opened.sendTransfer({ seqno: await opened.getSeqno(), secretKey, sendMode, messages })
    await sending
    const hasty = createClient({ url: service().url, retry: false, timeoutMs: 1 })
    expect(await follow(hasty, sending, bocsOf(sending)).finalized()).toMatchObject({ status: 'finalized' })
  })

  test('until its signal ends the wait', async () => {
    const sending = ton()
      .sender(wallet, secretKey)
      .send({ to: RECEIVER, value: toNano(1), bounce: false, sendMode })
    await sending
    const signal = AbortSignal.abort(new Error('the page was left'))
    await expect(sending.finalized({ signal })).rejects.toThrow('the page was left')
    expect(await sending.finalized()).toMatchObject({ status: 'finalized' })
  })

  test('error: refused, and not sent by this client at all', async () => {
    const opened = ton().open(wallet)
    const sending = opened.sendTransfer({ seqno: 99, secretKey, sendMode, messages: [] })
    await expect(sending).rejects.toMatchObject({ kind: 'messageRefused' })
    await expect(sending.finalized()).rejects.toMatchObject({ kind: 'messageRefused' })
    const foreign = { address: wallet.address, send: () => Promise.resolve() }
    const book = ton().open(await GuestBook.create(wallet.address))
    await expect(book.sendVisit(foreign, 'hello').finalized()).rejects.toThrow('0 were sent through this client')
  })
})
