// A first service whose answers cannot be read, or lack some: the page of a proxy, another service, one that is broken.

import { expect, test } from 'vitest'
import { createClient, fallback, postTransport } from '../../client/index.ts'
import { failure, normally, perItem, raw, type StubApi, type StubService, startStub } from './stubService.ts'

const over = (...stubs: readonly StubService[]) => fallback(stubs.map(({ url }) => postTransport({ url })))
const counts = (...stubs: readonly StubService[]) => stubs.map(({ messages }) => messages.length)

test.each([
  ['a page', '<h1>Back soon</h1>'],
  ['nothing', ''],
  ['other JSON', { message: 'hello' }],
  ['no reply', []],
])('behavior: one that answers with %s has failed: the next is called, first from then on', async (_, body) => {
  await using first = await startStub(raw(200, body))
  await using second = await startStub()
  const client = createClient<StubApi>({ transport: over(first, second), retry: false })
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
  expect(await client.echo({ value: 2 })).toEqual({ value: 2 })
  expect(counts(first, second)).toEqual([1, 2])
})

test('behavior: of half a batch the next is called for the other half, and first from then on', async () => {
  await using first = await startStub(perItem((item, index) => (index === 0 ? normally(item) : null)))
  await using second = await startStub()
  const client = createClient<StubApi>({ transport: over(first, second), retry: false })
  expect(await Promise.all([client.echo({ value: 1 }), client.echo({ value: 2 })])).toEqual([
    { value: 1 },
    { value: 2 },
  ])
  expect(second.messages).toMatchObject([{ isBatch: false, items: [{ params: { value: 2 } }] }])
  await client.echo({ value: 3 })
  expect(counts(first, second)).toEqual([1, 2])
})

test('error: what changes something each time, and messages, may have run without their reply', async () => {
  await using first = await startStub(
    raw(200, '<h1>'),
    perItem((item, index) => (index === 0 ? normally(item) : null)),
  )
  await using second = await startStub()
  const client = createClient<StubApi>({ transport: over(first, second), retry: false })
  await expect(client.dev.mine()).rejects.toMatchObject({ reason: 'reply', method: 'dev.mine' })
  const requests = ['echo', 'dev.mine', 'sendBoc'].map((method, id) => ({
    jsonrpc: '2.0' as const,
    id,
    method,
    params: {},
  }))
  expect(await over(first, second)(requests, new AbortController().signal)).toMatchObject([{ id: 0 }])
  expect(second.messages).toHaveLength(0)
})

test('error: a message the second refuses may have been taken by the first', async () => {
  await using first = await startStub(raw(200, '<h1>'))
  await using second = await startStub(perItem(({ id }) => failure(id, 'messageRefused')))
  const client = createClient<StubApi & { sendBoc: StubApi['echo'] }>({ transport: over(first, second), retry: false })
  await expect(client.sendBoc()).rejects.toMatchObject({ name: 'TransportError', reason: 'reply' })
})

test('error: a message that the first has no method for may have been taken by a second that failed', async () => {
  await using first = await startStub(perItem(({ id }) => failure(id, 'methodNotFound')))
  await using second = await startStub(raw(502, '<h1>'))
  const client = createClient<StubApi & { sendBoc: StubApi['echo'] }>({ transport: over(first, second), retry: false })
  await expect(client.sendBoc()).rejects.toMatchObject({ name: 'TransportError', status: 502 })
})

test('behavior: a read that the second is too busy for is tried again', async () => {
  await using first = await startStub(raw(200, '<h1>'))
  await using second = await startStub(perItem(({ id }) => failure(id, 'busy')))
  const client = createClient<StubApi>({ transport: over(first, second), retry: { baseMs: 1 } })
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
})

test('error: none has a reply', async () => {
  await using first = await startStub(raw(200, []))
  await using second = await startStub(raw(200, {}))
  const client = createClient<StubApi>({ transport: over(first, second), retry: false })
  await expect(client.echo()).rejects.toThrow('echo: no answer to this call')
  expect(counts(first, second)).toEqual([1, 1])
})
