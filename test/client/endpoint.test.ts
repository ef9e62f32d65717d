// The address of the service, with URLs whose parts are only read, as those of React Native.

import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createClient } from '../../client/index.ts'
import { webSocketTransport } from '../../client/ws.ts'
import { type StubApi, startStub } from './stubService.ts'

class ReadOnly extends URL {
  override get hash(): string {
    return super.hash
  }
  override get pathname(): string {
    return super.pathname
  }
  override get protocol(): string {
    return super.protocol
  }
}

test.each(['', '/', '/jsonRPC', '/jsonRPC/#top'])('a client calls the service at its address with %j', async (path) => {
  await using stub = await startStub()
  vi.stubGlobal('URL', ReadOnly)
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = createClient<StubApi>({ url: `${stub.url}${path}` })
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
  const transport = webSocketTransport({ url: `${stub.url}${path}`, WebSocket })
  expect(await createClient<StubApi>({ transport }).echo({ value: 2 })).toEqual({ value: 2 })
  transport.close()
  expect(stub.messages).toMatchObject([{ url: '/jsonRPC' }, { via: 'ws', url: '/jsonRPC' }])
})
