// Names every object has by birth, in every place a name can stand.

import { expect, test } from 'vitest'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { ask, call, connectTo, post, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__', '']

test.each(NAMES)('%j is no method, at any door', async (name) => {
  expect((await post(service(), STRICT, call(name, {}))).body).toEqual({
    jsonrpc: '2.0',
    ok: false,
    error: {
      code: -32601,
      message: 'Method not found',
      data: { kind: 'methodNotFound', ...helpOn('methodNotFound', {}) },
    },
    id: 1,
  })
  expect(await post(service(), TONCENTER, call(name, {}))).toMatchObject({
    status: 422,
    body: { ok: false, error: 'Unknown method' },
  })
  await using socket = await connectTo(service())
  socket.send(call(name, {}))
  expect(await socket.next()).toMatchObject({ error: { code: -32601 } })
  if (name === '') return
  for (const path of [`/api/v2/${name}`, `/api/v3/${name}`]) {
    expect((await ask(service(), path)).status).toBe(404)
    expect((await post(service(), path, {})).status).toBe(404)
  }
  expect((await ask(service(), `/${name}`)).status).toBe(404)
})

test.each(NAMES)('%j is no parameter: refused in strict, ignored elsewhere', async (name) => {
  const params = `{"minuend":3,"subtrahend":1,${JSON.stringify(name)}:{"minuend":9,"polluted":true}}`
  const strict = await post(service(), STRICT, `{"jsonrpc":"2.0","id":1,"method":"subtract","params":${params}}`)
  expect(strict.body.error).toMatchObject({ code: -32602, message: expect.stringContaining(`"${name}"`) })
  const toncenter = await post(service(), TONCENTER, `{"id":1,"method":"subtract","params":${params}}`)
  expect(toncenter.body.result).toBe(2)
  expect((await post(service(), '/api/v2/subtract', params)).body.result).toBe(2)
  const query = new URLSearchParams([
    ['minuend', '3'],
    ['subtrahend', '1'],
    [name, '9'],
  ])
  expect((await ask(service(), `/api/v2/subtract?${query}`)).body.result).toBe(2)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test.each(NAMES)('%j as a member of the request object changes nothing', async (name) => {
  const text = `{"jsonrpc":"2.0","id":1,"method":"get_data",${JSON.stringify(name)}:{"id":5,"method":"sum"}}`
  for (const path of [STRICT, TONCENTER])
    expect((await post(service(), path, text)).body).toMatchObject({ ok: true, id: 1 })
})

test('a prototype cannot bring a request its members', async () => {
  const text = '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"get_data"}}'
  expect((await post(service(), STRICT, text)).body).toMatchObject({ error: { code: -32600 }, id: null })
  const params = '{"__proto__":{"minuend":3,"subtrahend":1}}'
  expect((await post(service(), '/api/v2/subtract', params)).status).toBe(422)
})
