// Handlers that fail, hang, or answer what they should not: callers learn what helps them and nothing else.

import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { helpOn } from '../../../shared/errorAdvice.ts'
import { ask, type Body, call, connectTo, post, STRICT, TONCENTER } from '../../setup/calls.ts'
import { Control, madeUp, PRIVATE } from '../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../setup/service.ts'

const lines: Record<string, unknown>[] = []
const log = pino(
  { level: 'debug' },
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>)
      done()
    },
  }),
)
const service = forAllTests(() => serveMethods(madeUp(), { log }))
const hasty = forAllTests(() => serveMethods(madeUp(), { log, config: { callMs: 150 } }))

const GOOD = call('get_data', {}, 'good')
const stillFine = async (where = service()) =>
  expect((await post(where, STRICT, GOOD)).body).toMatchObject({ ok: true })

describe('a handler that throws something private', () => {
  test.each([false, true])('says Internal error and a request id, in each dialect (late: %s)', async (late) => {
    const headers = { 'X-Request-Id': `mine-${late}` }
    const id = `mine-${late}`
    const rest = await ask(service(), `/api/v2/boom?late=${late}`, { headers })
    expect([rest.status, rest.body]).toEqual([
      500,
      { ok: false, error: `Internal error (request ${id})`, code: 500, '@extra': expect.any(String) },
    ])
    const v3 = await ask(service(), `/api/v3/boom?late=${late}`, { headers })
    expect([v3.status, v3.body]).toEqual([500, { error: `Internal error (request ${id})` }])
    const toncenter = await post(service(), TONCENTER, call('boom', { late }), headers)
    expect([toncenter.status, toncenter.body]).toMatchObject([
      500,
      { ok: false, error: `Internal error (request ${id})`, code: 500, id: 1 },
    ])
    const strict = await post(service(), STRICT, call('boom', { late }), headers)
    expect([strict.status, strict.body]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        ok: false,
        error: {
          code: -32603,
          message: 'Internal error',
          data: { kind: 'internal', requestId: id, ...helpOn('internal', {}) },
        },
        id: 1,
      },
    ])
    for (const { text } of [rest, v3, toncenter, strict]) expect(text).not.toMatch(/hunter2|TypeError|secret|at /)
    await stillFine()
  })

  test('the log has it, under the same request id', async () => {
    lines.length = 0
    await ask(service(), '/api/v2/boom', { headers: { 'X-Request-Id': 'to-be-found' } })
    const line = lines.find(({ requestId }) => requestId === 'to-be-found')
    expect(line).toMatchObject({ method: 'boom', kind: 'internal', msg: 'call failed' })
    expect(JSON.stringify(line)).toContain(PRIVATE)
  })

  test('over WebSocket too, and the socket stays', async () => {
    await using socket = await connectTo(service())
    socket.send(call('boom'))
    expect(await socket.next()).toEqual({
      jsonrpc: '2.0',
      ok: false,
      error: {
        code: -32603,
        message: 'Internal error',
        data: { kind: 'internal', requestId: expect.stringMatching(/^ws-/), ...helpOn('internal', {}) },
      },
      id: 1,
    })
    socket.send(GOOD)
    expect(await socket.next()).toMatchObject({ id: 'good', ok: true })
  })

  test('in a batch the others are answered', async () => {
    const { body } = await post(service(), STRICT, [GOOD, call('boom'), call('boom', { late: true }), GOOD])
    expect((body as unknown as Body[]).map(({ ok }) => ok)).toEqual([true, false, false, true])
  })
})

describe('a handler that never answers', () => {
  test('is stopped after the time a call may take, in each dialect', async () => {
    expect(await ask(hasty(), '/api/v2/wait')).toMatchObject({
      status: 504,
      body: { ok: false, error: 'Timeout: no answer within 150 ms', code: 504 },
    })
    expect(await ask(hasty(), '/api/v3/wait')).toMatchObject({
      status: 504,
      body: { error: 'Timeout: no answer within 150 ms' },
    })
    expect(await post(hasty(), TONCENTER, call('wait'))).toMatchObject({ status: 504, body: { code: 504, id: 1 } })
    expect(await post(hasty(), STRICT, call('wait'))).toMatchObject({
      status: 200,
      body: { error: { code: -32006, data: { kind: 'timeout', limit: 150 } } },
    })
    await stillFine(hasty())
  })

  test('does not keep the others of its batch waiting for ever', async () => {
    const { body } = await post(hasty(), STRICT, [...new Array(8).fill(call('wait')), GOOD])
    const items = body as unknown as Body[]
    expect(items.at(-1)).toMatchObject({ ok: true })
    expect(items.slice(0, 8).every(({ error }) => (error as { code: number }).code === -32006)).toBe(true)
  })

  test('is informed that its time has passed', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control), { config: { callMs: 100 } })
    await post(own, STRICT, call('wait'))
    expect(control.waiting.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('is informed that its caller left', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control))
    const leaving = new AbortController()
    const requested = ask(own, '/api/v2/wait', { signal: leaving.signal }).catch(() => 'left')
    await control.reached(1)
    const [waiting] = control.waiting
    const aborted = new Promise((resolve) => waiting?.signal.addEventListener('abort', resolve))
    expect(waiting?.signal.aborted).toBe(false)
    leaving.abort()
    expect(await requested).toBe('left')
    await aborted
    control.release()
  })

  test('is informed that its caller left by WebSocket', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control))
    const socket = await connectTo(own)
    socket.send(call('wait'))
    await control.reached(1)
    const [waiting] = control.waiting
    const aborted = new Promise((resolve) => waiting?.signal.addEventListener('abort', resolve))
    socket.ws.terminate()
    await aborted
    control.release()
  })
})

test('an answer that does not fit its schema never goes out', async () => {
  const { status, text } = await ask(service(), '/api/v2/wrong')
  expect([status, text.includes('7,')]).toEqual([500, false])
  await stillFine()
})

test('a hundred failures at once leave nothing behind', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, i) => ask(hasty(), `/api/v2/${i % 2 ? 'boom' : 'wait'}`)))
  await stillFine(hasty())
})
