// Requests without a body, over real connections.

import { once } from 'node:events'
import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { closeEmptyBody } from '../../../../server/http/requests/head.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

/** Events of the requests of this test. */
let events: string[] = []
const server = createServer(async (req, res) => {
  for (const name of ['end', 'close', 'aborted', 'error']) req.on(name, () => events.push(`${req.url} ${name}`))
  if (req.url !== '/left') closeEmptyBody(req)
  const body = req.destroyed ? 'closed' : await text(req)
  if (req.url === '/held') return
  res.end(`${req.method} ${req.url} ${req.complete} [${body}]\n`)
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
// The cast: a server that listens on a port has an address.
const open = () => openRaw((server.address() as AddressInfo).port)
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: a', ...headers].join('\r\n')}\r\n\r\n`

test('default: its stream is closed without an event, and the connection goes on', async () => {
  events = []
  using socket = await open()
  for (const path of ['/one', '/two']) {
    socket.write(get(path))
    await socket.until(new RegExp(`GET ${path} \\w+ \\[closed\\]`))
  }
  socket.write(get('/left', 'Connection: close'))
  expect(await socket.end()).toContain('GET /left true []')
  expect(events).toEqual(['/left end', '/left close'])
})

test('behavior: requests sent at once are answered in their order', async () => {
  using socket = await open()
  socket.write(`${get('/a')}${get('/b')}${get('/left')}${get('/c', 'Connection: close')}`)
  const said = await socket.end()
  expect(said.match(/GET \/\w+/g)).toEqual(['GET /a', 'GET /b', 'GET /left', 'GET /c'])
})

test.each([
  ['of a length', ['Content-Length: 3'], 'abc'],
  ['in chunks', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'],
])('behavior: a body %s is left to be read', async (_, headers, body) => {
  using socket = await open()
  socket.write(`${get('/body', 'Connection: close', ...headers)}${body}`)
  expect(await socket.end()).toContain('GET /body true [abc]')
})

test('behavior: a caller that leaves before its answer ends the reply', async () => {
  using socket = await open()
  const asked = once(server, 'request')
  socket.write(get('/held'))
  const [, res] = await asked
  const closed = once(res, 'close')
  socket.socket.destroy()
  await closed
  expect(res.writableFinished).toBe(false)
})

const service = forAllTests(() => serveMethods(madeUp()))

test('behavior: no steps of the process are spent on the body of a read, as they are on that of a call that has one', async () => {
  const steps = vi.spyOn(process, 'nextTick')
  onTestFinished(() => steps.mockRestore())
  const spent = (): string[] => {
    const own = steps.mock.calls.filter((call) => call.some((part) => part instanceof IncomingMessage))
    steps.mockClear()
    return own.map(([step]) => step.name)
  }
  using socket = await openRaw(Number(new URL(service().url).port))
  const head = (verb: string) => `${verb} /api/v2/types HTTP/1.1\r\nHost: a\r\n`
  socket.write(`${head('POST')}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`)
  await socket.until(/"ok":true/)
  expect(spent()).toContain('endReadableNT')
  socket.write(`${head('GET')}Connection: close\r\n\r\n`)
  await socket.end()
  expect(spent().filter((name) => name !== 'emitReadable_')).toEqual([])
})
