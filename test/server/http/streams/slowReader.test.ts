// A reader of server-sent events that does not read is ended, whatever of its reply is still unread.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HttpExchange } from '../../../../server/http/exchange/exchange.ts'
import { defaultLimits as limits } from '../../../../server/http/httpOptions.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import { type SseParts, serveSse } from '../../../../server/http/streams/sse.ts'
import type { Sink } from '../../../../server/streaming/index.ts'
import { StreamSeats } from '../../../../server/streaming/streamSeats.ts'

/** Longer than it has after its error was written. */
const LATE_MS = 2000
const caller = { subject: 'someone', keyId: null, tier: null }

async function openUnread(): Promise<{ readonly sink: Sink; readonly ended: () => boolean }> {
  let isEnded = false
  let begin = (_: Sink): void => undefined
  const begun = new Promise<Sink>((resolve) => {
    begin = resolve
  })
  // The casts: parts of streams and of a call that are not asked for here.
  const streams = {
    seats: new StreamSeats(),
    counts: { slow: 0 },
    read: async () => ({}),
    begin: (_: unknown, sink: Sink) => begin(sink),
    end: () => {
      isEnded = true
    },
  }
  const parts = {
    streams,
    limits,
    access: { spend: () => null },
    held: new HeldReplies(limits.heldBytes, () => undefined),
    peers: { add: () => () => undefined },
    connections: { claimSocket: async () => true },
    isDraining: () => false,
  } as unknown as SseParts
  const server = createServer((req, res) => {
    const exchange = { req, res, begin: () => res.writeHead(200) } as unknown as HttpExchange
    void serveSse(parts, new Set(), { exchange, call: { caller, modifiers: {} } as never, identify: () => caller })
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
  return { sink: await begun, ended: () => isEnded }
}

test('a reader that does not read is cut off a moment after its error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sink, ended } = await openUnread()
  while (!sink.isClosed) {
    sink.send('x'.repeat(256 * 1024), null)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(ended()).toBe(false)
  vi.advanceTimersByTime(LATE_MS)
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(ended()).toBe(true)
})
