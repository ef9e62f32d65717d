// Signals as React Native has them: of a package from before reasons.

import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { type StubApi, startStub } from './stubService.ts'

function withoutReasons(): AbortController {
  const stop = new AbortController()
  for (const name of ['reason', 'throwIfAborted']) Object.defineProperty(stop.signal, name, { value: undefined })
  return stop
}

test('a call that is aborted, before it or in flight, rejects with an AbortError', async () => {
  await using stub = await startStub()
  const client = createClient<StubApi>({ url: stub.url })
  const stop = withoutReasons()
  const call = client.echo({ value: 1 }, { signal: stop.signal })
  stop.abort()
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  await expect(client.echo({ value: 2 }, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a list is read with such a signal, and ended by it', async () => {
  await using stub = await startStub()
  const { list } = createClient<StubApi>({ url: stub.url })
  const stop = withoutReasons()
  const seen: number[] = []
  const read = async () => {
    for await (const { n } of list.byOffset.each({ limit: 10 }, { signal: stop.signal })) {
      seen.push(n)
      if (n === 2) stop.abort()
    }
  }
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual([0, 1, 2])
})
