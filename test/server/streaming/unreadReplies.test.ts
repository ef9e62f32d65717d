// Replies of a stream's WebSocket that its client does not read: they are bounded as what it is sent of blocks is.

import { onTestFinished, test } from 'vitest'
import { serve, type TestOptions, type TestService } from '../../setup/service.ts'
import { eventually, openSocket } from '../../setup/streams.ts'

const MB = 1 << 20
const PING = JSON.stringify({ operation: 'ping', id: 'p'.repeat(256) })
/** More than the system holds for both sides. */
const MANY = 80_000

async function served(options: TestOptions): Promise<TestService> {
  const service = await serve(options)
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

/** A socket that sends operations and reads no reply. */
async function unreading(service: TestService): Promise<Awaited<ReturnType<typeof openSocket>>> {
  const stream = await openSocket(service)
  stream.socket.pause()
  for (let i = 0; i < MANY; i++) stream.send(PING)
  return stream
}

test('replies that are not read count with all that callers leave unread', async () => {
  const service = await served({ withIndex: true, limits: { streamBytes: 64 * MB, heldBytes: 2 * MB } })
  const { socket, closed } = await unreading(service)
  const gauge = async () => (await (await fetch(`${service.url}/metrics`)).text()).includes('\ntonrpc_sockets 0\n')
  await eventually(async () => (await gauge()) || undefined)
  socket.resume()
  await eventually(() => closed.code !== 0 || undefined)
})
