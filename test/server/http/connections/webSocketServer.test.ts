// What still comes on a connection whose WebSocket has ended is read for a second, so that the peer sees why, and no longer.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWebSocketServer } from '../../../../server/http/connections/webSocketServer.ts'
import { defaultLimits } from '../../../../server/http/httpOptions.ts'

const UPGRADE = [
  'GET / HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
].join('\r\n')

test.each([
  ['a frame without a mask', [0x81, 0x01, 0x41], 1002],
  ['a frame that is compressed', [0xc1, 0x80, 0, 0, 0, 0], 1002],
  ['text that is no UTF-8', [0x81, 0x81, 0, 0, 0, 0, 0xff], 1007],
  ['its own close', [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8], 1000],
])('a peer that does not hang up after %s is dropped a second later', async (_, bytes, code) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sockets = createWebSocketServer(defaultLimits, () => ({}))
  const server = createServer()
  const taken = new Promise<Duplex>((resolve) => {
    server.on('upgrade', (req, socket, head) =>
      sockets.handleUpgrade(req, socket, head, (ws) => {
        ws.on('error', () => undefined)
        resolve(socket)
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const peer = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void peer.destroy())
  peer.write(`${UPGRADE}\r\n\r\n`)
  const [socket] = await Promise.all([taken, once(peer, 'data')])
  peer.write(Buffer.from(bytes))
  const [closeFrame] = await once(peer, 'data')
  expect(closeFrame.readUInt16BE(2)).toBe(code)
  peer.write('and what more there is')
  vi.advanceTimersByTime(999)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(socket.destroyed).toBe(true)
})
