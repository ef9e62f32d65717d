// Events that the index no longer has when their turn comes: the receiver hears of it, and of all that comes later.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const subscription = { types: ['transactions'], addresses: [RECEIVER] }

async function openScene() {
  const service = await serve({
    withIndex: true,
    config: { mining: 'manual', keep: '1h', webhookPrivate: true },
  })
  const { client } = await openWallet(service)
  const receiver = await openReceiver()
  const ends = async (): Promise<Frame> => (await ask(service, '/api/v3/masterchainInfo')).body
  const seqnoOf = (block: unknown): number => (block as { seqno: number }).seqno
  const upToDate = async (): Promise<number> => {
    const { last } = await client.getMasterchainInfo()
    await eventually(async () => (seqnoOf((await ends()).last) === last.seqno ? true : undefined))
    return last.seqno
  }
  const pay = async (amount: number): Promise<void> => {
    await client.dev.faucet({ address: RECEIVER, amount: String(amount) })
    await client.dev.mine({ blocks: 1 })
  }
  return {
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    client,
    receiver,
    ...webhooksOf(service),
    upToDate,
    pay,
    /** Makes blocks until the index has removed one and all before it. */
    async removed(seqno: number) {
      await client.dev.mine({ blocks: 40 })
      await client.dev.increaseTime({ seconds: 2 * 3600 })
      await client.dev.mine({ blocks: 3 })
      await eventually(async () => (seqnoOf((await ends()).first) > seqno ? true : undefined))
      return await upToDate()
    },
  }
}

test('an endpoint that was down for longer than the index keeps blocks hears so once, and then of what is new', async () => {
  await using scene = await openScene()
  const { receiver, add, send, upToDate, pay, removed } = scene
  const from_mc_seqno = await upToDate()
  const { id } = await add(receiver.url, subscription)
  receiver.answer = (res, { body }) => void res.writeHead(body.type === 'events_lost' ? 200 : 503).end()
  await pay(1000)
  await receiver.count(1)
  // So far behind it reads only blocks with an event.
  const newest = await removed(from_mc_seqno + 1)
  await send('POST', `/webhooks/${id}/back-online`)
  const isLost = ({ body }: (typeof receiver.all)[number]): boolean => body.type === 'events_lost'
  await eventually(() => (receiver.all.some(isLost) ? true : undefined))
  receiver.answer = (res) => void res.writeHead(200).end()
  await pay(2000)
  const last = await eventually(() => {
    const found = receiver.all.findIndex(isLost)
    return receiver.all.length > found + 1 ? receiver.all.slice(found) : undefined
  })
  const { mc_seqno, ...lost } = last[0]?.body ?? {}
  expect(lost).toEqual({ type: 'events_lost', from_mc_seqno })
  // It may have been tried again by itself before the last of those blocks.
  expect(mc_seqno).toBeGreaterThan(from_mc_seqno + 1)
  expect(mc_seqno).toBeLessThanOrEqual(newest)
  expect(last.slice(1).map(({ body }) => body.transactions)).toEqual([
    [expect.objectContaining({ in_msg: expect.objectContaining({ value: '2000' }) })],
  ])
})

test('one that had nothing to post meanwhile has lost nothing when its delivery begins anew', async () => {
  await using scene = await openScene()
  const { receiver, add, send, upToDate, pay, removed } = scene
  const seqno = await upToDate()
  const { id } = await add(receiver.url, subscription)
  await removed(seqno + 1)
  await send('POST', `/webhooks/${id}/subscribe-new-contracts`)
  await pay(2000)
  const [first] = await receiver.count(1)
  expect(first?.body.type).toBe('transactions')
})
