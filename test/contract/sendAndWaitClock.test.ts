// Sending and waiting while the chain's clock is ahead of the computer's, by which wallets sign.

import { beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../../client/index.ts'
import { post, sendAndWait } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const clientOf = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })

/** A message of a wallet that was not used yet, valid for an hour by the computer's clock. */
async function signedBy(client: Client): Promise<string> {
  const { accounts } = await client.dev.state()
  const mnemonic = accounts.find(({ kind }) => kind === 'v4r2')?.mnemonic ?? ''
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  const messages = [internal({ to: wallet.address, value: toNano(1) })]
  const timeout = Math.floor(Date.now() / 1000) + 3600
  const body = wallet.createTransfer({ seqno: 0, secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages, timeout })
  const boc = beginCell().store(storeMessage(external({ to: wallet.address, body })))
  return boc.endCell().toBoc().toString('base64')
}

const EXPIRED = /has expired: .*no block has it\. The chain's clock is \d+ s ahead of .* dev\.resetTime\.$/

test('a message that expires while it is waited for, as the clock is moved: the answer names the clocks', async () => {
  const client = clientOf()
  const boc = await signedBy(client)
  const waiting = sendAndWait(service(), { boc })
  await expect.poll(async () => (await client.dev.state()).pending).toBe(1)
  await client.dev.increaseTime({ seconds: 7200 })
  await client.dev.mine({})
  const { status, body } = await waiting
  expect([status, body.error]).toEqual([410, expect.stringMatching(EXPIRED)])
})

test('a message that is good by the computer is refused as expired, and the answer names the clocks', async () => {
  const boc = await signedBy(clientOf())
  const answer = await post(service(), '/api/v3/sendAndWait', { boc })
  expect(answer.status).toBe(410)
  expect(answer.body.error).toMatch(EXPIRED)
})
