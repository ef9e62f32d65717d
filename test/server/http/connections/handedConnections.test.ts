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
  const noted: unknown[] = []
  const sockets: Socket[] = []
  const connections = new HandedConnections({
    claim: () => Promise.resolve(null),
    claimSocket: () => Promise.resolve(true),
    noteIdle: (...idle) => noted.push(idle),
    released: (seatId) => released.push(seatId),
  })
  async function handed(seatId: number, whyNone: string | null = null) {
    const accepted = once(server, 'connection')
    const caller = await openRaw((server.address() as AddressInfo).port)
    const [socket] = (await accepted) as [Socket]
    connections.seat(socket, { seatId, whyNone })
    sockets.push(socket)
    return caller
  }
  return { connections, handed, noted, released, sockets }
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

test('a connection beyond those of its address is served once it has shown a key, also what comes without one', async () => {
  const { connections, handed, noted, sockets } = await openHanded()
  const why = 'too many connections from one address'
  using shown = await handed(0, why)
  using refused = await handed(1, why)
  const keyless = { subject: '127.0.0.1', keyId: null, tier: null }
  const [one, other] = sockets
  if (one === undefined || other === undefined) throw new Error('no connection came')
  for (const caller of [{ ...keyless, keyId: 'a' }, keyless, null])
    expect(await connections.claim(one, caller)).toBe(true)
  // Of the requests of a connection that is in use the owner hears once.
  expect(noted).toEqual([[0, false]])
  expect(await connections.claim(other, keyless)).toBe(false)
  expect(await refused.end()).toContain(why)
  expect(shown.text).toBe('')
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
