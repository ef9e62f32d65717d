// What callers leave unread is bounded for all of them together: who leaves most gives way, and others do not notice.

import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import { createLog } from '../../../../server/observe/index.ts'
import { call, connectTo, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw } from '../../../setup/rawSocket.ts'
import { serveMethods } from '../../../setup/service.ts'

const MB = 1_000_000
const patient = { slowMs: 300_000, unreadMs: 300_000 }
const REASON = /^read faster: over 60000000 bytes unread in all/

test('sockets that do not read give way before they hold more than the bound, and say why', async () => {
  await using service = await serveMethods(madeUp(), { limits: { ...patient, heldBytes: 60 * MB } })
  await using reader = await connectTo(service, STRICT, { localAddress: '127.0.0.2' })
  const before = process.memoryUsage().rss
  const unread = await Promise.all(Array.from({ length: 20 }, () => connectTo(service)))
  for (const { ws } of unread) ws.pause()
  for (const socket of unread) for (let id = 0; id < 16; id++) socket.send(call('repeat', { times: 5 * MB }, id))
  // All of it would be 1.6 GB.
  for (let id = 0; id < 10; id++) {
    reader.send(call('repeat', { times: 5 * MB }, id))
    expect(await reader.next()).toMatchObject({ id, ok: true })
  }
  const gauge = async () =>
    Number(/^tonrpc_sockets (\d+)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])
  await expect.poll(gauge).toBeLessThan(15)
  expect(process.memoryUsage().rss - before).toBeLessThan(500 * MB)
  expect(reader.ws.readyState).toBe(reader.ws.OPEN)
  for (const { ws } of unread) ws.resume()
  await Promise.all(unread.map((socket) => socket[Symbol.asyncDispose]()))
})

test('one that reads again in time sees the code and the reason', async () => {
  let readAgain = (): void => undefined
  const log = { ...createLog({ format: 'json', level: 'silent' }), warn: () => readAgain() }
  // All calls begin, however late their frames come.
  const limits = { ...patient, slowBytes: 1_000 * MB, heldBytes: 60 * MB }
  await using service = await serveMethods(madeUp(), { log, limits })
  const readingAgain = async () => {
    await using socket = await connectTo(service)
    socket.ws.pause()
    readAgain = () => socket.ws.resume()
    for (let id = 0; id < 16; id++) socket.send(call('repeat', { times: 5 * MB }, id))
    return await socket.closed
  }
  // A busy machine may take longer than the second that there is to read all: then it was not in time.
  let closed = await readingAgain()
  while (closed.code === 1006) closed = await readingAgain()
  expect([closed.code, closed.reason]).toEqual([1013, expect.stringMatching(REASON)])
  await expect
    .poll(async () => await (await fetch(`${service.url}/metrics`)).text())
    .not.toContain('\ntonrpc_sockets 1\n')
})

test('connections that do not read their answers give way, too', async () => {
  await using service = await serveMethods(madeUp(), { limits: { ...patient, heldBytes: 60 * MB } })
  const request = `GET /api/v2/repeat?times=${10 * MB} HTTP/1.1\r\nHost: x\r\n\r\n`
  const unread = await Promise.all(Array.from({ length: 20 }, () => openRaw(service.port)))
  for (const raw of unread) {
    raw.socket.pause()
    raw.write(request.repeat(4))
  }
  const open = async () =>
    Number(/^tonrpc_http_connections (\d+)/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])
  await expect.poll(open).toBeLessThan(12)
  using raw = await openRaw(service.port)
  raw.write(request.replace(String(10 * MB), '1000'))
  expect(await raw.until(/"ok":true/)).toContain('200 OK')
  for (const { socket } of unread) {
    socket.destroy()
    if (!socket.closed) await once(socket, 'close')
  }
})

test('a connection that is closed holds nothing any more', async () => {
  const held = new HeldReplies(MB, () => undefined)
  const socket = new PassThrough()
  held.add(socket, 'a')
  expect(held.of(socket)?.subject).toBe('a')
  socket.destroy()
  await once(socket, 'close')
  expect(held.of(socket)).toBeUndefined()
})
