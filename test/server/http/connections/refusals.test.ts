// Connections without a seat, which stay open until their peer has read why.

import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ConnectionSeats, SeatedConnections } from '../../../../server/http/index.ts'

test('only so many are refused in words at the same time: the next are closed at once, and take no files', () => {
  const limits = { connections: 0, connectionsPerAddress: 1, sockets: 1 }
  const connections = new SeatedConnections(new ConnectionSeats(limits, () => false), 2)
  const sockets = Array.from({ length: 4 }, () => new Socket())
  expect(sockets.map((socket) => connections.admit(socket))).toEqual([null, null, null, null])
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, true])
  for (const socket of sockets) socket.destroy()
})

test('a refused connection that is closed makes room for the next refusal', async () => {
  const limits = { connections: 0, connectionsPerAddress: 1, sockets: 1 }
  const connections = new SeatedConnections(new ConnectionSeats(limits, () => false), 1)
  const first = new Socket()
  connections.admit(first)
  const closed = new Promise<void>((resolve) => first.once('close', () => resolve()))
  first.destroy()
  await closed
  const next = new Socket()
  connections.admit(next)
  expect(next.destroyed).toBe(false)
  next.destroy()
})
