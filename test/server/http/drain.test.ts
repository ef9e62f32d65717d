// Stopping: what runs may finish, nothing new is begun, and nothing keeps the service for ever.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ask, call, connectTo, STRICT } from '../../setup/calls.ts'
import { Control, madeUp } from '../../setup/madeUp.ts'
import { openRaw, repliesIn } from '../../setup/rawSocket.ts'
import { serveMethods } from '../../setup/service.ts'

/** No machine is so busy. */
const LONG_MS = 300_000

const start = async (drainMs: number) => {
  const control = new Control()
  const service = await serveMethods(madeUp(control), { config: { callMs: 60_000 }, limits: { drainMs } })
  return { control, service }
}

const ended = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 100))])

test('calls in flight finish, and their connections are closed after', async () => {
  const { control, service } = await start(LONG_MS)
  await using _ = service
  const requested = ask(service, '/api/v2/wait')
  await control.reached(1)
  const closing = service.close()
  expect(await ended(closing)).toBe(false)
  control.release()
  expect((await requested).body).toMatchObject({ ok: true, result: 'released' })
  await closing
})

test('new connections are refused at once', async () => {
  const { control, service } = await start(LONG_MS)
  await using _ = service
  const requested = ask(service, '/api/v2/wait')
  await control.reached(1)
  const closing = service.close()
  await expect(openRaw(service.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  control.release()
  await Promise.all([requested, closing])
})

test('readyz says 503 while stopping, to a connection that is there already', async () => {
  const { control, service } = await start(LONG_MS)
  await using _ = service
  using raw = await openRaw(service.port)
  raw.write('GET /readyz HTTP/1.1\r\nHost:')
  using other = await openRaw(service.port)
  other.write('GET /api/v2/wait HTTP/1.1\r\nHost: x\r\n\r\n')
  await control.reached(1)
  const closing = service.close()
  raw.write(' x\r\n\r\n')
  const ready = repliesIn(await raw.end()).at(-1)
  expect([ready?.status, ready?.headers.connection]).toEqual([503, 'close'])
  control.release()
  // What was running when it began is answered, and says goodbye as well.
  const last = repliesIn(await other.end()).at(-1)
  expect([last?.status, last?.headers.connection]).toEqual([200, 'close'])
  expect(JSON.parse(ready?.body ?? '')).toMatchObject({ ready: false, checks: { service: 'stopping' } })
  await closing
})

test('a request that came over a kept connection before the stop is answered', async () => {
  const { service } = await start(LONG_MS)
  await using _ = service
  const kept = await Promise.all(Array.from({ length: 20 }, () => openRaw(service.port)))
  const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const raw of kept) raw.write(ask)
  await Promise.all(kept.map((raw) => raw.until(/alive/)))
  // Their bytes are here, and the service has not had a turn to read them.
  for (const raw of kept) raw.write(ask)
  await service.close()
  for (const raw of kept) {
    const replies = repliesIn(await raw.end())
    expect(replies.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ])
  }
})

test('idle connections kept alive are closed', async () => {
  const { service } = await start(LONG_MS)
  await using _ = service
  using raw = await openRaw(service.port)
  raw.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await raw.until(/alive/)
  await service.close()
  await raw.end()
})

test('a WebSocket gets its answers, then 1001', async () => {
  const { control, service } = await start(LONG_MS)
  await using _ = service
  await using busy = await connectTo(service)
  await using idle = await connectTo(service)
  busy.send(call('wait', {}, 'late'))
  await control.reached(1)
  const closing = service.close()
  expect(await idle.closed).toEqual({ code: 1001, reason: 'the service is stopping: connect again' })
  control.release()
  expect(await busy.next()).toMatchObject({ id: 'late', result: 'released' })
  expect((await busy.closed).code).toBe(1001)
  await closing
})

test('a WebSocket that is not being read is closed all the same', async () => {
  const { control, service } = await start(LONG_MS)
  await using _ = service
  await using socket = await connectTo(service)
  // As many as may run at once: the service has stopped reading.
  for (let id = 0; id < 16; id++) socket.send(call('wait', {}, id))
  await control.reached(16)
  const closing = service.close()
  control.release()
  expect((await socket.closed).code).toBe(1001)
  await closing
})

test('a call that never ends does not keep the service: HTTP', async () => {
  const { control, service } = await start(200)
  await using _ = service
  const requested = ask(service, '/api/v2/wait').catch(() => 'cut off')
  await control.reached(1)
  const aborted = new Promise((resolve) => control.waiting[0]?.signal.addEventListener('abort', resolve))
  await service.close()
  expect(await requested).toBe('cut off')
  await aborted
})

test('a call that never ends does not keep the service: WebSocket', async () => {
  const { control, service } = await start(200)
  await using _ = service
  await using socket = await connectTo(service)
  socket.send(call('wait'))
  await control.reached(1)
  await service.close()
  expect((await socket.closed).code).toBe(1006)
})

test('a peer that does not answer the goodbye does not keep it either', async () => {
  const { service } = await start(200)
  await using _ = service
  using raw = await openRaw(service.port)
  raw.write(
    `GET ${STRICT} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
  )
  await raw.until(/101/)
  const gone = once(raw.socket, 'close')
  await service.close()
  await gone
})

test('closing twice is closing once', async () => {
  const { service } = await start(1000)
  await Promise.all([service.close(), service.close()])
  await service[Symbol.asyncDispose]()
})
