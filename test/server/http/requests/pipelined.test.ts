// Requests sent without waiting for answers, by a client that never stops sending.

import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Turns } from '../../../../server/fairness/index.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import { createPipelined } from '../../../../server/http/requests/pipelined.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const COUNT = 50_000
/** What Node reads from a connection at once. */
const READ_BYTES = 65_536

test('behavior: no more are read while many wait, whatever is answered meanwhile', async () => {
  const later = createPipelined(new Turns(), new HeldReplies(1, () => undefined))
  let waiting = 0
  let most = 0
  const server = createServer((req, res) => {
    most = Math.max(most, ++waiting)
    const answer = (): void => {
      waiting--
      res.end('.')
    }
    if (res.socket === null) later(req, res, answer)
    else setImmediate(answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast: a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.write(REQUEST.repeat(COUNT))
  let answers = 0
  for await (const chunk of client) {
    answers += String(chunk).split('HTTP/1.1 200').length - 1
    if (answers >= COUNT) break
  }
  server.close()
  server.closeAllConnections()
  // Those of one read, and the few that were left when it began.
  expect(most).toBeLessThan(READ_BYTES / REQUEST.length + 64)
})

test('behavior: reading goes on while a few still wait, so that their connection does not fall idle', async () => {
  const later = createPipelined(new Turns(), new HeldReplies(1, () => undefined))
  const socket = new Socket()
  const replies = Array.from({ length: 64 }, () => new ServerResponse(new IncomingMessage(socket)))
  const wait = (res: ServerResponse) => later(res.req, res, () => undefined)
  for (const res of replies.slice(1)) wait(res)
  expect(socket.isPaused()).toBe(false)
  for (const res of replies.slice(0, 1)) wait(res)
  expect(socket.isPaused()).toBe(true)
  for (const res of replies.slice(0, 47)) res.emit('close')
  expect(socket.isPaused()).toBe(true)
  replies[47]?.emit('close')
  expect(socket.isPaused()).toBe(false)
})

test('behavior: the replies that wait behind the one being sent end with their connection', () => {
  const later = createPipelined(new Turns(), new HeldReplies(1, () => undefined))
  const socket = new Socket()
  const replies = Array.from({ length: 3 }, () => new ServerResponse(new IncomingMessage(socket)))
  const closed: number[] = []
  for (const [i, res] of replies.entries()) {
    later(res.req, res, () => undefined)
    res.once('close', () => closed.push(i))
  }
  replies[0]?.assignSocket(socket)
  socket.emit('close')
  // The first one is that of Node.
  expect(new Set(closed)).toEqual(new Set([0, 1, 2]))
})

test('behavior: a request whose connection has ended before its turn is not answered', async () => {
  const turns = new Turns()
  // What comes behind work that waits has its turn later, however much time this one has left.
  turns.add('', () => undefined)
  const later = createPipelined(turns, new HeldReplies(1, () => undefined))
  const sockets = [new Socket(), new Socket()]
  const handled: number[] = []
  for (const [i, socket] of sockets.entries()) {
    const res = new ServerResponse(new IncomingMessage(socket))
    later(res.req, res, () => void handled.push(i))
  }
  sockets[0]?.destroy()
  await expect.poll(() => handled).toEqual([1])
})
