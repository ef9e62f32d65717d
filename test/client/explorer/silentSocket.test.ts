// A proxy that accepts the socket of the page and answers nothing over it, not even that it is closed.

import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { inBrowser, page, serveIndexed, service } from '../../setup/explorerScene.ts'

const PATIENTLY = { timeout: 300_000 }

/** Of RFC 6455. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

function accept(socket: Socket, key: string): void {
  const answer = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64')
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
  socket.write([...head, `Sec-WebSocket-Accept: ${answer}`, '', ''].join('\r\n'))
}

inBrowser(serveIndexed, () => {
  test('the chain is followed in another way, and the socket is tried again, while the browser waits for its end', async () => {
    const seen: string[] = []
    page.on('websocket', (socket) => {
      seen.push('opened')
      socket.on('close', () => seen.push('closed'))
    })
    const server = createServer((incoming, outgoing) => {
      const { url, method, headers } = incoming
      const passed = request(service.url + url, { method, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    server.on('upgrade', ({ headers }, socket: Socket) => {
      socket.on('data', () => undefined)
      accept(socket, headers['sec-websocket-key'] ?? '')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect.poll(() => seen.length, PATIENTLY).toBeGreaterThan(1)
    expect(seen.slice(0, 2)).toEqual(['opened', 'opened'])
    await page.goto('about:blank')
    server.closeAllConnections()
    server.close()
  })
})
