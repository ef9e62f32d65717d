// Streams of server-sent events stay open: all together must leave room for the calls of others.

import { expect, onTestFinished, test } from 'vitest'
import { openRaw, type RawSocket, repliesIn } from '../../setup/rawSocket.ts'
import { serve, type TestService } from '../../setup/service.ts'

const BODY = JSON.stringify({ types: ['blocks'] })
const FULL = 'too many streams and WebSockets: 3 at most'
const CALL = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const STREAM = `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

/** Budgets are full again with each call. */
function serveFew(connections: number): Promise<TestService> {
  let time = 0
  const limits = { connections, sockets: 3 }
  const now = () => (time += 10_000)
  return serve({ withIndex: true, config: { limits: 'on', mining: 'manual' }, limits, now })
}

async function openFrom(localAddress: string, { port }: TestService, request = STREAM): Promise<RawSocket> {
  const raw = await openRaw(port, { localAddress })
  onTestFinished(() => raw[Symbol.dispose]())
  raw.write(request)
  await raw.until(/subscribed|\}$/)
  return raw
}

test('streams of many addresses do not take all connections', async () => {
  await using own = await serveFew(5)
  for (const end of [2, 3, 4]) expect((await openFrom(`127.0.0.${end}`, own)).text).toContain('subscribed')
  // All have one.
  const refused = repliesIn((await openFrom('127.0.0.5', own)).text)[0]
  expect([refused?.status, refused?.body]).toEqual([503, expect.stringContaining(FULL)])
  expect(repliesIn((await openFrom('127.0.0.6', own, CALL)).text)[0]?.status).toBe(200)
})

test('a stream of the address with the most makes room, told why, for a caller that has fewer', async () => {
  await using own = await serveFew(10)
  const first = await openFrom('127.0.0.2', own)
  const second = await openFrom('127.0.0.2', own)
  const other = await openFrom('127.0.0.3', own)
  expect((await openFrom('127.0.0.4', own)).text).toContain('subscribed')
  expect(await first.end()).toContain(`event: error\ndata: {"error":"${FULL}"}`)
  for (const { text } of [second, other]) expect(text).not.toContain('error')
})

test('a stream that finds no room takes none of those that its caller may have', async () => {
  await using own = await serveFew(20)
  for (const end of [2, 3, 4]) await openFrom(`127.0.0.${end}`, own)
  for (let attempt = 0; attempt < 8; attempt++) {
    const refused = repliesIn((await openFrom('127.0.0.5', own)).text)[0]
    expect([refused?.status, refused?.body]).toEqual([503, expect.stringContaining(FULL)])
  }
})
