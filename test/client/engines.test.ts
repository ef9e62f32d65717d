// Engines that lack what browsers and Node have, as that of React Native.

import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { type StubApi, startStub } from './stubService.ts'

/** Takes a global away until it is disposed: a name that is not declared throws where it is read. */
function withoutGlobal(name: string): Disposable {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)
  Reflect.deleteProperty(globalThis, name)
  return { [Symbol.dispose]: () => descriptor && Object.defineProperty(globalThis, name, descriptor) }
}

test('without structuredClone, equal calls of one tick are one request and have results of their own', async () => {
  await using stub = await startStub()
  const client = createClient<StubApi>({ url: stub.url })
  using _ = withoutGlobal('structuredClone')
  const call = () => client.echo({ value: { rows: [{ n: 1 }], none: null } })
  const [first, second] = await Promise.all([call(), call()])
  expect(second).toEqual({ value: { rows: [{ n: 1 }], none: null } })
  expect(second).toEqual(first)
  expect(second.value).not.toBe(first.value)
  expect(stub.messages).toHaveLength(1)
})
