// Replies of a stream's WebSocket that its client does not read: they are bounded as what it is sent of blocks is.

import { expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
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

/** Resolves when the service has not read from a socket while it has answered another one fifty times. */
async function isLeftUnread(socket: WebSocket, other: Awaited<ReturnType<typeof openSocket>>): Promise<true> {
  for (;;) {
    const before = socket.bufferedAmount
    for (let i = 0; i < 50; i++) await other.say('ping')
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    if (socket.bufferedAmount === before) return true
  }
}

test('operations of a socket that reads no reply are read no further', async () => {
  const service = await served({ withIndex: true, limits: { streamBytes: MB } })
  const other = await openSocket(service)
  const { socket } = await unreading(service)
  expect(await isLeftUnread(socket, other)).toBe(true)
})

test('replies that are not read count with all that callers leave unread', async () => {
  const service = await served({ withIndex: true, limits: { streamBytes: 64 * MB, heldBytes: 2 * MB } })
  const { socket, closed } = await unreading(service)
  const gauge = async () => (await (await fetch(`${service.url}/metrics`)).text()).includes('\ntonrpc_sockets 0\n')
  await eventually(async () => (await gauge()) || undefined)
  socket.resume()
  await eventually(() => closed.code !== 0 || undefined)
})
