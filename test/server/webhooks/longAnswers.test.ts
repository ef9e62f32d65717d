// What an endpoint may cost by its answer, of which only the status is used.

import { ClientRequest, IncomingMessage } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HostError } from '../../../server/outbound/index.ts'
import { createPost } from '../../../server/webhooks/postWebhook.ts'
import { openTalker } from '../../setup/webhooks.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
/** More than the buffers between both sides hold. */
const FAR_TOO_MUCH = 64 * 1024 * 1024
const BYTES_OF_READ = 64 * 1024
const CHUNK = '1\r\na\r\n'

const post = (endpoint: string) =>
  createPost({ allowsPrivate: true })(
    { owner: 'key', endpoint, token: 'token', secret: 'secret', name: 'test', body: '{}' },
    new AbortController().signal,
  )

test('an endless answer of long chunk heads and little content is cut off', async () => {
  const chunks = `1;${'x'.repeat(3000)}\r\na\r\n`.repeat(20)
  let taken = 0
  const url = await openTalker((socket) => {
    const more = (): void => {
      if (socket.destroyed || taken > FAR_TOO_MUCH) return
      taken += chunks.length
      socket.write(chunks, more)
    }
    socket.write(HEAD, more)
  })
  expect(await post(url)).toMatchObject({ status: 200, error: '' })
  expect(taken).toBeLessThan(FAR_TOO_MUCH)
})

test('of an answer in chunks of one byte no more than one read from the wire is taken', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const emitted = vi.spyOn(IncomingMessage.prototype, 'emit')
  const url = await openTalker((socket) => void socket.write(`${HEAD}${CHUNK.repeat(60_000)}`))
  expect(await post(url)).toMatchObject({ status: 200, error: '' })
  const events = emitted.mock.calls.filter(([name]) => name === 'data').length
  expect(events).toBeGreaterThan(0)
  expect(events).toBeLessThanOrEqual(BYTES_OF_READ / CHUNK.length)
})

test('thousands of interim answers that come at once end the connection once', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const destroyed = vi.spyOn(ClientRequest.prototype, 'destroy')
  const url = await openTalker((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000)))
  expect(await post(url)).toMatchObject({ status: 0, error: 'the host sent interim answers only' })
  expect(destroyed.mock.calls.filter(([error]) => error instanceof HostError)).toHaveLength(1)
})
