// One caller's worst and another one's call. Nothing here is measured in time: what counts is how much of the one was
// served before the other one was answered.

import { describe, expect, test } from 'vitest'
import { ask, type Body, call, connectTo, post, refusalOf, STRICT, TONCENTER } from '../../setup/calls.ts'
import { Control, madeUp } from '../../setup/madeUp.ts'
import { openRaw } from '../../setup/rawSocket.ts'
import { serveMethods, type TestService } from '../../setup/service.ts'

const FLOOD = 20_000
const CALLS = 20

/** Another caller than the tests' own address, one call after the other. Its key is written to a disk, before the flood. */
async function openCaller(service: TestService): Promise<() => Promise<void>> {
  const { key } = await service.newKey({ plan: 'custom', perSecond: 10_000 })
  const callOnce = async (): Promise<void> => {
    expect((await post(service, STRICT, call('get_data'), { 'X-API-Key': key })).status).toBe(200)
  }
  await callOnce()
  return async () => {
    for (let i = 0; i < CALLS; i++) await callOnce()
  }
}

describe('a flood', () => {
  test.each([
    ['refused', '1'],
    ['answered', JSON.stringify(call('subtract', [2, 1]))],
  ])('of frames that are %s: another caller does not wait for it', async (_, frame) => {
    await using service = await serveMethods(madeUp(), { limits: { refusals: FLOOD } })
    const callOften = await openCaller(service)
    await using flooder = await connectTo(service)
    let served = 0
    flooder.ws.on('message', () => served++)
    for (let i = 0; i < FLOOD; i++) flooder.ws.send(frame)
    await callOften()
    expect(served).toBeLessThan(FLOOD / 2)
  })

  test('of requests on one connection: another caller does not wait for it', async () => {
    await using service = await serveMethods(madeUp())
    const callOften = await openCaller(service)
    using raw = await openRaw(service.port)
    raw.write('GET /api/v2/subtract?minuend=3&subtrahend=1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(FLOOD))
    await callOften()
    expect(raw.text.split('HTTP/1.1 200').length).toBeLessThan(FLOOD / 2)
  })
})

describe('frames that are refused again and again', () => {
  const tight = { config: { limits: 'on' }, limits: { refusals: 5 }, now: () => 1e6 } as const

  test.each([
    ['no requests', '1'],
    ['no JSON', '['],
    ['over the rate', JSON.stringify(call('get_data'))],
  ])('%s: the socket is closed with 1008 and the bound, and the caller kept out for a while', async (_, frame) => {
    await using service = await serveMethods(madeUp(), tight)
    await using socket = await connectTo(service)
    for (let i = 0; i < 50; i++) socket.ws.send(frame)
    const reason = 'too many refused frames: 5 within 10000 ms at most; heed retryAfter'
    expect(await socket.closed).toEqual({ code: 1008, reason })
    const refusal = await refusalOf(connectTo(service))
    expect([refusal.status, refusal.body]).toMatchObject([429, { error: { data: { kind: 'rateLimited' } } }])
  })

  test('a neighbour with a key behind the same address is not concerned', async () => {
    await using service = await serveMethods(madeUp(), tight)
    const { key } = await service.newKey()
    await using socket = await connectTo(service)
    for (let i = 0; i < 50; i++) socket.ws.send('1')
    await socket.closed
    await using neighbour = await connectTo(service, STRICT, { headers: { 'X-API-Key': key } })
    neighbour.send(call('get_data'))
    expect(await neighbour.next()).toMatchObject({ ok: true })
  })

  test('calls that fail are no such refusals', async () => {
    await using service = await serveMethods(madeUp(), { limits: { refusals: 5 } })
    await using socket = await connectTo(service)
    for (let id = 0; id < 20; id++) socket.send(call('nothing', {}, id))
    for (let id = 0; id < 20; id++) expect(await socket.next()).toMatchObject({ error: { code: -32601 } })
  })
})

describe('calls that take long', () => {
  test('one caller has a share of what runs, and another one is let in meanwhile', async () => {
    const control = new Control()
    await using service = await serveMethods(madeUp(control))
    const greedy = await service.newKey({ plan: 'advanced' })
    const other = await service.newKey()
    const batch = Array.from({ length: 4 }, (_, id) => call('wait', {}, id))
    const headers = { 'X-API-Key': greedy.key }
    const batches = Array.from({ length: 10 }, () => post(service, STRICT, batch, headers))
    await control.reached(16)
    const answer = await post(service, STRICT, call('types', { count: 1 }), { 'X-API-Key': other.key })
    expect(answer.body).toMatchObject({ ok: true })
    expect(control.waiting.length).toBe(16)
    for (let done = 0; done < 40; ) {
      await control.reached(1)
      done += control.waiting.length
      control.release()
    }
    for (const { body } of await Promise.all(batches)) expect(body).toHaveLength(4)
    expect(control.mostAtOnce).toBe(16)
  })
})

describe('a whole batch', () => {
  test.each([STRICT, TONCENTER])('has a deadline: what it did not reach is refused one by one at %s', async (path) => {
    const control = new Control()
    await using service = await serveMethods(madeUp(control), { limits: { batchMs: 1_000, batchLanes: 1 } })
    const items = [call('get_data', {}, 'a'), call('wait', {}, 'b'), call('get_data', {}, 'c')]
    const answer = await post(service, path, items)
    const replies = answer.body as unknown as Body[]
    expect([answer.status, replies.map(({ id }) => id)]).toEqual([200, ['a', 'b', 'c']])
    expect(replies[0]).toMatchObject({ result: ['hello', 5] })
    expect(JSON.stringify(replies[1])).toContain('Timeout')
    expect(JSON.stringify(replies[2])).toContain('Timeout: the whole batch took longer than 1000 ms')
  })

  test('is answered as ever when it is long and quick', async () => {
    await using service = await serveMethods(madeUp())
    const { key } = await service.newKey({ plan: 'custom', perSecond: 10_000 })
    const items = Array.from({ length: 1000 }, (_, id) => call('subtract', [id, 0], id))
    const answer = await post(service, STRICT, items, { 'X-API-Key': key })
    expect((answer.body as unknown as Body[]).map(({ result }) => result)).toEqual(items.map(({ id }) => id))
  })
})

test('a caller with nothing left is refused before a long text of it is read', async () => {
  await using service = await serveMethods(madeUp(), { config: { limits: 'on' }, now: () => 1e6 })
  expect((await ask(service, '/api/v2/fixed')).status).toBe(200)
  for (const path of [STRICT, TONCENTER]) {
    const refused = await post(service, path, `[${'1,'.repeat(20_000)}`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  }
})
