// A load that a service cuts off is an error, not a wait without an end.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { timedLoad } from './timedLoad.ts'

test('error: the service closes a connection before the load is over', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const load = timedLoad({ port, pid: process.pid, callers: 2, ms: 600_000, next: () => 'GET / HTTP/1.1\r\n\r\n' })
  await expect(load).rejects.toThrow(/closed/)
})
