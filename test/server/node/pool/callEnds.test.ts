// What calls of lite servers leave behind, however they end.

import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene } from './poolScene.ts'
import { hang, refuse } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 4, seed: 5 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

test('behavior: however calls end, they leave no slot taken, and no listener at the signal of their caller', async () => {
  const servers = serversOf(2)
  const { pool } = await opened(clock(), servers)
  const callOf = (signal: AbortSignal) => pool.header(blockAt(2), 0, { signal, timeoutMs: 2_000 })
  const ends: Record<string, (end: AbortController) => void> = {
    answered: () => undefined,
    refused: () => {
      for (const server of servers) server.fault = refuse(-400, 'no such block')
    },
    late: () => {
      for (const server of servers) server.fault = hang
    },
    'given up': (end) => {
      for (const server of servers) server.fault = hang
      void clock()
        .sleep(100)
        .then(() => end.abort())
    },
    'given up before': (end) => end.abort(),
    'cut off': () => {
      for (const server of servers) server.fault = hang
      void clock()
        .sleep(100)
        .then(() => {
          for (const server of servers) server.goDown()
        })
    },
  }
  for (const [how, make] of Object.entries(ends)) {
    for (const server of servers) server.fault = null
    const end = new AbortController()
    make(end)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => callOf(end.signal)))
    expect([how, ...new Set(outcomes.map(({ status }) => status))]).toEqual([
      how,
      how === 'answered' ? 'fulfilled' : 'rejected',
    ])
    expect([how, ...pool.servers.map(({ inFlight }) => inFlight)]).toEqual([how, 0, 0])
    expect([how, getEventListeners(end.signal, 'abort').length]).toEqual([how, 0])
  }
})

test('behavior: nor does a message that is sent by work on a server', async () => {
  const { pool } = await opened(clock(), serversOf(2))
  const send = () => pool.attempt?.((one) => one.send(Uint8Array.of(1)))
  for (let i = 0; i < 4; i++) await expect(send()).rejects.toMatchObject({ code: 0 })
  expect(pool.servers.map(({ inFlight }) => inFlight)).toEqual([0, 0])
})

test('behavior: calls whose caller has gone take nothing of what a server may get in a second', async () => {
  const [server] = serversOf(1)
  if (server === undefined) return
  const { pool } = await opened(clock(), [server], { perSecond: 10 })
  const before = pool.servers[0]?.calls ?? 0
  const gone = Array.from({ length: 50 }, () => pool.header(blockAt(2), 0, { signal: AbortSignal.abort() }))
  for (const { status } of await Promise.allSettled(gone)) expect(status).toBe('rejected')
  const begun = clock().now()
  await Promise.all(Array.from({ length: 5 }, () => pool.header(blockAt(2))))
  expect(clock().now() - begun).toBeLessThan(300)
  expect((pool.servers[0]?.calls ?? 0) - before).toBe(5)
  expect(pool.servers[0]?.inFlight).toBe(0)
})

test('behavior: of a server that ends its connection at a call, log and report name the call', async () => {
  const servers = serversOf(1)
  const [server] = servers
  if (server === undefined) return
  const { pool, lines } = await opened(clock(), servers)
  server.fault = hang
  const answer = pool.header(blockAt(2)).catch(() => undefined)
  await clock().sleep(200)
  server.goDown()
  await clock().sleep(100)
  const reason = 'connection reset, with header unanswered'
  expect(pool.servers).toMatchObject([{ state: 'away', reason }])
  expect(lines).toContainEqual({ level: 'warn', facts: { server: 'server0', reason }, text: 'lite server lost' })
  await answer
})
