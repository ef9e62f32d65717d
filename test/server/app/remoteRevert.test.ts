// A second process over the lite servers of an embedded chain that is reverted: it follows, whether the chain is lower, as high or
// higher then, with its index, its streams and the messages that were sent through it.

import { expect, test } from 'vitest'
import { ask, sendAndWait } from '../../setup/calls.ts'
import { gaugeOf } from '../../setup/gauge.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`

const services = forAllTests(async () => {
  const owner = await serve({ withIndex: true, config: { mining: 'manual', litePort: '0' } })
  const liteservers = `${owner.url}/global.config.json`
  const config = { network: 'custom', liteservers, limits: 'off', indexFrom: '1' } as const
  const second = await serve({ withIndex: true, config })
  return {
    owner,
    second,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]()
      await owner[Symbol.asyncDispose]()
    },
  }
})

interface Named {
  readonly seqno: number
  readonly root_hash: string
}

/** Resolves when chain and index of the second process, and the index of the first, are at the newest block of the first. */
async function followed(): Promise<Named> {
  const { owner, second } = services()
  const lastOf = async (where: typeof owner, path: string) => {
    const { status, body } = await ask(where, path)
    // Never an error of this service's own, whatever happens to the chain meanwhile.
    expect([200, 503]).toContain(status)
    return ((body.result as { last: Named } | undefined) ?? (body as unknown as { last?: Named })).last
  }
  return await eventually(async () => {
    const wanted = await lastOf(owner, '/api/v2/getMasterchainInfo')
    const index = '/api/v3/masterchainInfo'
    const found = [
      await lastOf(second, '/api/v2/getMasterchainInfo'),
      await lastOf(second, index),
      await lastOf(owner, index),
    ]
    return found.every((one) => one?.root_hash === wanted?.root_hash) ? wanted : undefined
  })
}

test('chain and index follow a chain that is lower, as high, and higher', async () => {
  const { owner, second } = services()
  const { client } = await openWallet(owner)
  const stream = await openSocket(second)
  await followed()
  expect(await stream.say('subscribe', { types: ['blocks'] })).toMatchObject({ status: 'subscribed' })
  for (const blocks of [0, 1, 4, 9]) {
    const { id } = await client.dev.snapshot()
    await client.dev.faucet({ address: RECEIVER, amount: '1000000000' })
    await client.dev.mine({ blocks: 3 })
    const { seqno } = await followed()
    const [undone] = (await client.v3.transactions({ account: [RECEIVER], limit: 1, sort: 'desc' })).transactions
    await client.dev.revert({ id })
    await client.dev.increaseTime({ seconds: 5 })
    if (blocks > 0) await client.dev.mine({ blocks })
    const last = await followed()
    if (blocks < 2) expect(last.seqno).toBeLessThan(seqno)
    const { body } = await ask(second, `/api/v3/transactions?hash=${encodeURIComponent(undone?.hash ?? '')}`)
    expect(body.transactions).toEqual([])
    await stream.frames.first(({ type, mc_seqno: at }) => type === 'chain_reverted' && Number(at) < seqno)
  }
  expect(await ask(second, '/readyz')).toMatchObject({ status: 200 })
})

test('a message whose block was undone is pending no more and is sent again, also when the lower chain was not seen', async () => {
  const { owner, second } = services()
  const wallet = await openWallet(owner)
  const wait = (boc: string) => sendAndWait(second, { boc })
  const isSent = () => eventually(async () => (await wallet.client.dev.state()).pending === 1 || undefined)
  const pending = async () => (await ask(second, `/api/v3/pendingTransactions?account=${wallet.raw}`)).status
  const boc = wallet.sign(RECEIVER)
  for (const blocks of [0, 9]) {
    const { id } = await wallet.client.dev.snapshot()
    const end = wait(boc)
    await Promise.race([isSent(), end])
    await wallet.mine()
    expect(await end).toMatchObject({ status: 200, body: { status: 'finalized' } })
    expect(await pending()).toBe(404)
    await wallet.client.dev.revert({ id })
    await wallet.client.dev.increaseTime({ seconds: 5 })
    if (blocks > 0) await wallet.client.dev.mine({ blocks })
  }
  const end = wait(boc)
  await Promise.race([isSent(), end])
  await wallet.mine()
  expect(await end).toMatchObject({ status: 200, body: { status: 'finalized' } })
})

test('what was sent before a revert is pending no more, and does not come back, unless it waited at the snapshot', async () => {
  const { owner, second } = services()
  const wallet = await openWallet(owner)
  await wallet.mine()
  await followed()
  const { body } = await ask(owner, `/api/v3/walletInformation?address=${wallet.raw}`)
  for (let used = Number(body.seqno ?? 0); used > 0; used--) wallet.sign(RECEIVER)
  const send = (by: typeof owner, boc: string) => sendAndWait(by, { boc, wait: 'pending' })
  const pendingAt = async (by: typeof owner) =>
    ((await ask(by, `/api/v3/pendingTraces?account=${wallet.raw}`)).body.traces as unknown[]).length
  const listed = async () => [await pendingAt(owner), await pendingAt(second)]
  const repeated = () => gaugeOf(second, 'tonrpc_sent_messages_waiting')
  const { id } = await wallet.client.dev.snapshot()
  expect((await send(second, wallet.sign(RECEIVER))).status).toBe(200)
  await wallet.mine()
  await followed()
  expect((await send(owner, wallet.sign(RECEIVER))).status).toBe(200)
  await wallet.client.dev.revert({ id })
  await followed()
  expect([await listed(), await repeated()]).toEqual([[0, 0], 0])
  expect((await wallet.client.dev.state()).pending).toBe(0)

  const again = await openWallet(owner)
  for (let used = Number(body.seqno ?? 0); used > 0; used--) again.sign(RECEIVER)
  expect((await send(owner, again.sign(RECEIVER))).status).toBe(200)
  await wallet.client.dev.revert({ id: (await wallet.client.dev.snapshot()).id })
  expect(await listed()).toEqual([1, 0])
  await wallet.mine()
  await followed()
  expect(await listed()).toEqual([0, 0])
})
