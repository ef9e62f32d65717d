// Every example of section 7 of the JSON-RPC 2.0 specification, over HTTP and WebSocket. `ok` is our addition, and taken away
// before comparing; of an unknown method the error has `data`, which the specification leaves to the service.

import { describe, expect, test } from 'vitest'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { connectTo, post, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))

const INVALID = { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid Request' }, id: null }
const UNKNOWN = {
  code: -32601,
  message: 'Method not found',
  data: { kind: 'methodNotFound', ...helpOn('methodNotFound', {}) },
}
const PARSE = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null }

/** Title, what is sent, what must come back; undefined for nothing. */
const examples: [string, string, unknown][] = [
  [
    'positional parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
    { jsonrpc: '2.0', result: 19, id: 1 },
  ],
  [
    'positional parameters, the other way round',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
    { jsonrpc: '2.0', result: -19, id: 2 },
  ],
  [
    'named parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    { jsonrpc: '2.0', result: 19, id: 3 },
  ],
  [
    'named parameters in another order',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    { jsonrpc: '2.0', result: 19, id: 4 },
  ],
  ['a notification', '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', undefined],
  ['a notification of a method there is not', '{"jsonrpc": "2.0", "method": "foobar"}', undefined],
  [
    'a method there is not',
    '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
    { jsonrpc: '2.0', error: UNKNOWN, id: '1' },
  ],
  ['invalid JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', PARSE],
  ['an invalid request object', '{"jsonrpc": "2.0", "method": 1, "params": "bar"}', INVALID],
  [
    'a batch of invalid JSON',
    '[\n  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},\n  {"jsonrpc": "2.0", "method"\n]',
    PARSE,
  ],
  ['an empty batch', '[]', INVALID],
  ['a batch of one invalid item', '[1]', [INVALID]],
  ['an invalid batch', '[1,2,3]', [INVALID, INVALID, INVALID]],
  [
    'a batch of everything',
    `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`,
    [
      { jsonrpc: '2.0', result: 7, id: '1' },
      { jsonrpc: '2.0', result: 19, id: '2' },
      INVALID,
      { jsonrpc: '2.0', error: UNKNOWN, id: '5' },
      { jsonrpc: '2.0', result: ['hello', 5], id: '9' },
    ],
  ],
  [
    'a batch of notifications',
    `[
      {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`,
    undefined,
  ],
]

function withoutOk(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutOk)
  const { ok, ...rest } = body as Record<string, unknown>
  expect(ok).toBe('result' in rest)
  return rest
}

describe('over HTTP', () => {
  test.each(examples)('%s', async (_, sent, expected) => {
    const { status, text, body } = await post(service(), STRICT, sent)
    expect(status).toBe(expected === undefined ? 204 : 200)
    if (expected === undefined) expect(text).toBe('')
    else expect(withoutOk(body)).toEqual(expected)
  })
})

describe('over WebSocket', () => {
  test.each(examples)('%s', async (_, sent, expected) => {
    await using socket = await connectTo(service())
    socket.send(sent)
    // What follows is answered second, or first when there was nothing to say.
    if (expected !== undefined) expect(withoutOk(await socket.next())).toEqual(expected)
    socket.send({ jsonrpc: '2.0', method: 'subtract', params: [1, 1], id: 'after' })
    expect(await socket.next()).toMatchObject({ id: 'after' })
  })
})
