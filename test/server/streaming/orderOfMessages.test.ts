// The messages of one transaction, one of which arrives in the masterchain: in the order in which they were sent.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { ask, post } from '../../setup/calls.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { serve } from '../../setup/service.ts'
import { openSocket } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const RECEIVERS = [`0:${'A1'.repeat(32)}`, `0:${'B2'.repeat(32)}`, `-1:${'C3'.repeat(32)}`]

interface Row {
  readonly account: string
  readonly out_msgs: readonly { readonly destination: string }[]
}

test('a transaction has its messages in the same order in streams and in v3', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const client = createClient({ url: service.url, retry: false, timeoutMs: 300_000 })
  const { wallet, secretKey } = await fundedWallet(client)
  const raw = wallet.address.toRawString().toUpperCase()
  const messages = RECEIVERS.map((to) => internal({ to: Address.parse(to), value: toNano('1'), bounce: false }))
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const body = wallet.createTransfer({ seqno: 0, secretKey, sendMode, messages, timeout: 2_000_000_000 })
  const message = beginCell().store(storeMessage(external({ to: wallet.address, body })))

  const stream = await openSocket(service)
  await stream.say('subscribe', { types: ['transactions', 'heads'], addresses: [raw], min_finality: 'pending' })
  await post(service, '/api/v3/message', { boc: message.endCell().toBoc().toString('base64') })
  // The trace ends in the second block or the third.
  for (let blocks = 0; blocks < 3; blocks++) {
    const { seqno } = await client.dev.mine({ blocks: 1 })
    await untilIndexed(client, seqno)
    await stream.frames.first(({ head }) => (head as { seqno?: number } | undefined)?.seqno === seqno)
  }

  const said = stream.notices().flatMap(({ transactions = [] }) => transactions as readonly Row[])
  const { body: listed } = await ask(service, `/api/v3/transactions?account=${raw}&limit=1`)
  expect(said.length).toBeGreaterThan(1)
  for (const { account, out_msgs } of [...said, ...(listed.transactions as readonly Row[])]) {
    expect(account).toBe(raw)
    expect(out_msgs.map(({ destination }) => destination)).toEqual(RECEIVERS)
  }
})
