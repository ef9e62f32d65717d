// Readers of server-sent events that take nothing any more: they lose their seats, first to a new connection of the same key.

import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { gaugeOf } from '../../setup/gauge.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** Of the free plan. */
const SEATS = 5
const BODY = JSON.stringify({ types: ['transactions'], addresses: [RECEIVER] })

const service = forAllTests(() =>
  serve({
    withIndex: true,
    config: { mining: 'manual' },
    // What is unread is no reason here.
    limits: { streamKeepaliveMs: 500, streamBytes: 1 << 30, streamBytesPerSecond: 1 },
  }),
)

const request = (key: string): string =>
  `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

/** A reader that stops reading as soon as it is asked to. */
async function openReader(key: string): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(service().port, '127.0.0.1')
  let text = ''
  socket.on('data', (part) => {
    text += String(part)
  })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(request(key))
  await eventually(() => (/subscribed|error/.test(text) ? true : undefined))
  return { socket, text: () => text }
}

const connections = () => gaugeOf(service(), 'tonrpc_stream_connections')

test('readers that have stopped give their seats to new ones, and are ended', async () => {
  const { send, mine } = await openWallet(service())
  const { key } = await service().newKey({ plan: 'custom', perSecond: 1000 })
  const { key: free } = await service().newKey({ plan: 'free' })
  const well = await openReader(key)
  const stopped = await Promise.all(Array.from({ length: SEATS }, () => openReader(free)))
  expect(await connections()).toBe(SEATS + 1)
  expect((await openReader(free)).text()).toContain('connection limit reached: 5 active connections')
  for (const { socket } of stopped) socket.pause()
  const comment = 'large'.repeat(6000)
  let sent = 0
  await eventually(async () => {
    await send(RECEIVER, { comment: `${sent++}${comment}` })
    await mine()
    return (await connections()) === 1 ? true : undefined
  })
  // The one that reads has lost nothing.
  await eventually(() => (well.text().split('event: event').length > sent ? true : undefined))
  expect(well.socket.closed).toBe(false)
  const next = await openReader(free)
  expect(next.text()).toContain('subscribed')
  for (const { socket } of stopped) socket.resume()
  await eventually(() => (stopped.every(({ socket }) => socket.closed) ? true : undefined))
})
