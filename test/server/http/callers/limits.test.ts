// How many calls a caller may make, and how every door says that it was too many.

import { describe, expect, test } from 'vitest'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { ask, type Body, call, connectTo, post, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { serveMethods, type TestOptions, type TestService } from '../../../setup/service.ts'

/** Time stands still, or a slow machine would fill budgets while a test spends them. */
const NOW = Date.now()
const TRUSTED: TestOptions['config'] = { limits: 'on', trustProxy: ['127.0.0.1'] }
const start = (config = TRUSTED, limits: TestOptions['limits'] = {}) =>
  serveMethods(madeUp(), { config, limits, now: () => NOW })

let callers = 0
/** An account who never called before. */
const stranger = () => ({ 'X-Forwarded-For': `10.${callers >> 16}.${(callers >> 8) & 255}.${callers++ & 255}` })

type Send = (service: TestService, method: string, headers: Record<string, string>) => ReturnType<typeof ask>
const doors: [string, Send, (body: Body) => void][] = [
  ['REST', (service, method, headers) => ask(service, `/api/v2/${method}`, { headers }), toncenter],
  ['toncenter JSON-RPC', (service, method, headers) => post(service, TONCENTER, call(method), headers), toncenter],
  ['strict JSON-RPC', (service, method, headers) => post(service, STRICT, call(method), headers), strict],
  [
    'v3',
    (service, _method, headers) => ask(service, '/api/v3/word?word=a', { headers }),
    (body) => expect(body).toEqual({ error: 'Ratelimit exceeded' }),
  ],
]

function toncenter(body: Body): void {
  expect(body).toMatchObject({ ok: false, error: 'Ratelimit exceeded', code: 429 })
}

function strict(body: Body): void {
  expect(body).toMatchObject({
    jsonrpc: '2.0',
    error: {
      code: -32005,
      message: 'Ratelimit exceeded',
      data: { kind: 'rateLimited', limit: 1, retryAfter: expect.any(Number), ...helpOn('rateLimited', {}) },
    },
    id: 1,
  })
}

describe.each(doors)('%s', (_, send, says) => {
  test('without a key the second call at once is refused, with everything a caller needs to know', async () => {
    await using service = await start()
    const headers = stranger()
    const first = await send(service, 'fixed', headers)
    expect([first.status, first.headers.get('retry-after')]).toEqual([200, null])
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'ratelimit-policy': '"keyless";q=1;w=1',
      ratelimit: '"keyless";r=0;t=1',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    })
    const second = await send(service, 'fixed', headers)
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    says(second.body)
    expect((await send(service, 'fixed', stranger())).status).toBe(200)
  })

  test('what is refused at the door is charged all the same', async () => {
    await using service = await start()
    for (const spoil of [
      (headers: Record<string, string>) => post(service, STRICT, 'no json', headers),
      (headers: Record<string, string>) => post(service, STRICT, '[]', headers),
      (headers: Record<string, string>) => post(service, STRICT, call('fixed', { other: 1 }), headers),
      (headers: Record<string, string>) => post(service, TONCENTER, '5', headers),
      (headers: Record<string, string>) => post(service, '/api/v2/fixed', '[]', headers),
      (headers: Record<string, string>) => ask(service, '/api/v2/nothing', { headers }),
      (headers: Record<string, string>) => ask(service, STRICT, { headers }),
      (headers: Record<string, string>) => ask(service, '/api/v2/types?count=x', { headers }),
    ]) {
      const headers = stranger()
      expect((await spoil(headers)).status).not.toBe(429)
      expect((await send(service, 'fixed', headers)).status).toBe(429)
    }
  })
})

describe('costs', () => {
  test('a batch of n is charged n; each item too many is refused by itself, under 200', async () => {
    await using service = await start()
    const { key } = await service.newKey()
    const headers = { 'X-API-Key': key }
    const answer = await post(
      service,
      STRICT,
      Array.from({ length: 13 }, (_, id) => call('fixed', {}, id)),
      headers,
    )
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([200, null])
    const items = answer.body as unknown as Body[]
    expect(items.map((item) => item.ok === true)).toEqual([...new Array(10).fill(true), false, false, false])
    for (const item of items.slice(10)) expect(item.error).toMatchObject({ code: -32005, data: { limit: 10 } })
    expect(answer.headers.get('ratelimit-remaining')).toBe('0')
  })

  test('a batch refused in all its items is a 429', async () => {
    await using service = await start()
    for (const path of [STRICT, TONCENTER]) {
      const headers = stranger()
      expect((await post(service, path, call('fixed'), headers)).status).toBe(200)
      const answer = await post(service, path, [call('fixed', {}, 'a'), call('fixed', {}, 'b')], headers)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
      expect(answer.body).toMatchObject([{ id: 'a' }, { id: 'b' }])
    }
  })

  test('a dear call is charged its price, and its refusal says when it would pass', async () => {
    await using service = await start()
    const { key } = await service.newKey()
    const headers = { 'X-API-Key': key }
    expect((await ask(service, '/api/v2/costly', { headers })).headers.get('ratelimit-remaining')).toBe('5')
    expect((await post(service, STRICT, new Array(3).fill(call('fixed')), headers)).status).toBe(200)
    const refused = await ask(service, '/api/v2/costly', { headers })
    // Two or three calls are left, so a cheap one would pass: the refusal has its own time to name.
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  })

  test('notifications are charged, too', async () => {
    await using service = await start()
    const headers = stranger()
    const silent = await post(service, STRICT, { jsonrpc: '2.0', method: 'fixed' }, headers)
    expect([silent.status, silent.headers.get('ratelimit-remaining')]).toEqual([204, '0'])
    expect((await post(service, STRICT, call('fixed'), headers)).status).toBe(429)
  })

  test('frames of a WebSocket are charged one by one', async () => {
    await using service = await start()
    await using socket = await connectTo(service, STRICT, { headers: stranger() })
    socket.send(call('fixed', {}, 1))
    socket.send(call('fixed', {}, 2))
    const replies = [await socket.next(), await socket.next()]
    expect(replies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1, ok: true }),
        expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32005 }) }),
      ]),
    )
  })

  test('a batch may be longer with a key', async () => {
    await using service = await start({ limits: 'off' }, { batchItems: 2, batchItemsWithKey: 4 })
    const { key } = await service.newKey()
    const send = (n: number, headers: Record<string, string> = {}) =>
      post(service, STRICT, new Array(n).fill(call('fixed')), headers)
    expect((await send(3)).body.error).toMatchObject({ data: { limit: 2 } })
    expect((await send(4, { 'X-API-Key': key })).body).toHaveLength(4)
    expect((await send(5, { 'X-API-Key': key })).body.error).toMatchObject({ data: { limit: 4 } })
  })
})

describe('who is who', () => {
  const twice = async (service: TestService, one: Record<string, string>, other: Record<string, string>) => [
    (await ask(service, '/api/v2/fixed', { headers: one })).status,
    (await ask(service, '/api/v2/fixed', { headers: other })).status,
  ]

  test('what an untrusted proxy says is not believed', async () => {
    await using service = await start({ limits: 'on' })
    expect(await twice(service, { 'X-Forwarded-For': '10.0.0.1' }, { 'X-Forwarded-For': '10.0.0.2' })).toEqual([
      200, 429,
    ])
  })

  test('of a trusted proxy the last hop counts, not what the caller wrote before it', async () => {
    await using service = await start()
    expect(
      await twice(service, { 'X-Forwarded-For': '1.1.1.1, 10.1.0.1' }, { 'X-Forwarded-For': '2.2.2.2, 10.1.0.1' }),
    ).toEqual([200, 429])
    expect(await twice(service, { 'X-Forwarded-For': '10.1.0.2' }, { 'X-Forwarded-For': '10.1.0.3' })).toEqual([
      200, 200,
    ])
  })

  test('two keys have two budgets, and neither touches that of the address', async () => {
    await using service = await start({ limits: 'on' })
    const one = await service.newKey()
    const other = await service.newKey()
    const many = new Array(10).fill(call('fixed'))
    for (const { key } of [one, other]) {
      const { body } = await post(service, STRICT, many, { 'X-API-Key': key })
      expect((body as unknown as Body[]).every(({ ok }) => ok === true)).toBe(true)
    }
    expect((await ask(service, '/api/v2/fixed')).status).toBe(200)
  })

  test('a caller on this machine is free on the devnet, and sees no limit', async () => {
    await using service = await start({})
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await ask(service, '/api/v2/fixed')
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-limit')]).toEqual([200, null, null])
    }
  })

  test('on another network it is limited like everybody', async () => {
    await using service = await start({ network: 'testnet' })
    expect(await twice(service, {}, {})).toEqual([200, 429])
  })

  test('limits off frees everybody', async () => {
    await using service = await start({ network: 'mainnet', limits: 'off' })
    expect(await twice(service, {}, {})).toEqual([200, 200])
  })
})
