// Bodies in chunks of a byte each.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readRequestBody } from '../../../../server/http/requests/requestBody.ts'
import { createGatherChunks } from '../../../../server/http/requests/smallChunks.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
const END = '0\r\n\r\n'
const inChunks = (body: string): string =>
  HEAD + [...body].map((one) => `${Buffer.byteLength(one).toString(16)}\r\n${one}\r\n`).join('') + END
/** In what Node reads from a connection at once. */
const CHUNKS_OF_READ = 65_536 / 6

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** Answers with what `serve` resolves to. */
async function listen(serve: (req: IncomingMessage) => Promise<string>): Promise<number> {
  const gather = createGatherChunks()
  const server = createServer((req, res) => {
    gather(req)
    void serve(req).then((text) => res.end(text))
  })
  ended.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast: a server that listens on a port has an address.
  return (server.address() as AddressInfo).port
}

/** What comes back for it, up to the text that ends an answer. */
async function sent(port: number, request: string, end: string): Promise<string> {
  const client = connect(port, '127.0.0.1')
  client.write(request)
  let text = ''
  for await (const chunk of client) {
    text += String(chunk)
    if (text.endsWith(end)) break
  }
  return text
}

test('behavior: the body is what was sent, also behind another request and in chunks of all sizes', async () => {
  const port = await listen(async (req) => `${await readRequestBody(req, 1 << 20)}.`)
  expect(await sent(port, inChunks('{"id":"é€"}'), '}.')).toContain('\r\n\r\n{"id":"é€"}.')
  const large = 'x'.repeat(3000)
  const mixed = `${HEAD}2\r\nab\r\nbb8\r\n${large}\r\n1\r\nc\r\n${END}`
  const text = await sent(port, inChunks('first') + mixed + inChunks('y'.repeat(20_000)), 'y.')
  expect(text).toContain('\r\n\r\nfirst.')
  expect(text).toContain(`\r\n\r\nab${large}c.`)
  expect(text).toContain(`\r\n\r\n${'y'.repeat(20_000)}.`)
})

test('behavior: they are no buffers of their own, and of many connections few are read in a turn', async () => {
  const connections = 8
  const length = 100_000
  let parts = 0
  let ofTurn = 0
  let mostOfTurn = 0
  let isOver = false
  const turn = (): void => {
    mostOfTurn = Math.max(mostOfTurn, ofTurn)
    ofTurn = 0
    if (!isOver) setImmediate(turn)
  }
  turn()
  const port = await listen(async (req) => {
    req.on('data', (chunk: Buffer) => {
      parts++
      ofTurn += chunk.length
    })
    return `${(await readRequestBody(req, 1 << 20)).length}.`
  })
  const request = inChunks('z'.repeat(length))
  const answers = await Promise.all(Array.from({ length: connections }, () => sent(port, request, '000.')))
  isOver = true
  for (const answer of answers) expect(answer).toContain(`\r\n\r\n${length}.`)
  expect(parts).toBeLessThan((connections * length) / 4096)
  // All connections are read once before any of them is known to send such chunks.
  expect(mostOfTurn).toBeLessThan((connections + 2) * CHUNKS_OF_READ)
})
