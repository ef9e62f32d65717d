// Subscriptions to all accounts: who may have them, what comes, and what happens when the right to them is taken away.

import { expect, test } from 'vitest'
import { createFileKeyStore } from '../../../server/access/index.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { post } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket, openWallet } from '../../setup/streams.ts'
import { textReader } from '../../setup/textReader.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const TOKEN = 'a-token-of-an-operator'
/** A machine that does much else may leave two pings of less unanswered. */
const STREAMS = { streamKeepaliveMs: 500, streamPingMs: 500, pingMs: 500 }
const config = { mining: 'manual', webhookPrivate: true } as const
const local = forAllTests(() => serve({ withIndex: true, config }))
const guarded = forAllTests(() =>
  serve({ withIndex: true, config: { ...config, limits: 'on', adminToken: TOKEN }, limits: STREAMS }),
)

const A = `0:${'A1'.repeat(32)}`
const B = `0:${'B2'.repeat(32)}`
const ALL = { types: ['transactions', 'account_state_change'], addresses: ['*'] }
/** Messages of all accounts, and those of one. */
const MESSAGES = { types: ['messages'], opcodes: ['0x0f8a7ea5'] }
const OF_ONE = { ...MESSAGES, addresses: [A] }
const NO_RIGHT =
  'addresses: "*", or opcodes alone, needs a key that may follow all accounts; an operator issues one with --all-accounts on'

const accountsIn = (notices: readonly Frame[]) =>
  notices.flatMap(({ account, transactions }) =>
    ((transactions as Frame[] | undefined) ?? [{ account }]).map((one) => one.account),
  )
const heads = (notices: readonly Frame[]) => notices.filter(({ type }) => type === 'heads').length

test('a program of this machine follows a devnet without a key, each notification once, also after it was away', async () => {
  const { send, mine, raw } = await openWallet(local())
  const live = await openSocket(local())
  expect(await live.say('subscribe', { ...ALL, types: [...ALL.types, 'heads'] })).toMatchObject({
    status: 'subscribed',
  })
  const events = await openEvents(local(), ALL)
  await events.frames.count(1)
  await send(A)
  await mine()
  await send(B)
  await mine()
  await eventually(() => heads(live.notices()) >= 2 || undefined)
  const heard = live.notices().filter(({ type }) => type !== 'heads')
  expect(accountsIn(heard)).toEqual(expect.arrayContaining([raw, A, B]))
  expect(accountsIn(heard.filter(({ type }) => type === 'transactions'))).toEqual([A, raw, B, raw])
  await events.frames.count(1 + heard.length)
  expect(events.notices()).toEqual(heard)
  for (const at of [0, 2, heard.length - 2]) {
    const later = await openEvents(local(), { ...ALL, after: heard[at]?.cursor })
    await later.frames.count(heard.length - at)
    expect(later.notices()).toEqual(heard.slice(at + 1))
  }
  await live.say('unsubscribe', { addresses: ['*'] })
  await send(A)
  await mine()
  await eventually(() => heads(live.notices()) >= 3 || undefined)
  expect(live.notices().filter(({ type }) => type !== 'heads')).toEqual(heard)
})

test('"*" stands alone', async () => {
  const socket = await openSocket(local())
  const alone = 'addresses: "*" stands for all accounts, and cannot be listed with others'
  for (const addresses of [
    ['*', A],
    [A, ' * '],
  ])
    expect((await socket.say('subscribe', { ...ALL, addresses })).error).toBe(alone)
  expect((await socket.say('subscribe', { ...ALL, addresses: ['*', '*'] })).error).toBeUndefined()
  expect((await socket.say('subscribe', { ...ALL, addresses: ['**'] })).error).toBe('invalid address: **')
})

test('elsewhere only a key that may has it, on each transport and by webhooks', async () => {
  const [plain, allowed] = await Promise.all([
    guarded().newKey({ plan: 'advanced' }),
    guarded().newKey({ plan: 'advanced', allAccounts: true }),
  ])
  const receiver = await openReceiver()
  const tries = async (key: string, wish: Frame) => {
    const headers = { 'X-API-Key': key }
    const socket = await openSocket(guarded(), '/api/streaming/v2/ws', { headers })
    const { error } = await socket.say('subscribe', wish)
    const events = await openEvents(guarded(), wish, headers)
    const rpc = await openSocket(guarded(), '/jsonRPC', { headers })
    rpc.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.subscribe', params: wish }))
    const reply = await rpc.frames.first(({ id }) => id === 1)
    const hook = { endpoint: receiver.url, subscription: wish }
    const added = await webhooksOf(guarded(), key).send('POST', '/webhooks', hook)
    socket.socket.terminate()
    events.cut()
    rpc.socket.terminate()
    return [error, events.reply.status, (reply.error as Frame | undefined)?.message, added.status]
  }
  const refused = `Invalid params: ${NO_RIGHT}`
  const isHad = [undefined, 200, undefined, 200]
  expect(await eventually(() => tries(plain.key, ALL).catch(() => undefined))).toEqual([NO_RIGHT, 400, refused, 422])
  expect(await tries(allowed.key, ALL)).toEqual(isHad)
  expect(await tries(plain.key, MESSAGES)).toEqual([NO_RIGHT, 400, refused, 422])
  expect(await tries(plain.key, OF_ONE)).toEqual(isHad)
  expect(await tries(allowed.key, MESSAGES)).toEqual(isHad)
  // A program of this machine, without a key, where limits are on and where they are not.
  expect((await (await openSocket(guarded())).say('subscribe', MESSAGES)).error).toBe(NO_RIGHT)
  expect((await (await openSocket(local())).say('subscribe', MESSAGES)).error).toBeUndefined()
})

test('a key that loses the right loses its streams, with the reason, and gets none again until it has it', async () => {
  const { key, id } = await guarded().newKey({ plan: 'advanced', allAccounts: true })
  const headers = { 'X-API-Key': key }
  const open = () => openSocket(guarded(), '/api/streaming/v2/ws', { headers })
  const socket = await eventually(() => open().catch(() => undefined))
  await socket.say('subscribe', ALL)
  const other = await open()
  await other.say('subscribe', { ...ALL, addresses: [A] })
  const messages = await open()
  await messages.say('subscribe', MESSAGES)
  const events = await openEvents(guarded(), ALL, headers)
  const rpc = await openSocket(guarded(), '/jsonRPC', { headers })
  rpc.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.subscribe', params: ALL }))
  await rpc.frames.first((frame) => frame.id === 1)

  const admin = { 'X-Admin-Token': TOKEN }
  const changed = await post(guarded(), `/api/admin/keys/${id}/change`, { all_accounts: false }, admin)
  expect([changed.status, changed.body.keys]).toEqual([200, [expect.objectContaining({ id, all_accounts: false })]])
  await Promise.all([socket.frames.end(), messages.frames.end(), events.frames.end(), rpc.frames.end()])
  expect([socket.closed, messages.closed, rpc.closed]).toEqual(Array(3).fill({ code: 1008, reason: NO_RIGHT }))
  expect(events.raw.text).toContain(`event: error\ndata: ${JSON.stringify({ error: NO_RIGHT })}`)
  expect((await other.say('ping')).status).toBe('pong')
  // An open connection has its caller cached for a moment, a new one does not.
  const later = await open()
  expect((await later.say('subscribe', ALL)).error).toBe(NO_RIGHT)

  await createFileKeyStore(guarded().data).change(id, { allAccounts: true })
  await eventually(async () => (await later.say('subscribe', ALL)).status)
})

test('all who follow all accounts share what is made of a subject', () => {
  const routes = new RoutesToMany()
  const readers = Array.from({ length: 200 }, () =>
    textReader([], { types: new Set(['transactions']), addresses: new Set(['*']) }),
  )
  for (const one of readers) routes.add(one)
  const audience = routes.ofParts(Array.from({ length: 2000 }, (_, i) => [`${i}`]))
  expect(audience.size).toBe(200)
  const [first] = audience.values()
  expect(first).toHaveLength(2000)
  for (const parts of audience.values()) expect(parts).toBe(first)
})
