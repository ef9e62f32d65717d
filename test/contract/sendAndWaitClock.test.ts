// Sending and waiting while the chain's clock is ahead of the computer's, by which wallets sign.

import { beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { post } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

test('a message that is good by the computer is refused as expired, and the answer names the clocks', async () => {
  const client = createClient({ url: service().url, retry: false, timeoutMs: 120_000 })
  const { accounts, utime } = await client.dev.state()
  const mnemonic = accounts.find(({ kind }) => kind === 'v4r2')?.mnemonic ?? ''
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  await client.dev.increaseTime({ seconds: 7200 })
  await client.dev.mine({})

  const messages = [internal({ to: wallet.address, value: toNano(1) })]
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const body = wallet.createTransfer({ seqno: 0, secretKey, sendMode, messages, timeout: utime + 3600 })
  const boc = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
    .toBoc()
  const answer = await post(service(), '/api/v3/sendAndWait', { boc: boc.toString('base64') })
  expect(answer.status).toBe(410)
  expect(answer.body.error).toMatch(
    /has expired: .*no block has it\. The chain's clock is \d+ s ahead of .* dev\.resetTime\.$/,
  )
})
