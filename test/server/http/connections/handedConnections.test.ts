// Connections that another process accepted, counts and hands over.

import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { HandedConnections } from '../../../../server/http/connections/handedConnections.ts'
import { noteReply } from '../../../../server/http/connections/plainUpgrade.ts'
import { openRaw } from '../../../setup/rawSocket.ts'

/** Hands over connections under a seat of the test's choice. */
async function openHanded() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const released: number[] = []
  const connections = new HandedConnections({
    claim: () => Promise.resolve(null),
    claimSocket: () => Promise.resolve(true),
    noteIdle: () => undefined,
    released: (seatId) => released.push(seatId),
  })
  async function handed(seatId: number) {
    const accepted = once(server, 'connection')
    const caller = await openRaw((server.address() as AddressInfo).port)
    const [socket] = (await accepted) as [Socket]
    connections.seat(socket, { seatId, whyNone: null })
    return caller
  }
  return { connections, handed, released }
}

test('a refusal that overtakes its connection closes that when it arrives, and no other', async () => {
  const { connections, handed, released } = await openHanded()
  using first = await handed(0)
  connections.refuse(2, 'too many connections')
  using second = await handed(1)
  using third = await handed(2)
  expect(await third.end()).toMatch(/^HTTP\/1.1 503 .*too many connections/s)
  await expect.poll(() => released).toEqual([2])
  expect([first.text, second.text]).toEqual(['', ''])
})

test('a refusal whose connection was closed on its way is forgotten when a later one arrives', async () => {
  const { connections, handed } = await openHanded()
  connections.refuse(1, 'refused early')
  using later = await handed(2)
  using served = await handed(1)
  connections.refuse(1, 'to make room')
  expect(await served.end()).toMatch(/to make room/)
  expect(later.text).toBe('')
})

test('a request that comes at the moment its connection is to make room is answered, and the connection ends with it', async () => {
  const connections = new HandedConnections({
    claim: () => Promise.resolve(null),
    claimSocket: () => Promise.resolve(true),
    noteIdle: () => undefined,
    released: () => undefined,
  })
  const began: ServerResponse[] = []
  const server = createHttpServer((_, res) => void began.push(res))
  server.on('request', noteReply)
  let seats = 0
  server.on('connection', (socket) => connections.seat(socket, { seatId: seats++, whyNone: null }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

  using early = await openRaw(port)
  early.write(REQUEST)
  await expect.poll(() => began.length).toBe(1)
  connections.refuse(0, 'too many connections')
  using late = await openRaw(port)
  await expect.poll(() => seats).toBe(2)
  await new Promise<void>((resolve) => late.socket.write(REQUEST, () => resolve()))
  connections.refuse(1, 'too many connections')
  await expect.poll(() => began.length).toBe(2)
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
  for (const res of began) res.end('answered')
  for (const caller of [early, late]) expect(await caller.end()).toMatch(/^HTTP\/1.1 200 .*answered$/s)
})
