// What the JSON-RPC 2.0 door does beyond the specification's own examples.

import { describe, expect, test } from 'vitest'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { ask, call, post, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp(), { limits: { batchItems: 20, replyBytes: 5000 } }))
const send = (value: unknown) => post(service(), STRICT, value)
const withId = (id: string) => `{"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":${id}}`

describe('ids', () => {
  test.each([
    '"text"',
    '""',
    '"\\u00e9\\n\\ud83d\\ude00"',
    '"\\ud800"',
    '0',
    '-1',
    '1.5',
    'null',
    '9007199254740993',
    '123456789012345678901234567890123456789012345678901234567890',
    '-9223372036854775808',
  ])('%s is echoed as it came', async (id) => {
    const { text, body } = await send(withId(id))
    expect(body).toMatchObject({ jsonrpc: '2.0', ok: true, result: 1 })
    const echoed = /"id":(.*)}$/.exec(text)?.[1] ?? ''
    if (id.startsWith('"')) expect(JSON.parse(echoed)).toBe(JSON.parse(id))
    else expect(echoed).toBe(id)
  })

  test.each(['{}', '[]', '[1]', '{"a":1}', 'true', 'false', '1e999'])('%s is refused, and not echoed', async (id) => {
    const { status, body } = await send(withId(id))
    expect(status).toBe(200)
    const advice = 'Send `id` as a text or a number, or leave it out to get no reply.'
    const data = { kind: 'invalidRequest', advice, docs: expect.any(String) }
    const error = { code: -32600, message: 'Invalid Request', data }
    expect(body).toEqual({ jsonrpc: '2.0', ok: false, error, id: null })
  })

  test('an id is echoed also in a failure', async () => {
    expect((await send({ jsonrpc: '2.0', method: 'no', id: 'mine' })).body).toMatchObject({ id: 'mine' })
    expect((await send({ jsonrpc: '2.0', method: 5, id: 7 })).body).toMatchObject({ id: 7, error: { code: -32600 } })
  })
})

describe('what is no request', () => {
  const invalid = { jsonrpc: '2.0', ok: false, error: { code: -32600, message: 'Invalid Request' }, id: null }
  test.each(['null', '5', '"text"', 'true', '{}'])('%s', async (text) => {
    expect((await send(text)).body).toEqual(invalid)
  })

  test.each([
    ['[null]', 1],
    ['[[]]', 1],
    ['[[{"jsonrpc":"2.0","method":"subtract","params":[2,1],"id":1}]]', 1],
    ['[null,true,"x",1.5]', 4],
  ])('%s is a batch of refusals', async (text, count) => {
    expect((await send(text)).body).toEqual(new Array(count).fill(invalid))
  })

  test('a method that is a list', async () => {
    expect((await send({ jsonrpc: '2.0', method: ['get_data'], id: 1 })).body).toEqual({ ...invalid, id: 1 })
  })

  test.each(['a', 1, null])('params that are %j: says what they can be', async (params) => {
    const advice = 'Send `params` as an object of names and values, or as a list in declared order, or leave it out.'
    const data = { kind: 'invalidRequest', advice, docs: expect.any(String) }
    const { body } = await send({ jsonrpc: '2.0', method: 'get_data', params, id: 1 })
    expect(body).toEqual({ ...invalid, id: 1, error: { ...invalid.error, data } })
  })

  test.each([
    ['no version', { method: 'get_data', id: 1 }],
    ['another version', { jsonrpc: '1.0', method: 'get_data', id: 1 }],
    ['a version that is a number', { jsonrpc: 2, method: 'get_data', id: 1 }],
  ])('%s: says what to add', async (_, value) => {
    const advice = 'Add "jsonrpc": "2.0" to the call; /api/v2/jsonRPC takes calls without it.'
    const data = { kind: 'invalidRequest', advice, docs: expect.any(String) }
    expect((await send(value)).body).toEqual({ ...invalid, id: 1, error: { ...invalid.error, data } })
  })

  test.each(['', ' ', '{', '[', '{"a":}', 'undefined', '\ufeff\ufeff{}', "{'a':1}", '{"a":1}x', '[1,]'])(
    'text %j is a parse error',
    async (text) => {
      const { status, body } = await send(text)
      expect(status).toBe(200)
      expect(body).toEqual({ jsonrpc: '2.0', ok: false, error: { code: -32700, message: 'Parse error' }, id: null })
    },
  )
})

describe('params', () => {
  test('an unknown name is refused by name, and the known ones are listed', async () => {
    const { body } = await send(call('subtract', { minuend: 1, subtrahend: 2, other: 3 }))
    expect(body.error).toEqual({
      code: -32602,
      message: 'Invalid params: unknown parameter "other": known are minuend, subtrahend',
      data: { kind: 'invalidParams', param: 'other', ...helpOn('invalidParams', {}) },
    })
  })

  test('too many positions are refused, with the bound', async () => {
    expect((await send(call('subtract', [1, 2, 3]))).body.error).toMatchObject({ code: -32602, data: { limit: 2 } })
  })

  test('a missing one is named', async () => {
    expect((await send(call('subtract', [1]))).body.error).toMatchObject({
      message: 'Invalid params: "subtrahend" is required',
      data: { param: 'subtrahend' },
    })
  })

  test('null leaves one out, by name and by position', async () => {
    expect((await send(call('types', { count: 3, word: null }))).body.result).toEqual({ count: 3 })
    expect((await send(call('types', [null, null, 3]))).body.result).toEqual({ count: 3 })
  })
})

describe('batches', () => {
  test('one item is answered by a list', async () => {
    expect((await send([call('get_data')])).body).toEqual([{ jsonrpc: '2.0', ok: true, result: ['hello', 5], id: 1 }])
  })

  test('answers stand in the order of the calls', async () => {
    const { body } = await send(Array.from({ length: 20 }, (_, i) => call('subtract', [i, 0], i)))
    expect((body as unknown as { id: number; result: number }[]).map(({ id, result }) => [id, result])).toEqual(
      Array.from({ length: 20 }, (_, i) => [i, i]),
    )
  })

  test('one too many is refused as a whole, naming the bound', async () => {
    const { status, body } = await send(new Array(21).fill(call('get_data')))
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      ok: false,
      error: {
        code: -32600,
        message: 'Batch too large: 20 calls at most',
        data: { kind: 'batchTooLarge', limit: 20, ...helpOn('batchTooLarge', {}) },
      },
      id: null,
    })
  })

  test('what does not fit into the reply is refused, notifications in silence', async () => {
    const { body } = await send([
      ...new Array(4).fill(call('repeat', { times: 3000 })),
      ...new Array(4).fill(call('get_data')),
      ...new Array(4).fill(call('get_data', [], 'late')),
      { jsonrpc: '2.0', method: 'get_data' },
    ])
    const items = body as unknown as { id: unknown; error?: { code: number; data: unknown } }[]
    expect(items).toHaveLength(12)
    // Four calls run at once, so a few more are begun before the first long answer is measured.
    for (const item of items.slice(8))
      expect(item).toMatchObject({ id: 'late', error: { code: -32003, data: { limit: 5000, reason: 'batch' } } })
  })
})

test('only POST is served, and the refusal says so in this dialect', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers, body } = await ask(service(), STRICT, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect(body).toMatchObject({ jsonrpc: '2.0', ok: false, error: { code: -32600 }, id: null })
  }
  expect((await ask(service(), STRICT, { method: 'HEAD' })).status).toBe(405)
})
