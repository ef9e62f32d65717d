// Blocks that are undone while something of them is being posted: the receiver is told, and hears all that takes their place.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`

async function openScene() {
  const service = await serve({ withIndex: true, config: { mining: 'manual', webhookPrivate: true } })
  const { client } = await openWallet(service)
  const receiver = await openReceiver()
  const webhooks = webhooksOf(service)
  const indexed = async (): Promise<unknown> =>
    ((await ask(service, '/api/v3/masterchainInfo')).body.last as Frame | undefined)?.seqno
  const upToDate = async () => {
    const { last } = await client.getMasterchainInfo()
    await eventually(async () => ((await indexed()) === last.seqno ? true : undefined))
  }
  return {
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    client,
    receiver,
    webhooks,
    upToDate,
    async pay(amount: number) {
      await client.dev.faucet({ address: RECEIVER, amount: String(amount) })
      await client.dev.mine({ blocks: 1 })
    },
    /** What was posted, with a transaction by its value. */
    heard: () =>
      receiver.all.map(({ body }) => {
        const [transaction] = (body.transactions ?? []) as readonly Frame[]
        return transaction === undefined ? body : Number((transaction.in_msg as Frame).value)
      }),
  }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const subscription = { types: ['transactions'], addresses: [RECEIVER] }

test('what is being posted when it is undone is not posted again, also to a webhook made in blocks that are undone', async () => {
  await using scene = await openScene()
  const { client, receiver, webhooks, upToDate, pay, heard } = scene
  const { id } = await client.dev.snapshot()
  const { last } = await client.getMasterchainInfo()
  await client.dev.mine({ blocks: 2 })
  await upToDate()
  await webhooks.add(receiver.url, subscription)
  let fail = (): void => undefined
  receiver.answer = (res) => {
    fail = () => void res.destroy()
  }
  await pay(1000)
  await receiver.count(1)
  await client.dev.revert({ id })
  await upToDate()
  for (const amount of [2000, 3000, 4000]) await pay(amount)
  await upToDate()
  receiver.answer = (res) => void res.writeHead(200).end()
  fail()
  await receiver.count(5)
  expect(heard()).toEqual([1000, { type: 'chain_reverted', mc_seqno: last.seqno }, 2000, 3000, 4000])
})

/** Posts a payment that gets no answer, undoes its block, and has the delivery begin anew with another payment. */
async function undoAfterPost(
  { client, receiver, webhooks, upToDate, pay }: Scene,
  what: { id: string; webhook: number },
) {
  receiver.answer = () => undefined
  await pay(1000)
  await receiver.count(1)
  await client.dev.revert({ id: what.id })
  await upToDate()
  receiver.answer = (res) => void res.writeHead(200).end()
  // From then on it is delivered by what is stored of it, as after a restart.
  const accounts = [{ account_id: `0:${'AC'.repeat(32)}` }]
  await webhooks.send('POST', `/webhooks/${what.webhook}/account-tx/subscribe`, { accounts })
  await pay(2000)
  await upToDate()
  await receiver.count(3)
}

test('what may have arrived is called off by a delivery that begins anew', async () => {
  await using scene = await openScene()
  const { client, receiver, webhooks, upToDate, heard } = scene
  await client.dev.mine({ blocks: 1 })
  await upToDate()
  const { last } = await client.getMasterchainInfo()
  const { id: webhook } = await webhooks.add(receiver.url, subscription)
  const { id } = await client.dev.snapshot()
  await undoAfterPost(scene, { id, webhook })
  expect(heard()).toEqual([1000, { type: 'chain_reverted', mc_seqno: last.seqno }, 2000])
})

test('a webhook whose first block is undone goes on from a block below it, also when its delivery begins anew', async () => {
  await using scene = await openScene()
  const { client, receiver, webhooks, upToDate, pay, heard } = scene
  await client.dev.mine({ blocks: 20 })
  await pay(500)
  const { last } = await client.getMasterchainInfo()
  await client.dev.mine({ blocks: 5 })
  const { id } = await client.dev.snapshot()
  await client.dev.mine({ blocks: 2 })
  await upToDate()
  const { id: webhook } = await webhooks.add(receiver.url, subscription)
  await undoAfterPost(scene, { id, webhook })
  expect(heard()).toEqual([1000, { type: 'chain_reverted', mc_seqno: expect.any(Number) }, 2000])
  // Near the block that was there already, not one long ago.
  expect(receiver.all[1]?.body.mc_seqno).toBeGreaterThan(last.seqno)
})

test('blocks that were looked for in advance, and undone since, are looked for again', async () => {
  await using scene = await openScene()
  const { client, receiver, webhooks, upToDate, pay, heard } = scene
  const { id: webhook } = await webhooks.add(receiver.url, subscription)
  let answer = (): void => undefined
  receiver.answer = (res) => {
    answer = () => void res.writeHead(200).end()
  }
  await pay(1000)
  await receiver.count(1)
  await client.dev.mine({ blocks: 40 })
  const { id } = await client.dev.snapshot()
  await pay(2000)
  await client.dev.mine({ blocks: 10 })
  await upToDate()
  // So far behind it reads only blocks with an event.
  const accounts = [{ account_id: `0:${'AC'.repeat(32)}` }]
  await webhooks.send('POST', `/webhooks/${webhook}/account-tx/subscribe`, { accounts })
  await receiver.count(2)
  await client.dev.revert({ id })
  await client.dev.mine({ blocks: 3 })
  await pay(3000)
  await client.dev.mine({ blocks: 40 })
  await upToDate()
  receiver.answer = (res) => void res.writeHead(200).end()
  answer()
  await receiver.count(3)
  // Also after many blocks without an event.
  await pay(4000)
  await receiver.count(4)
  expect(heard()).toEqual([1000, 1000, 3000, 4000])
})
