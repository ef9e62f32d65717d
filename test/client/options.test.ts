// Options as JavaScript passes them, and as a less strict compiler lets them through.

import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ClientOptions, createClient, postTransport } from '../../client/index.ts'
import { stream, webSocketTransport } from '../../client/ws.ts'
import { refuse, type StubApi, startStub } from './stubService.ts'

const url = 'http://127.0.0.1:9'
/** The cast: JavaScript passes anything. */
const given = (options: object) => options as ClientOptions

test.each([5, 'fetch', {}])('error: fetch: %s is said at once, and is no service that is down', async (fetch) => {
  expect(() => createClient(given({ url, fetch }))).toThrow('fetch must be a function')
  // The cast: as above.
  const options = { url, types: ['blocks'], fetch } as unknown as Parameters<typeof stream>[0]
  await expect(stream({ ...options, signal: AbortSignal.timeout(100) }).next()).rejects.toThrow(
    'fetch must be a function',
  )
})

test('error: a transport that cannot be called', () => {
  for (const transport of [5, null, { url }])
    expect(() => createClient(given({ transport }))).toThrow('transport must be a function')
  expect(() => createClient(given({ transport: undefined }))).toThrow('url must be an address')
})

test.each(['url', 'apiKey', 'headers', 'fetch', 'stream'])('error: %s, which a transport does not see', (name) => {
  const transport = async () => []
  expect(() => createClient(given({ transport, [name]: 'x' }))).toThrow(`${name} and transport exclude each other`)
  expect(() => createClient(given({ transport, [name]: undefined }))).not.toThrow()
})

test('error: a stream of a client that was made without one says what is missing, and calls nothing', async () => {
  await using stub = await startStub()
  // The table has the name: JavaScript calls what types would refuse.
  const client = createClient<StubApi & { stream: StubApi['echo'] }>({ url: stub.url })
  expect(() => client.stream({ value: 1 })).toThrow('createClient({ url, stream })')
  // Of a transport's own address nothing is known.
  expect(() => createClient(given({ transport: async () => [], stream }))).toThrow(
    'call stream({ url, types }) instead',
  )
  expect(stub.messages).toHaveLength(0)
})

test('args: fetch and transport that are undefined are left out', async () => {
  await using stub = await startStub()
  const client = createClient<StubApi>(given({ url: stub.url, transport: undefined, fetch: undefined }))
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
})

test('args: members of retry that are undefined are left out', async () => {
  await using stub = await startStub(...Array.from({ length: 7 }, () => refuse('busy')))
  const retry = { tries: undefined, baseMs: 0, maxWaitMs: undefined }
  await expect(createClient<StubApi>({ url: stub.url, retry }).echo()).rejects.toMatchObject({ kind: 'busy' })
  expect(stub.messages).toHaveLength(4)
})

test('args: members of reconnect that are undefined are left out', async () => {
  await using stub = await startStub()
  const reconnect = { tries: undefined, timeoutMs: undefined }
  const transport = webSocketTransport({ url: stub.url, WebSocket, reconnect })
  expect(await createClient<StubApi>({ transport, retry: false }).echo({ value: 1 })).toEqual({ value: 1 })
  transport.close()
})

test.each(['apikey', 'api_key'])('error: %s is not ignored: what is meant is named', async (name) => {
  const said = `${name} is not an option: write apiKey`
  const options = { url, [name]: 5 }
  expect(() => createClient(given(options))).toThrow(said)
  expect(() => postTransport(options)).toThrow(said)
  expect(() => webSocketTransport({ ...options, WebSocket })).toThrow(said)
  const streamed = { ...options, types: ['blocks'] as const, signal: AbortSignal.timeout(100) }
  await expect(stream(streamed).next()).rejects.toThrow(said)
})

test('error: an option that only one of them has is named by that one alone', async () => {
  const options = { url, timeout: 5 }
  expect(() => createClient(given(options))).toThrow('timeout is not an option: write timeoutMs')
  expect(() => postTransport(options)).not.toThrow()
  webSocketTransport({ ...options, WebSocket }).close()
})

test('args: other names, and those that are undefined, are ignored', () => {
  expect(() => createClient(given({ url, apikey: undefined, network: 'testnet', constructor: 1 }))).not.toThrow()
  const both = { url, apiKey: 'a', apikey: 'a' }
  expect(() => createClient(given(both))).not.toThrow()
  webSocketTransport({ ...both, WebSocket }).close()
})
