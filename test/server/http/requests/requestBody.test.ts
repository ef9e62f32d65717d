import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readRequestBody } from '../../../../server/http/requests/requestBody.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const LIMIT = 1 << 20

/** How many turns of the event loop passed between the last byte of a body and its text. */
let turns = 0
let taken = ''
const server = createServer((req, res) => {
  let isOver = false
  const turn = (): void => {
    if (isOver) return
    turns++
    setImmediate(turn)
  }
  req.once('end', () => {
    turns = 0
    setImmediate(turn)
  })
  readRequestBody(req, LIMIT)
    .then(
      (text) => {
        taken = text
      },
      (error: unknown) => {
        taken = String(error)
      },
    )
    .finally(() => {
      isOver = true
      res.end()
    })
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

async function send(body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  // The cast: a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
}

test('default: a short body in the turn in which it came', async () => {
  await send('{"id":"é"}')
  expect(taken).toBe('{"id":"é"}')
  expect(turns).toBe(0)
})

test('args: a body of as many bytes as it may have, and of one more', async () => {
  const most = 'x'.repeat(LIMIT)
  await send(most)
  expect(taken).toBe(most)
  await send(`${most}x`)
  expect(taken).toContain(`Body too large: ${LIMIT} bytes at most`)
})

test('error: one whose sender leaves before its end', async () => {
  const { port } = server.address() as AddressInfo
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 10 } })
  req.on('error', () => undefined)
  taken = ''
  req.write('abc', () => setImmediate(() => req.destroy()))
  await expect.poll(() => taken).toContain('ended before its body was complete')
})

test('behavior: one that is said to be longer is refused before it comes', async () => {
  const { port } = server.address() as AddressInfo
  const headers = { 'content-length': LIMIT + 1 }
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers })
  req.on('error', () => undefined)
  onTestFinished(() => void req.destroy())
  req.flushHeaders()
  await once(req, 'response')
  expect(taken).toContain(`Body too large: ${LIMIT} bytes at most`)
})

test('behavior: a long one in a later turn, whatever its characters are', async () => {
  for (const one of ['x', 'é', '€', '𝄞', 'aé€𝄞']) {
    const text = one.repeat(Math.floor((900 * 1024) / Buffer.byteLength(one)))
    await send(text)
    expect(taken === text).toBe(true)
    expect(turns).toBeGreaterThan(0)
  }
})

test('behavior: a mark of the order of bytes is no part of it', async () => {
  const text = 'é'.repeat(200_000)
  await send(`\ufeff${text}`)
  expect(taken === text).toBe(true)
})

test('behavior: long ones that end in the same turn are made into text in turns of their own', async () => {
  const bytes = Buffer.from('é'.repeat(100_000))
  const bodies = 8
  const done: number[] = []
  const { turns } = await turnsOf((anew) => {
    const requests = Array.from({ length: bodies }, () => Readable.from([bytes]))
    const texts = requests.map((one) => {
      // The cast: of a request only its headers and the address it came from are read beside its bytes.
      const request = Object.assign(one, { headers: {}, socket: {} }) as unknown as IncomingMessage
      one.once('end', () => done.push(1) === bodies && anew())
      return readRequestBody(request, LIMIT)
    })
    return Promise.all(texts)
  })
  // One of each in which it becomes text, and one in which it is given on.
  expect(turns).toBeGreaterThanOrEqual(2 * bodies)
})

test('error: a long one that is not UTF-8, and one beyond the limit', async () => {
  await send(new Uint8Array(300_000).fill(0xff))
  expect(taken).toContain('UTF-8')
  await send('x'.repeat(LIMIT + 1))
  expect(taken).toContain('Body too large')
})
