// Callers of one call have limits of their own: the service is waited for as long as one of them has time.

import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { refuse, type StubApi, startStub } from './stubService.ts'

test('a call that the service wants later is waited for by the caller who has time', async () => {
  await using stub = await startStub(refuse('busy', { retryAfter: 0.1 }))
  const client = createClient<StubApi>({ url: stub.url, retry: { baseMs: 1 } })
  const hurried = client.echo({}, { timeoutMs: 20 }).catch((error: Error) => error.name)
  const patient = client.echo({}, { timeoutMs: 20_000 })
  expect(await patient).toEqual({})
  expect(await hurried).toBe('TimeoutError')
})

test('error: when none has so much time both get the answer at once', async () => {
  await using stub = await startStub(refuse('busy', { retryAfter: 20 }))
  const client = createClient<StubApi>({ url: stub.url, retry: { baseMs: 1 } })
  const both = [5_000, 10_000].map((timeoutMs) => client.echo({}, { timeoutMs }))
  for (const one of both) await expect(one).rejects.toMatchObject({ data: { retryAfter: 20 } })
  expect(stub.messages).toHaveLength(1)
})
