// Connections that another process accepted, counts and hands over.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { HandedConnections } from '../../../server/http/connections.ts'
import { openRaw } from '../../setup/rawSocket.ts'

test('a refusal that overtakes its connection closes that when it arrives, and no other', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const released: number[] = []
  const connections = new HandedConnections({
    claim: () => Promise.resolve(null),
    claimSocket: () => Promise.resolve(true),
    noteIdle: () => undefined,
    released: (seat) => released.push(seat),
  })
  async function handed(seat: number) {
    const accepted = once(server, 'connection')
    const caller = await openRaw((server.address() as AddressInfo).port)
    const [socket] = (await accepted) as [Socket]
    connections.seat(socket, { seat, whyNone: null })
    return caller
  }
  using first = await handed(0)
  connections.refuse(2, 'too many connections')
  using second = await handed(1)
  using third = await handed(2)
  expect(await third.end()).toMatch(/^HTTP\/1.1 503 .*too many connections/s)
  await expect.poll(() => released).toEqual([2])
  expect([first.text, second.text]).toEqual(['', ''])
})
