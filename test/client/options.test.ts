// Options as JavaScript passes them, and as a less strict compiler lets them through.

import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../../client/index.ts'
import { stream } from '../../client/ws.ts'
import { type StubApi, startStub } from './stubService.ts'

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

test('args: fetch and transport that are undefined are left out', async () => {
  await using stub = await startStub()
  const client = createClient<StubApi>(given({ url: stub.url, transport: undefined, fetch: undefined }))
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
})
