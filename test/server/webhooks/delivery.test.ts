// Webhooks delivered to real receivers: in order, at least once, signed, and each without harm to the others.

import { expect, onTestFinished, test, vi } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet, shortOf } from '../../setup/streams.ts'
import { isSigned, openReceiver, openTalker, webhooksOf } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', webhookPrivate: true } }))
let opened: ReturnType<typeof openWallet> | null = null
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}
/** Programs on this machine need no key on an embedded chain. */
const own = async () => {
  await wallet()
  return webhooksOf(service())
}

async function transfer(count: number): Promise<void> {
  const { send, mine } = await wallet()
  for (let i = 0; i < count; i++) {
    await send(RECEIVER, { comment: `number ${i}` })
    await mine()
  }
}

const everything = { types: ['transactions', 'actions', 'account_state_change'], addresses: [RECEIVER] }

test('what a stream sends arrives in the same order, signed', async () => {
  const { add } = await own()
  const receiver = await openReceiver()
  const { secret, token } = await add(receiver.url, everything)
  await wallet()
  const stream = await openSocket(service())
  await stream.say('subscribe', everything)
  await transfer(4)
  const heard = await eventually(() => (stream.notices().length >= 12 ? stream.notices() : undefined))
  const posted = await receiver.count(heard.length)
  expect(posted.map(({ body }) => body)).toEqual(heard)
  expect(posted.every((one) => isSigned(one, secret))).toBe(true)
  expect(posted.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true)
  expect(posted[0]?.headers['x-event-type']).toBe('transactions')
  expect(isSigned(posted[0] ?? { path: '', text: '', body: {}, headers: {} }, 'another')).toBe(false)
})

test('events of accounts, opcodes and new contracts, in the form of another service', async () => {
  const { add, send } = await own()
  const receiver = await openReceiver()
  const { id } = await add(receiver.url)
  const accounts = [{ account_id: RECEIVER }]
  expect((await send('POST', `/webhooks/${id}/account-tx/subscribe`, { accounts })).body).toEqual({})
  expect((await send('POST', `/webhooks/${id}/subscribe-msg-opcode/0x00000000`)).body).toEqual({})
  await transfer(2)
  const posted = (await receiver.count(4)).map(({ body }) => body)
  const { transactions } = (await ask(service(), `/api/v3/transactions?account=${RECEIVER}&limit=2&sort=desc`))
    .body as {
    transactions?: Frame[]
  }
  const ofAccount = posted.filter(({ event_type }) => event_type === 'account_tx')
  expect(ofAccount.map(({ tx_hash }) => Buffer.from(String(tx_hash), 'hex').toString('base64'))).toEqual(
    transactions?.map(({ hash }) => hash).reverse(),
  )
  expect(posted.map(({ event_type }) => event_type)).toEqual(['account_tx', 'opcode_msg', 'account_tx', 'opcode_msg'])
  const listed = (await send('GET', `/webhooks/${id}/account-tx/subscriptions`)).body
  expect(listed).toEqual({
    account_tx_subscriptions: [{ account_id: RECEIVER.toLowerCase(), last_delivered_lt: ofAccount[1]?.lt }],
  })
  await send('POST', `/webhooks/${id}/account-tx/unsubscribe`, { accounts: [RECEIVER] })
  await send('POST', `/webhooks/${id}/unsubscribe-msg-opcode/0x0`)
  const gone = await send('GET', `/webhooks/${id}/account-tx/subscriptions`)
  expect(gone.body).toEqual({ account_tx_subscriptions: [] })
})

test('an endpoint that fails is tried again until it takes the event, and no other waits for it', async () => {
  const { add, one, send } = await own()
  const [failing, hanging, well] = await Promise.all([openReceiver(), openReceiver(), openReceiver()])
  // The second attempt is held, so that no pause ends before the webhook is set back online.
  failing.answer = (res) => void (failing.all.length === 1 && res.writeHead(500).end('no'))
  hanging.answer = () => undefined
  const types = { types: ['transactions'], addresses: [RECEIVER] }
  const { id } = await add(failing.url, types)
  await add(hanging.url, types)
  await add(well.url, types)
  await transfer(3)
  await well.count(3)
  await failing.count(2)
  const offline = await eventually(async () => {
    const row = await one(id)
    return row.status === 'offline' ? row : undefined
  })
  expect(offline).toMatchObject({ reason: 'answered 500', delivered: 0 })
  expect(new Set(hanging.all.map(({ text }) => text)).size).toBe(1)
  failing.answer = (res) => void res.writeHead(204).end()
  expect((await send('POST', `/webhooks/${id}/back-online`)).body).toEqual({})
  await eventually(async () => (Number((await one(id)).delivered) === 3 ? true : undefined))
  expect(await one(id)).toMatchObject({ status: 'online', reason: '', status_failed_attempts: 0 })
  const taken = failing.all.slice(-3)
  expect(taken.map(({ body }) => body)).toEqual(well.all.map(({ body }) => body))
  const refused = failing.all.slice(0, -3)
  expect(refused).toHaveLength(2)
  expect(new Set(refused.map(({ text }) => text))).toEqual(new Set([taken[0]?.text]))
  expect(refused[0]?.headers['idempotency-key']).toBe(taken[0]?.headers['idempotency-key'])
  const { deliveries } = (await send('GET', `/webhooks/${id}/deliveries`)).body as { deliveries?: Frame[] }
  expect(deliveries?.slice(0, 3).map(({ status, attempt }) => [status, attempt])).toEqual(
    [1, 1, 1].map((attempt) => [204, attempt]),
  )
  const { logs } = (await send('GET', `/webhooks/${id}/logs`)).body as { logs?: Frame[] }
  expect(logs).toHaveLength(1)
  expect(logs?.[0]).toMatchObject({ event_type: 'transactions', message: expect.stringContaining('answered 500') })
})

test('an endpoint that switches protocols fails as others do, and its webhook can be removed', async () => {
  const { add, one, send } = await own()
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  const wish = { types: ['transactions'], addresses: [RECEIVER] }
  const { id } = await add(await openTalker((socket) => void socket.write(switched)), wish)
  await transfer(1)
  await eventually(async () => ((await one(id)).status === 'offline' ? true : undefined))
  await send('DELETE', `/webhooks/${id}`)
  // What was added after that is begun.
  const well = await openReceiver()
  await add(well.url, wish)
  await transfer(1)
  await well.count(1)
})

test('many webhooks of one key post to one endpoint a few at a time, and lose nothing', async () => {
  const { add } = await own()
  const busy = await openReceiver()
  const well = await openReceiver()
  const held: (() => void)[] = []
  busy.answer = (res) => void held.push(() => res.writeHead(200).end())
  const wish = { types: ['transactions'], addresses: [RECEIVER] }
  for (let i = 0; i < 20; i++) await add(busy.url, wish)
  await add(well.url, wish)
  await transfer(1)
  // The last one that was added is not behind the others.
  await well.count(1)
  await busy.count(8)
  for (let done = 0; done < 20; done++) {
    await busy.count(Math.min(8 + done, 20))
    expect(busy.all.length - done).toBeLessThanOrEqual(8)
    held[done]?.()
  }
  expect(new Set(busy.all.map(({ text }) => text))).toEqual(new Set([well.all[0]?.text]))
})

test('what waits for another attempt does not wait until a clock that was set back has caught up', async () => {
  const { add, one, send } = await own()
  const receiver = await openReceiver()
  receiver.answer = (res) => void res.writeHead(500).end('no')
  const { id } = await add(receiver.url, { types: ['transactions'], addresses: [RECEIVER] })
  await transfer(1)
  await receiver.count(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  // The pauses are a second, five, and twenty.
  await receiver.count(2)
  await eventually(async () => (Number((await one(id)).status_failed_attempts) >= 2 ? true : undefined))
  vi.useRealTimers()
  receiver.answer = (res) => void res.writeHead(200).end()
  // From then on it is delivered by what is stored of it, as after a restart.
  await send('POST', `/webhooks/${id}/account-tx/subscribe`, { accounts: [{ account_id: `0:${'AC'.repeat(32)}` }] })
  await eventually(async () => (Number((await one(id)).delivered) === 1 ? true : undefined))
})

test('blocks that are undone are reported, and those in their place are delivered', async () => {
  const { add } = await own()
  const receiver = await openReceiver()
  const { client } = await wallet()
  await add(receiver.url, { types: ['transactions'], addresses: [RECEIVER] })
  const { id } = await client.dev.snapshot()
  await transfer(2)
  await receiver.count(2)
  await client.dev.revert({ id })
  const posted = await receiver.count(3)
  expect(posted.map(({ body }) => shortOf(body))).toEqual([
    'transactions finalized',
    'transactions finalized',
    'chain_reverted',
  ])
})
