// WebSockets that are closed because of an error of the service: the log has the error, the client does not get it.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { defaultLimits as limits } from '../../../../server/http/httpOptions.ts'
import { createStreamSockets } from '../../../../server/http/streams/createStreamSockets.ts'
import type { Streaming } from '../../../../server/streaming/index.ts'
import { StreamSeats } from '../../../../server/streaming/streamSeats.ts'
import { ApiError } from '../../../../shared/errors.ts'
import { connectedTo, heldOfScene as held, rpcSocketsOf } from './socketScene.ts'

const damaged = new Error('the keys are damaged')
const caller = { subject: 'someone', keyId: null, tier: null }
const fail = () => Promise.reject(damaged)

function failingSockets(logged: unknown[], pingMs = limits.pingMs) {
  const log = { error: (...line: unknown[]) => void logged.push(line) }
  const sockets = rpcSocketsOf({ rpc: fail, limits: { pingMs }, logged })
  // As far as a connection needs it before it has a subscription.
  const streams = { seats: new StreamSeats(), counts: { slow: 0 } } as unknown as Streaming
  const streamSockets = createStreamSockets({ log, held, limits, streams, access: { spend: () => null } })
  return { sockets, streamSockets }
}

/** Sends a frame to a socket and returns how it is closed. */
async function closeAfter(frame: object, attend: Parameters<typeof connectedTo>[0]): Promise<number> {
  const ws = await connectedTo(attend)
  ws.send(JSON.stringify(frame))
  const [code] = await once(ws, 'close')
  return code
}

test.each([
  ['its caller cannot be looked up', fail],
  ['its call fails', () => caller],
])('a JSON-RPC socket is ended and logged when %s', async (_, identify) => {
  const logged: unknown[] = []
  const { sockets } = failingSockets(logged)
  const peer = { identify, door: 'strict', whyNoControl: null } as const
  const frame = { jsonrpc: '2.0', method: 'getMasterchainInfo', id: 1 }
  expect(await closeAfter(frame, (req, socket, head) => sockets.take(req, socket, head, peer))).toBe(1006)
  expect(logged).toEqual([[{ err: damaged }, 'WebSocket failed']])
})

test('a socket of streams is closed and logged when its caller cannot be looked up', async () => {
  const logged: unknown[] = []
  const { streamSockets } = failingSockets(logged)
  const peer = { caller, identify: fail, actionsVersion: null }
  const frame = { operation: 'subscribe', types: ['blocks'] }
  expect(await closeAfter(frame, (req, socket, head) => streamSockets.take(req, socket, head, peer))).toBe(1008)
  expect(logged).toEqual([[{ err: damaged }, 'WebSocket failed']])
})

test('while keys cannot be read a socket that only listens stays open, and a frame closes it for a while', async () => {
  const logged: unknown[] = []
  const { sockets, streamSockets } = failingSockets(logged, 100)
  let asked = 0
  const identify = () => {
    asked++
    return Promise.reject(new ApiError('busy', 'Keys cannot be read now'))
  }
  const peer = { identify, door: 'strict', whyNoControl: null } as const
  const ws = await connectedTo((req, socket, head) => sockets.take(req, socket, head, peer))
  while (asked < 5) await once(ws, 'ping')
  expect(ws.readyState).toBe(ws.OPEN)
  ws.send(JSON.stringify({ jsonrpc: '2.0', method: 'getMasterchainInfo', id: 1 }))
  expect(await once(ws, 'close')).toEqual([1013, Buffer.from('Keys cannot be read now')])
  const frame = { operation: 'subscribe', types: ['blocks'] }
  const streamPeer = { caller, identify, actionsVersion: null }
  expect(await closeAfter(frame, (req, socket, head) => streamSockets.take(req, socket, head, streamPeer))).toBe(1013)
  expect(logged).toEqual([])
})
