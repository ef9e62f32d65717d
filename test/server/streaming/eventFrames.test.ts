// Events that are written past the library, as a reader takes them from the connection.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { writeEvent } from '../../../server/http/streams/eventFrames.ts'

const EVENTS: readonly (readonly [text: string, cursor: string | null])[] = [
  ['{"n":1}', 'a.1'],
  ['{"n":1}', null],
  ['{"n":"ключ"}', 'a.2'],
  [JSON.stringify({ n: 'x'.repeat(300_000) }), 'a.3'],
]

const plainly = (res: ServerResponse, event: string, cursor: string | null): void =>
  void res.write(`${cursor === null ? '' : `id: ${cursor}\n`}event: event\ndata: ${event}\n\n`)

/** All bytes of a reply to a request of this version, with events written in one way or the other. */
async function replied(version: string, write: typeof writeEvent): Promise<string> {
  const server = createServer(async (_, res) => {
    res.sendDate = false
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.flushHeaders()
    res.write('event: connected\n\n')
    for (const [event, cursor] of EVENTS) write(res, event, cursor)
    // What the library writes keeps its place, in the same turn and in a later one.
    res.write(': keepalive\n\n')
    await nextTurn()
    for (const [event, cursor] of EVENTS) write(res, event, cursor)
    res.end('event: error\n\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET / HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

/** Joined: from Node 26 on the library makes one chunk of what is written in one turn. */
function withoutChunks(reply: string): string {
  const [head = '', body = ''] = cutAt(Buffer.from(reply), '\r\n\r\n')
  if (!head.includes('chunked')) return reply
  const chunks: Buffer[] = []
  let rest = Buffer.from(body)
  for (;;) {
    const [size = ''] = rest.subarray(0, 16).toString().split('\r\n')
    const from = size.length + 2
    const end = from + Number.parseInt(size, 16)
    if (rest.subarray(end, end + 2).toString() !== '\r\n') throw new Error(`No end of a chunk of ${size}`)
    if (end === from) return `${head}\r\n\r\n${Buffer.concat(chunks)}`
    chunks.push(rest.subarray(from, end))
    rest = rest.subarray(end + 2)
  }
}

function cutAt(bytes: Buffer, mark: string): [string, string] {
  const at = bytes.indexOf(mark)
  return [bytes.subarray(0, at).toString(), bytes.subarray(at + mark.length).toString()]
}

test.each(['1.1', '1.0'])('HTTP %s: what a reader gets is what the library writes', async (version) => {
  const [ours, theirs] = await Promise.all([replied(version, writeEvent), replied(version, plainly)])
  expect(ours.length).toBeGreaterThan(600_000)
  expect(withoutChunks(ours)).toBe(withoutChunks(theirs))
})

test('a reply that waits behind another on its connection keeps its events until then', async () => {
  const waiting: ServerResponse[] = []
  const server = createServer((_, res) => {
    res.writeHead(200)
    res.flushHeaders()
    waiting.push(res)
    if (waiting.length < 2) return
    const [first, second] = waiting
    if (first === undefined || second === undefined) return
    writeEvent(second, 'second', null)
    writeEvent(first, 'first', null)
    first.end()
    second.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const request = (more: string) => `GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  socket.write(request('') + request('Connection: close\r\n'))
  const got = await text(socket)
  expect(got.split('HTTP/1.1 200').map((part) => /data: (\w+)/.exec(part)?.[1])).toEqual([undefined, 'first', 'second'])
})
