// Bytes that another process answers, on their way to a reader that takes its time.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { PeerWatch } from '../../../../server/http/connections/peerWatch.ts'
import { type OpenRelay, relayRequest, relayUpgrade } from '../../../../server/http/exchange/relay.ts'

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** More than the system holds of a connection. */
const LONG = Buffer.alloc(16 << 20, 'abcdefg\n')

/** A process that answers everything with these bytes, and ends. */
async function owner(answer: readonly Buffer[]): Promise<OpenRelay> {
  const port = await listening(
    createTcp({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        for (const part of answer) socket.write(part)
        socket.end()
      })
    }),
  )
  return () => connect({ port, host: '127.0.0.1', allowHalfOpen: true })
}

/** A worker that passes everything on. */
async function worker(open: OpenRelay, everyMs = 60_000) {
  const peers = new PeerWatch(everyMs)
  const server = createServer((req, res) => relayRequest(open, { req, res }, peers))
  server.on('upgrade', (req, socket, head) => relayUpgrade(open, req, { socket, head }, peers))
  let taken = 0
  server.on('connection', () => taken++)
  const port = await listening(server)
  const held = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { port, held, taken: () => taken }
}

const HEAD = Buffer.from('HTTP/1.1 200 OK\r\n\r\n')
const ASKS = {
  stream: 'POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
  socket: 'GET /api/streaming/v2/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
}

async function lengthOf(socket: Socket): Promise<number> {
  let length = 0
  for await (const chunk of socket) length += (chunk as Buffer).length
  return length
}

test.each(Object.entries(ASKS))('a %s: who reads late has all that was written before the end', async (_, ask) => {
  const { port } = await worker(await owner([HEAD, LONG]))
  const reader = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void reader.destroy())
  reader.pause()
  reader.write(ask)
  await sleep(300)
  expect(await lengthOf(reader)).toBe(HEAD.length + LONG.length)
})

test('a WebSocket whose reader takes nothing any more loses its connection, also when the other process has ended', async () => {
  const { port, held, taken } = await worker(await owner([HEAD, LONG]), 50)
  const reader = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void reader.destroy())
  reader.on('error', () => undefined)
  reader.pause()
  reader.write(ASKS.socket)
  await expect.poll(taken).toBe(1)
  await expect.poll(held).toBe(0)
})
