// Callers who leave while a page of v3 is written for them: by any transport the rest of it is not.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { SlicedWork } from '../../../server/fairness/index.ts'
import { ask, call, connectTo, queryOf, rpc, STRICT } from '../../setup/calls.ts'
import { restingAlways } from '../../setup/othersTurns.ts'
import { openRaw } from '../../setup/rawSocket.ts'
import { v3ForAll } from '../../setup/v3Service.ts'

const running = v3ForAll({ transactions: 1_200 })

/** A small body is a piece of work. */
const BODIES = Array.from({ length: 500 }, () => 'te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo')
const ofList = (offset: number) => ({ limit: 1000, offset })

/** Methods with params of calls that no answer is remembered for, and where REST has them. */
const PAGES: readonly (readonly [method: string, path: string, paramsOf: (n: number) => object])[] = [
  ['v3.transactions', '/api/v3/transactions', ofList],
  ['v3.messages', '/api/v3/messages', ofList],
  ['v3.traces', '/api/v3/traces', ofList],
  ['v3.decode', '/api/v3/decode', () => ({ bodies: BODIES })],
]

/** Rests that pieces of work took, until the service is idle. `onRest` is called with the number of each. */
async function restsUntilIdle(
  begin: () => unknown,
  onRest: (count: number) => void = () => undefined,
): Promise<number> {
  const { rest } = SlicedWork.prototype
  let rests = 0
  SlicedWork.prototype.rest = function counted(this: SlicedWork) {
    onRest(++rests)
    return rest.call(this)
  }
  try {
    await restingAlways(async () => {
      await begin()
      await expect.poll(callsRunning).toBe(0)
    })
    return rests
  } finally {
    SlicedWork.prototype.rest = rest
  }
}

async function callsRunning(): Promise<number> {
  const { text } = await ask(running().service, '/metrics')
  return Number(/^tonrpc_calls_running (\d+)/m.exec(text)?.[1])
}

/** `at`: the rest at which the caller leaves. */
async function leaveHttp(at: number, head: string, body: string): Promise<number> {
  using raw = await openRaw(running().service.port)
  const closed = once(raw.socket, 'close')
  const leave = (rests: number) => void (rests === at && raw.socket.destroy())
  const fields = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  // Who is answered before that leaves too.
  raw.socket.once('data', () => raw.socket.destroy())
  return await restsUntilIdle(() => {
    raw.write(`${head} HTTP/1.1\r\n${fields}\r\n\r\n${body}`)
    return closed
  }, leave)
}

async function leaveSocket(at: number, body: unknown): Promise<number> {
  await using socket = await connectTo(running().service)
  const leave = (rests: number) => void (rests === at && socket.ws.terminate())
  socket.ws.once('message', () => socket.ws.terminate())
  return await restsUntilIdle(() => {
    socket.send(body)
    return socket.closed
  }, leave)
}

/** The end of a connection is noticed some turns later. */
const LATER = 10
const FIRST = 3

test.each(PAGES)('%s', async (method, path, paramsOf) => {
  const stay = (n: number) => restsUntilIdle(() => rpc(running().service, STRICT, method, paramsOf(n)))
  // Texts of the rows are made once, and kept.
  await stay(0)
  const all = await stay(1)
  expect(all).toBeGreaterThan(4 * LATER)
  const post = (at: number, body: unknown) => leaveHttp(at, `POST ${STRICT}`, JSON.stringify(body))
  const rest = (at: number, params: object) =>
    method === 'v3.decode'
      ? leaveHttp(at, `POST ${path}`, JSON.stringify(params))
      : leaveHttp(at, `GET ${path}${queryOf({ ...params })}`, '')
  let n = 2
  for (const at of [FIRST, all >> 2]) {
    const rests = {
      byRest: await rest(at, paramsOf(n++)),
      byRpc: await post(at, call(method, paramsOf(n++))),
      bySocket: await leaveSocket(at, call(method, paramsOf(n++))),
    }
    for (const count of Object.values(rests)) expect([count >= at, count <= at + LATER]).toEqual([true, true])
  }
  const batch = Array.from({ length: 6 }, () => call(method, paramsOf(n++), n))
  expect(await post(FIRST, batch)).toBeLessThan(6 * LATER)
})
