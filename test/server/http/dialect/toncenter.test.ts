// The envelope of v2, over REST and over its own JSON-RPC endpoint.

import { describe, expect, test } from 'vitest'
import { V2_VERSION } from '../../../../shared/version.ts'
import { ask, call, post, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp(), { limits: { batchItems: 3 } }))
const send = (value: unknown) => post(service(), TONCENTER, value)
const EXTRA = /^\d{10}:_:\d+\.\d{3}$/

describe('success', () => {
  test('REST says ok, result and @extra, and nothing else', async () => {
    const { status, headers, body } = await ask(service(), '/api/v2/subtract?minuend=3&subtrahend=1')
    expect([status, headers.get('content-type'), headers.get('x-api-version')]).toEqual([
      200,
      'application/json',
      V2_VERSION,
    ])
    expect(body).toEqual({ ok: true, result: 2, '@extra': expect.stringMatching(EXTRA) })
  })

  test('a cached answer says so in @extra', async () => {
    const path = '/api/v2/fixed?word=extra'
    const first = await ask(service(), path)
    const second = await ask(service(), path)
    expect(second.body.result).toBe(first.body.result)
    expect([first.body['@extra'], second.body['@extra']]).toEqual([
      expect.stringMatching(EXTRA),
      expect.stringMatching(/^\d{10}:_:\d+\.\d{3}:c$/),
    ])
  })

  test.each(['1', '"1"', '""', 'null', '1.5', '12345678901234567890', '"\\u0000"'])(
    'the id %s comes back with its type',
    async (id) => {
      const { text } = await send(`{"id":${id},"method":"subtract","params":{"minuend":3,"subtrahend":1}}`)
      expect(text).toMatch(/^{"ok":true,"result":2,"@extra":"[^"]*","jsonrpc":"2.0","id":.*}$/)
      expect(text.endsWith(`,"id":${id}}`)).toBe(true)
    },
  )

  test('without an id the call is answered all the same, without one', async () => {
    const { status, body } = await send({ method: 'get_data' })
    expect(status).toBe(200)
    expect(body).toEqual({ ok: true, result: ['hello', 5], '@extra': expect.any(String), jsonrpc: '2.0' })
  })

  test.each([
    ['left out', {}],
    ['null', { params: null }],
    ['an empty object', { params: {} }],
    ['an empty list', { params: [] }],
  ])('params may be %s', async (_, rest) => {
    expect((await send({ method: 'get_data', id: 1, ...rest })).status).toBe(200)
  })

  test('unknown parameters are ignored, whatever the version says', async () => {
    const { body } = await send({ jsonrpc: '9', method: 'get_data', params: { other: 1 }, id: 1 })
    expect(body.ok).toBe(true)
  })
})

describe('failure', () => {
  test.each([
    ['unknown method', call('nothing', {}), 'Unknown method'],
    ['positions', call('subtract', [1, 2]), 'failed to parse post request: params must contain an object'],
    ['a missing parameter', call('subtract', {}), 'failed to parse post request: "minuend" is required'],
    ['a method that is no text', { id: 1, method: 5 }, 'Invalid Request'],
    ['no method', { id: 1 }, 'Invalid Request'],
    ['params of text', call('get_data', 'text'), 'Invalid Request'],
    ['params of a number', call('get_data', 5), 'Invalid Request'],
  ])('%s is a 422 with the id', async (_, value, error) => {
    const { status, body } = await send(value)
    expect(status).toBe(422)
    expect(body).toEqual({
      ok: false,
      error,
      code: 422,
      '@extra': expect.stringMatching(EXTRA),
      jsonrpc: '2.0',
      id: 1,
    })
  })

  test.each(['no json', '', 'null', '5', '"text"', '{', '[]'])('the body %j is a 422 without an id', async (text) => {
    const { status, body } = await send(text)
    expect([status, body.ok, body.code, typeof body.error, 'id' in body]).toEqual([422, false, 422, 'string', false])
  })

  test('an id of another type is refused and not echoed', async () => {
    const { status, body } = await send({ id: [1], method: 'get_data' })
    expect([status, 'id' in body]).toEqual([422, false])
  })

  test('GET is a 405 that names POST', async () => {
    const { status, headers, body } = await ask(service(), TONCENTER)
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect(body).toMatchObject({ ok: false, error: 'method GET is not supported: use POST', code: 405 })
  })
})

describe('batches', () => {
  test('each item is answered in this dialect, under 200', async () => {
    const { status, body } = await send([call('get_data', {}, 'a'), call('nothing', {}, 'b'), 5])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { ok: true, result: ['hello', 5], id: 'a' },
      { ok: false, error: 'Unknown method', code: 422, id: 'b' },
      { ok: false, error: 'Invalid Request', code: 422 },
    ])
  })

  test('one item is answered by a list', async () => {
    expect((await send([call('get_data')])).body).toMatchObject([{ ok: true }])
  })

  test('one too many is refused as a whole', async () => {
    const { status, body } = await send(new Array(4).fill(call('get_data')))
    expect(status).toBe(413)
    expect(body).toMatchObject({ ok: false, code: 413, error: 'Batch too large: 3 calls at most' })
  })
})
