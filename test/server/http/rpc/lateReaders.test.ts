// A stop does not cut off the answers that a WebSocket has still to read.

import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WrittenReply } from '../../../../server/http/dialect/dialect.ts'
import { connectedTo, rpcSocketsOf } from './socketScene.ts'

/** More than both sides of a connection buffer. */
const LONG = 'x'.repeat(16 * 1024 * 1024)
/** Longer than a closed socket may take otherwise, and shorter than the library waits for the other side. */
const LATE_MS = 20_000

test('who reads an answer late, of a service that stops, gets all of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let answered = (): void => undefined
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve
  })
  const reply: WrittenReply = { status: 200, text: LONG }
  const sockets = rpcSocketsOf({
    rpc: () => {
      setImmediate(answered)
      return reply
    },
    limits: { slowBytes: Number.POSITIVE_INFINITY },
  })
  const caller = { subject: 'someone', keyId: null, tier: null }
  const peer = { identify: () => caller, door: 'strict', whyNoControl: null } as const
  const ws = await connectedTo((req, socket, head) => sockets.take(req, socket, head, peer))
  ws.pause()
  ws.send('{}')
  await isAnswered
  const stopped = sockets.close()
  vi.advanceTimersByTime(LATE_MS)
  const closed = once(ws, 'close')
  const read = once(ws, 'message')
  ws.resume()
  expect(String((await Promise.race([read, closed]))[0]).length).toBe(LONG.length)
  expect((await closed)[0]).toBe(1001)
  await stopped
})
