// A revert while no stream is open: a stream that then resumes at an undone block is refused, and nothing of that block is sent.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const order = { types: ['transactions'], addresses: [RECEIVER] }

test('a cursor of a block that was undone while nobody followed is not known', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { client, mine } = await openWallet(service)
  const pay = async (amount: number): Promise<void> => {
    await client.dev.faucet({ address: RECEIVER, amount: String(amount) })
    await mine()
  }
  const { id } = await client.dev.snapshot()
  const stream = await openSocket(service)
  await stream.say('subscribe', order)
  for (const amount of [1000, 2000]) await pay(amount)
  const isPayment = ({ cursor, type }: Frame) => cursor !== undefined && type === 'transactions'
  const { cursor } = await stream.frames.first(isPayment)
  await eventually(() => (stream.notices().filter(isPayment).length === 2 ? true : undefined))
  stream.socket.terminate()
  await eventually(async () =>
    (await (await fetch(`${service.url}/metrics`)).text()).includes('tonrpc_stream_connections 0') ? true : undefined,
  )
  await client.dev.revert({ id })
  for (const amount of [3000, 4000, 5000]) await pay(amount)
  await client.dev.mine({ blocks: 5 })
  const { last } = await client.getMasterchainInfo()
  await eventually(async () => {
    const known = (await ask(service, '/api/v3/masterchainInfo')).body.last as Frame | undefined
    return known?.seqno === last.seqno ? true : undefined
  })
  const back = await openSocket(service)
  expect(await back.say('subscribe', { ...order, after: cursor })).toMatchObject({
    error: 'cursor is not known: read v3 and subscribe without it',
  })
})
