// Whose webhooks they are, what is refused, and what is never shown.

import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { createFileKeyStore } from '../../../server/access/index.ts'
import type { Log } from '../../../server/observe/index.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openWallet } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const logged: string[] = []

function logInto(lines: string[]): Log {
  const note = (...words: unknown[]): void => void lines.push(inspect(words, { depth: 9 }))
  return { trace: note, debug: note, info: note, warn: note, error: note, fatal: note }
}

const service = forAllTests(async () => {
  return await serve({
    withIndex: true,
    log: logInto(logged),
    config: { mining: 'manual', webhookPrivate: true },
  })
})

/** A key of its own, once the service knows it and the index has begun. */
async function withKey(plan: 'free' | 'custom' = 'custom', allAccounts = false) {
  const { key, id } = await service().newKey({ plan, perSecond: plan === 'custom' ? 100_000 : null, allAccounts })
  const calls = webhooksOf(service(), key)
  await eventually(async () => ((await calls.send('GET', '/webhooks')).status === 200 ? true : undefined))
  await eventually(async () => ((await service().readiness()).ready ? true : undefined))
  return { ...calls, key, id }
}

let wallet: ReturnType<typeof openWallet> | null = null
/** One for all tests: it counts what it has sent. */
const sender = () => {
  wallet ??= openWallet(service())
  return wallet
}

test('without a key nothing is served, and another key sees nothing', async () => {
  expect(await ask(service(), '/webhooks', { headers: { Origin: 'https://example.com' } })).toMatchObject({
    status: 401,
  })
  const mine = await withKey()
  const other = await withKey()
  const receiver = await openReceiver()
  const { id } = await mine.add(receiver.url)
  expect((await other.send('GET', '/webhooks')).body).toEqual({ webhooks: [] })
  const paths = ['logs', 'deliveries', 'account-tx/subscriptions', 'msg-opcode/subscriptions']
  for (const path of paths) expect(await other.send('GET', `/webhooks/${id}/${path}`)).toMatchObject({ status: 404 })
  for (const path of ['test', 'back-online', 'generate-new-token', 'subscribe-new-contracts'])
    expect(await other.send('POST', `/webhooks/${id}/${path}`)).toMatchObject({ status: 404 })
  expect(await other.send('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 404 })
  expect(receiver.all).toEqual([])
  const bearer = await ask(service(), '/api/webhooks/v1/webhooks', { headers: { Authorization: `Bearer ${mine.key}` } })
  expect(bearer.body).toMatchObject({ webhooks: [{ id }] })
  expect((await ask(service(), `/webhooks?token=${mine.key}`)).body).toMatchObject({ webhooks: [{ id }] })
  expect((await mine.send('DELETE', `/webhooks/${id}`)).body).toEqual({})
  expect((await mine.send('GET', '/webhooks')).body).toEqual({ webhooks: [] })
})

test('secrets are shown once, and are in no log', async () => {
  const { add, send, one } = await withKey()
  const receiver = await openReceiver()
  const first = await add(receiver.url)
  expect(JSON.stringify(await one(first.id))).not.toContain(first.token)
  const renewed = (await send('POST', `/webhooks/${first.id}/generate-new-token`)).body as { token?: string }
  expect(renewed.token).not.toBe(first.token)
  const tested = await send('POST', `/webhooks/${first.id}/test`)
  expect(tested.body).toMatchObject({ status: 200, error: '' })
  expect(receiver.all[0]?.body).toEqual({ type: 'test', webhook_id: first.id })
  expect(receiver.all[0]?.headers.authorization).toBe(`Bearer ${renewed.token}`)
  receiver.answer = (res) => void res.writeHead(503).end()
  expect((await send('POST', `/webhooks/${first.id}/test`)).body).toMatchObject({ status: 503, error: 'answered 503' })
  const all = logged.join('')
  for (const secret of [first.token, first.secret, String(renewed.token)]) expect(all).not.toContain(secret)
})

test('a subscription may have a number of any length in a member that nobody reads', async () => {
  const { key, send } = await withKey()
  const { url } = await openReceiver()
  const body = `{"endpoint":${JSON.stringify(url)},"subscription":{"types":["blocks"],"id":12345678901234567890}}`
  const made = await ask(service(), '/webhooks', { method: 'POST', body, headers: { 'X-API-Key': key } })
  expect([made.status, made.body.webhook_id]).toEqual([200, expect.any(Number)])
  expect((await send('DELETE', `/webhooks/${made.body.webhook_id}`)).status).toBe(200)
})

test('a subscription is sent as it is stored: one of a megabyte is not written again for each answer', async () => {
  const { add, key } = await withKey()
  const receiver = await openReceiver()
  const subscription = { types: ['blocks'], note: 'long'.repeat(200_000) }
  const { id } = await add(receiver.url, subscription)
  const write = vi.spyOn(JSON, 'stringify')
  const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)
  try {
    const reply = await fetch(`${service().url}/webhooks/${id}`, { headers: { 'X-API-Key': key } })
    const text = await reply.text()
    const written = write.mock.results.map(({ value }) => lengthOf(value))
    expect(Math.max(0, ...written)).toBeLessThan(10_000)
    expect(text).toContain(`"subscription":{"types":["blocks"],"note":"${subscription.note}"}`)
  } finally {
    vi.restoreAllMocks()
  }
})

test('a long subscription is in the answer about its webhook, and not in lists of all', async () => {
  const { add, one, send } = await withKey()
  const { url } = await openReceiver()
  const short = { types: ['transactions'], addresses: [RECEIVER] }
  const long = { ...short, note: 'x'.repeat(1_000_000) }
  const first = await add(url, short)
  const second = await add(url, long)
  expect((await one(first.id)).subscription).toEqual(short)
  const listed = await send('GET', '/webhooks')
  expect(listed.text.length).toBeLessThan(3_000)
  const { subscription_bytes, ...rest } = await one(second.id)
  expect([subscription_bytes, 'subscription' in rest]).toEqual([JSON.stringify(long).length, false])
  expect((await send('GET', `/webhooks/${second.id}`)).body).toEqual({ ...rest, subscription: long })
  expect((await (await withKey()).send('GET', `/webhooks/${second.id}`)).status).toBe(404)
  for (const { id } of [first, second]) await send('DELETE', `/webhooks/${id}`)
})

test('samples are bounded for each caller, and end when the caller is gone', async () => {
  const mine = await withKey()
  const other = await withKey()
  const receiver = await openReceiver()
  let ended = 0
  receiver.answer = (res) => void res.once('close', () => ended++)
  const { id } = await mine.add(receiver.url)
  const theirs = await other.add(receiver.url)
  const left = new AbortController()
  const headers = { 'X-API-Key': mine.key }
  const slow = Array.from({ length: 4 }, () =>
    fetch(`${service().url}/webhooks/${id}/test`, { method: 'POST', headers, signal: left.signal }).catch(() => 'left'),
  )
  await receiver.count(4)
  const refused = await mine.send('POST', `/webhooks/${id}/test`)
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('too many samples')])
  receiver.answer = (res) => void res.writeHead(200).end()
  expect((await other.send('POST', `/webhooks/${theirs.id}/test`)).body).toMatchObject({ status: 200 })
  expect(ended).toBe(0)
  left.abort()
  expect(await Promise.all(slow)).toEqual(['left', 'left', 'left', 'left'])
  await eventually(() => (ended === 4 ? true : undefined))
  const again = async () => (await mine.send('POST', `/webhooks/${id}/test`)).status
  await eventually(async () => ((await again()) === 200 ? true : undefined))
})

test('what is refused says why', async () => {
  const { send } = await withKey('free')
  const receiver = await openReceiver()
  const endpoint = receiver.url
  const addresses = Array.from({ length: 201 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  const cases: readonly (readonly [body: unknown, status: number, words: RegExp])[] = [
    [{}, 422, /endpoint/],
    [{ endpoint: 'ftp://example.com' }, 422, /only https and http/],
    [{ endpoint, subscription: { types: [] } }, 422, /types are required/],
    [{ endpoint, subscription: { types: ['transactions'], addresses: [] } }, 422, /addresses are required/],
    [{ endpoint, subscription: { types: ['transactions'], addresses } }, 422, /too many addresses: 201 > max 200/],
    [{ endpoint, subscription: { types: ['blocks'], min_finality: 'pending' } }, 422, /only finalized/],
    [{ endpoint, description: 'x'.repeat(300) }, 422, /description/],
    [{ endpoint, description: 'a\0b' }, 422, /description: must have no character U\+0000/],
    [{ endpoint, description: 'a\ud800' }, 422, /description: must have no character .* or lone surrogate/],
    [{ endpoint: `${endpoint}/\0` }, 422, /endpoint: must have no character U\+0000/],
  ]
  for (const [body, status, words] of cases) {
    const refused = await eventually(async () => {
      const answer = await send('POST', '/webhooks', body)
      return answer.status === 429 ? undefined : answer
    })
    expect([refused.status, refused.text]).toEqual([status, expect.stringMatching(words)])
  }
  const patiently = async (verb: string, path: string, body?: unknown) =>
    await eventually(async () => {
      const answer = await send(verb, path, body)
      return answer.status === 429 ? undefined : answer
    })
  for (let i = 0; i < 5; i++) expect(await patiently('POST', '/webhooks', { endpoint })).toMatchObject({ status: 200 })
  expect(await patiently('POST', '/webhooks', { endpoint })).toMatchObject({
    status: 409,
    text: expect.stringContaining('5 at most'),
  })
  expect(await patiently('PUT', '/webhooks')).toMatchObject({ status: 405 })
  expect(await patiently('PUT', '/webhooks/999999999999')).toMatchObject({ status: 405 })
  expect(await patiently('GET', '/webhooks/999999999999')).toMatchObject({ status: 404 })
  expect(await patiently('GET', '/webhooks/1/nothing')).toMatchObject({ status: 404 })
})

test('webhooks of a revoked key rest', async () => {
  const { add, id } = await withKey()
  const resting = await openReceiver()
  const well = await openReceiver()
  const other = await withKey()
  const subscription = { types: ['transactions'], addresses: [RECEIVER] }
  await add(resting.url, subscription)
  await other.add(well.url, subscription)
  await service().revoke(id)
  const { send, mine } = await sender()
  // Within a second or two: until then both are delivered. That one post comes after the other's says nothing.
  await eventually(async () => {
    const before = resting.all.length
    for (let i = 0; i < 3; i++) {
      const count = well.all.length
      await send(RECEIVER)
      await mine()
      await well.count(count + 1)
    }
    return resting.all.length === before ? true : undefined
  })
})

test('webhooks of all accounts rest while their key may not follow these, and miss nothing', async () => {
  const { add, id } = await withKey('custom', true)
  const keys = createFileKeyStore(service().data)
  const ofAll = await openReceiver()
  const ofOne = await openReceiver()
  const messages = await openReceiver()
  await add(ofAll.url, { types: ['transactions'], addresses: ['*'] })
  await add(messages.url, { types: ['messages'], opcodes: [0] })
  await add(ofOne.url, { types: ['transactions'], addresses: [RECEIVER] })
  const { send, mine } = await sender()
  const transfer = async (): Promise<void> => {
    const count = ofOne.all.length
    await send(RECEIVER)
    await mine()
    await ofOne.count(count + 1)
  }
  await transfer()
  await ofAll.count(1)
  await messages.count(1)
  await keys.change(id, { allAccounts: false })
  await eventually(async () => {
    const before = ofAll.all.length + messages.all.length
    for (let i = 0; i < 3; i++) await transfer()
    return ofAll.all.length + messages.all.length === before ? true : undefined
  })
  await keys.change(id, { allAccounts: true })
  await ofAll.count(ofOne.all.length)
  await messages.count(ofOne.all.length)
})
