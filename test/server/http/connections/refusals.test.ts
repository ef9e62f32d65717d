// Connections without a seat, which stay open until their peer has read why.

import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
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

test('an idle connection that was closed just before its refusal makes room for the next refusal', async () => {
  const limits = { connections: 1, connectionsPerAddress: 3, sockets: 1 }
  const connections = new SeatedConnections(new ConnectionSeats(limits, () => false), 1)
  const sockets = Array.from({ length: 3 }, () => new Socket())
  const words = sockets.map((socket) => vi.spyOn(socket, 'end'))
  for (const [i, socket] of sockets.entries()) {
    const seat = connections.admit(socket)
    if (seat === null) throw new Error('there was no room')
    connections.seat(socket, seat)
    // The first one makes room for the second, and is closed before it is refused.
    if (i === 1) sockets[0]?.destroy()
    for (let turn = 0; turn < 4; turn++) await nextTurn()
  }
  expect(words.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0])
  for (const socket of sockets) socket.destroy()
})
