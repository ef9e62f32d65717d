// Answers of a service that lies: without an end, or small ones that unpack to more than any memory.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { stream } from '../../client/ws.ts'

const CHUNK = Buffer.alloc(1 << 20, ' ')
const TOO_LONG = {
  name: 'TransportError',
  reason: 'reply',
  text: expect.stringContaining('an answer of more than 134217728 bytes'),
}

async function serving(answer: (res: ServerResponse) => void): Promise<string> {
  const server = createServer((req, res) => {
    req.resume()
    answer(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // The cast: it listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const endless = (type: string) => (res: ServerResponse) => {
  res.writeHead(200, { 'content-type': type })
  const goOn = (): void => {
    while (!res.destroyed && res.write(CHUNK));
    if (!res.destroyed) res.once('drain', goOn)
  }
  goOn()
}

/** A gigabyte in a megabyte. */
const packed = (type: string) => {
  const part = gzipSync(Buffer.alloc(1 << 28, ' '))
  return (res: ServerResponse) => {
    res.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
    for (let i = 0; i < 4; i++) res.write(part)
    res.end()
  }
}

test.each([
  ['has no end', endless],
  ['unpacks to a gigabyte', packed],
])('error: a reply that %s', async (_, answering) => {
  const client = createClient({ url: await serving(answering('application/json')), timeoutMs: 0 })
  await expect(client.getMasterchainInfo()).rejects.toMatchObject(TOO_LONG)
})

test.each([
  ['has no end', endless],
  ['unpacks to a gigabyte', packed],
])('error: a notification that %s', async (_, answering) => {
  const url = await serving(answering('text/event-stream'))
  await expect(stream({ url, types: ['blocks'] }).next()).rejects.toMatchObject(TOO_LONG)
})

test('error: of a reply without an end nothing more is read', async () => {
  let isCancelled = false
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(CHUNK),
    cancel() {
      isCancelled = true
    },
  })
  const client = createClient({ url: 'http://localhost', fetch: async () => new Response(body), timeoutMs: 0 })
  await expect(client.getMasterchainInfo()).rejects.toMatchObject(TOO_LONG)
  expect(isCancelled).toBe(true)
})

test('behavior: all notifications together may be longer than one may be', async () => {
  const comment = Buffer.concat([Buffer.alloc(1 << 20, ':'), Buffer.from('\n\n')])
  const url = await serving((res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let i = 0; i < 130; i++) res.write(comment)
    res.write('event: event\ndata: {"type":"blocks"}\n\n')
  })
  expect(await stream({ url, types: ['blocks'] }).next()).toMatchObject({ value: { type: 'blocks' } })
})

test('error: a reply that is to be long is not waited for', async () => {
  const url = await serving((res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 ** 31 })
    res.write('{')
  })
  const client = createClient({ url, timeoutMs: 0 })
  await expect(client.getMasterchainInfo()).rejects.toMatchObject(TOO_LONG)
})

test('behavior: frames whose ends are cut anywhere are read', async () => {
  const frames = [1, 2, 3].map((n) => `event: event\ndata: {"type":"blocks","n":"ж${n}"}\n\n`).join('')
  const url = await serving((res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = Buffer.from(frames)
    let at = 0
    const next = (): void => void (at < bytes.length && res.write(bytes.subarray(at, ++at), () => setImmediate(next)))
    next()
  })
  const seen: unknown[] = []
  for await (const notification of stream({ url, types: ['blocks'] })) {
    seen.push(notification)
    if (seen.length === 3) break
  }
  expect(seen).toEqual([1, 2, 3].map((n) => ({ type: 'blocks', n: `ж${n}` })))
})
