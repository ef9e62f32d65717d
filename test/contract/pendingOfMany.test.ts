// What one caller sends may lead to thousands of transactions: what others have sent is pending all the same.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { beginCell as begin, writeBoc } from '../../server/cell/index.ts'
import { walletAccounts, walletOfKind, walletRequest } from '../../server/devchain/accounts/index.ts'
import { outgoingMessage } from '../../server/devchain/contracts/index.ts'
import { ask, post } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { eventually, knownKey } from '../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** Requests that lead to 252 transactions each: more than are emulated for one block. */
const REQUESTS = 17
const SENT = 250
const GLOBAL_ID = -3

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const base64 = (cell: Parameters<typeof writeBoc>[0]) => Buffer.from(writeBoc(cell)).toString('base64')
const rawOf = ({ workchain, hash }: { readonly workchain: number; readonly hash: Uint8Array }) =>
  `${workchain}:${Buffer.from(hash).toString('hex').toUpperCase()}`

/** Sends one TON from a funded wallet, as another caller. */
async function transfer(to: string, apiKey: string): Promise<void> {
  const { wallet, secretKey } = await fundedWallet(client())
  const { seqno = 0 } = await client().getWalletInformation({ address: wallet.address.toRawString() })
  const order = internal({ to: Address.parse(to), value: toNano('1'), bounce: false })
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const timeout = Math.floor(Date.now() / 1000) + 7 * 24 * 3600
  const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages: [order], timeout })
  const message = beginCell().store(storeMessage(external({ to: wallet.address, body })))
  await createClient({ url: service().url, apiKey, retry: false, timeoutMs: 300_000 }).sendBoc({
    boc: message.endCell().toBoc().toString('base64'),
  })
}

const pendingOf = async (account: string) => {
  const { status, body } = await ask(service(), `/api/v3/pendingTraces?account=${account}`)
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body.traces as readonly { readonly transactions_order: readonly string[] }[]
}

/** Mines a block, and waits until the index has it. */
async function mine(): Promise<void> {
  const { seqno } = await client().dev.mine({})
  await eventually(async () => {
    const { last } = (await ask(service(), '/api/v3/masterchainInfo')).body as {
      readonly last?: { readonly seqno: number }
    }
    return last !== undefined && last.seqno >= seqno ? true : undefined
  })
}

test('what another caller sent before, of thousands of transactions, hides nothing', async () => {
  const [owner] = walletAccounts(GLOBAL_ID)
  if (owner === undefined) throw new Error('there are wallets')
  const wallet = walletOfKind(owner, 'highload', { globalId: GLOBAL_ID })
  const account = { address: rawOf(wallet.address), code: base64(wallet.code), data: base64(wallet.data) }
  await client().dev.setAccount({ ...account, balance: '1000000000000' })
  await mine()
  const to = { workchain: 0, hash: Buffer.alloc(32, 0xcd) }
  const message = outgoingMessage({ to, value: 1n, body: begin().end(), bounce: false })
  const messages = Array.from({ length: SENT }, () => ({ mode: 3, message }))
  const { key } = await knownKey(service())
  const { utime } = await client().dev.state()
  for (let seqno = 1; seqno <= REQUESTS; seqno++) {
    const boc = base64(walletRequest(wallet, { seqno, validUntil: utime + 3590, messages }))
    expect((await post(service(), '/api/v3/message', { boc })).status).toBe(200)
  }
  await transfer(RECEIVER, key)
  expect(await pendingOf(RECEIVER)).toMatchObject([{ transactions_order: { length: 2 } }])
  expect((await pendingOf(rawOf(wallet.address))).length).toBeGreaterThan(1)
}, 600_000)
