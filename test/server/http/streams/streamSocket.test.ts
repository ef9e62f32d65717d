// What a client of a stream's WebSocket sends faster than it is served, and what it leaves unread, is left with the client.

import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { defaultLimits } from '../../../../server/http/httpOptions.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import { type StreamPeer, StreamSocket, type StreamSocketParts } from '../../../../server/http/streams/streamSocket.ts'
import { StreamSeats } from '../../../../server/streaming/streamSeats.ts'

const OPEN = 1
const caller = { subject: 'someone', keyId: null, tier: null }
const PING = Buffer.from(JSON.stringify({ operation: 'ping', id: 1 }))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

function openSocket() {
  const replies: string[] = []
  const ws = Object.assign(new EventEmitter(), {
    readyState: OPEN,
    isPaused: false,
    send: (text: string) => void replies.push(text),
    pause() {
      this.isPaused = true
    },
    resume() {
      this.isPaused = false
    },
  })
  const socket = { writableLength: 0 }
  const limits = { ...defaultLimits, framesInFlight: 4 }
  // The casts: parts of a socket and of streams that pings have no need of.
  const parts = {
    streams: { seats: new StreamSeats(), counts: { slow: 0 } },
    held: new HeldReplies(limits.heldBytes, () => undefined),
    limits,
  } as unknown as StreamSocketParts
  const peer = { caller, identify: () => caller, actionsVersion: null } as unknown as StreamPeer
  const stream = new StreamSocket(ws as unknown as WebSocket, socket as unknown as Duplex, peer, parts)
  onTestFinished(() => stream.end())
  const send = (count: number): void => {
    for (let i = 0; i < count; i++) ws.emit('message', PING)
  }
  return { ws, socket, limits, replies, send }
}

const served = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('no more is read while as many frames wait as may be in flight', async () => {
  const { ws, replies, send } = openSocket()
  send(3)
  expect(ws.isPaused).toBe(false)
  send(1)
  expect(ws.isPaused).toBe(true)
  await served()
  expect(replies).toHaveLength(4)
  expect(ws.isPaused).toBe(false)
})

test('while replies are unread each operation waits for their reader, a second at most', async () => {
  const { ws, socket, limits, replies, send } = openSocket()
  socket.writableLength = limits.streamBytes
  send(4)
  await served()
  expect(replies).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1100)
  await served()
  expect(replies).toHaveLength(2)
  socket.writableLength = 0
  await vi.advanceTimersByTimeAsync(100)
  await served()
  expect(replies).toHaveLength(4)
  expect(ws.isPaused).toBe(false)
})
