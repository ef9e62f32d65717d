// What changes something each time it runs goes to a second service only when the first has not begun it.

import { expect, test } from 'vitest'
import { createClient, fallback, postTransport, TransportError } from '../../client/index.ts'
import { failure, perItem, raw, type StubApi, type StubService, startStub } from './stubService.ts'

const none = { retry: false } as const
const over = (...stubs: readonly StubService[]) => fallback(stubs.map(({ url }) => postTransport({ url })))

test.each(['notFound', 'timeout', 'unavailable'] as const)(
  'error: what changes something each time and is refused with %s is not sent to a second service',
  async (kind) => {
    await using first = await startStub(perItem(({ id }) => failure(id, kind)))
    await using second = await startStub()
    const client = createClient<StubApi>({ transport: over(first, second), ...none })
    await expect(client.dev.mine({})).rejects.toMatchObject({ kind })
    expect(second.messages).toEqual([])
  },
)

test('behavior: what a proxy over its limits has turned away was not run, and is sent to the second', async () => {
  await using first = await startStub(raw(429, 'slow down'))
  await using second = await startStub()
  const client = createClient<StubApi>({ transport: over(first, second), ...none })
  expect(await client.dev.mine({ blocks: 2 })).toEqual({ mined: 2 })
})

test('behavior: what changes something each time is not sent twice', async () => {
  await using first = await startStub()
  await using second = await startStub()
  first.script.push(() => 'half')
  const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
  const client = createClient<StubApi>({ transport, ...none })
  await expect(client.dev.mine({ blocks: 1 })).rejects.toBeInstanceOf(TransportError)
  expect(second.messages).toEqual([])
})
