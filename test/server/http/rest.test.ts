// The REST mirror: paths, verbs, and query text made into what a schema wants.

import { describe, expect, test } from 'vitest'
import { namesLike } from '../../../server/methods/dispatch/nearestName.ts'
import { V3_VERSION } from '../../../shared/version.ts'
import { ask, post, rpc, STRICT, TONCENTER } from '../../setup/calls.ts'
import { madeUp } from '../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))
const get = (path: string) => ask(service(), path)
const types = async (query: string) => (await get(`/api/v2/types?${query}`)).body.result

const WHOLE = '-9223372036854775808'
const HASH = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'

describe('query text', () => {
  test('numbers, booleans and lists become what the schema names', async () => {
    expect(await types(`count=-7&flag=yes&word=5&hashes=${HASH}&hashes=${HASH.toUpperCase()}`)).toEqual({
      count: -7,
      flag: true,
      word: '5',
      hashes: [HASH, HASH],
    })
  })

  test.each(['y', 'YES', 't', 'True', 'on', '1'])('%s is true', async (text) => {
    expect(await types(`flag=${text}`)).toEqual({ flag: true })
  })

  test.each(['n', 'NO', 'f', 'False', 'off', '0'])('%s is false', async (text) => {
    expect(await types(`flag=${text}`)).toEqual({ flag: false })
  })

  test('an empty boolean counts as not given', async () => {
    expect(await types('flag=')).toEqual({})
  })

  test.each(['', '%20', '1.0', '1e3', '0x10', '+1', '%2B1', '1%20', '1_000', '٣', '9'.repeat(400), 'NaN', 'Infinity'])(
    'count=%s is refused',
    async (text) => {
      const { status, body } = await get(`/api/v2/types?count=${encodeURI(text).replaceAll('%25', '%')}`)
      expect([status, body.code]).toEqual([422, 422])
      expect(body.error).toContain('"count"')
    },
  )

  test('of a scalar sent twice the last counts; of a list all, also when it is one', async () => {
    expect(await types(`count=1&count=2&hashes=${HASH}`)).toEqual({ count: 2, hashes: [HASH] })
    const many = new URLSearchParams(new Array(4).fill(['hashes', HASH]))
    expect((await get(`/api/v2/types?${many}`)).body.error).toContain('at most 3')
  })

  test.each([
    ['/api/v2/types', { ok: true, result: { word: 'слово' } }],
    ['/api/v3/word', { word: 'слово', numbers: [] }],
  ])('a reply of %s has the length of its bytes', async (path, said) => {
    const { headers, text, body } = await get(`${path}?word=${encodeURIComponent('слово')}`)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(body).toMatchObject(said)
  })

  test('a body may begin with a byte order mark', async () => {
    const asked = { method: 'POST', body: '\ufeff{"count":1}' }
    expect((await ask(service(), '/api/v2/types', asked)).body.result).toEqual({ count: 1 })
    const call = '\ufeff{"jsonrpc":"2.0","id":1,"method":"types","params":{"count":2}}'
    for (const door of [STRICT, TONCENTER])
      expect((await post(service(), door, call)).body.result).toEqual({ count: 2 })
  })

  test('unknown names are ignored, the key among them', async () => {
    expect(await types('count=1&other=2&__proto__=3&constructor=4')).toEqual({ count: 1 })
  })

  test('broken escapes are text like any other', async () => {
    expect(await types('word=%&count=1')).toEqual({ word: '%', count: 1 })
    expect(await types('word=%E0%A4%A')).toEqual({ word: '\ufffd%A' })
  })
})

describe('64-bit numbers are exact', () => {
  const paths = [STRICT, TONCENTER]
  test.each([
    ['signed text', `"${WHOLE}"`],
    ['a bare number', WHOLE],
    ['unsigned', '9223372036854775808'],
    ['hex', '"8000000000000000"'],
  ])('shard as %s', async (_, text) => {
    for (const path of paths) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"types","params":{"shard":${text}}}`
      expect((await post(service(), path, body)).body.result).toEqual({ shard: WHOLE })
    }
    expect((await post(service(), '/api/v2/types', `{"shard":${text}}`)).body.result).toEqual({ shard: WHOLE })
    expect(await types(`shard=${text.replaceAll('"', '')}`)).toEqual({ shard: WHOLE })
  })

  test.each(['47670702000009', '9007199254740993', '9223372036854775807'])(
    'lt %s as a number and as text',
    async (lt) => {
      expect((await post(service(), '/api/v2/types', `{"lt":${lt}}`)).body.result).toEqual({ lt })
      expect((await post(service(), '/api/v2/types', `{"lt":"${lt}"}`)).body.result).toEqual({ lt })
      expect(
        (await post(service(), STRICT, `{"jsonrpc":"2.0","id":1,"method":"types","params":[null,${lt}]}`)).body.result,
      ).toEqual({ lt })
    },
  )

  test.each(['9223372036854775808', '-1', '1.5', '1e30', '9'.repeat(400), '"1e5"', '""', '[]', 'true'])(
    'lt %s is refused',
    async (lt) => {
      const { status, body } = await post(service(), '/api/v2/types', `{"lt":${lt}}`)
      expect([status, body.code]).toEqual([422, 422])
    },
  )
})

describe('POST bodies', () => {
  test('no body at all is no parameters', async () => {
    expect((await ask(service(), '/api/v2/runOnly', { method: 'POST' })).body.result).toBe('done')
    expect((await post(service(), '/api/v2/runOnly', ' \n')).body.result).toBe('done')
  })

  test('any content type is read as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const { body } = await post(
        service(),
        '/api/v2/subtract',
        { minuend: 2, subtrahend: 1 },
        { 'Content-Type': type },
      )
      expect(body.result).toBe(1)
    }
  })

  test('numbers and booleans may be text, null is not given, unknown names are ignored', async () => {
    const params = { count: '5', flag: 'no', word: null, other: { deep: [1] } }
    expect((await post(service(), '/api/v2/types', params)).body.result).toEqual({ count: 5, flag: false })
    expect((await post(service(), '/api/v2/types', { flag: 0 })).body.result).toEqual({ flag: false })
  })

  test.each(['[]', 'null', '5', '"text"', 'not json', '{"a":'])('%s is a 422', async (text) => {
    const { status, body } = await post(service(), '/api/v2/subtract', text)
    expect([status, body.ok, body.code]).toEqual([422, false, 422])
  })
})

describe('paths and verbs', () => {
  test.each([
    '/api/v2/nothing',
    '/api/v2/Subtract',
    '/api/v2/subtract//',
    '/api/v2/nothing/',
    '/api/v2//subtract',
    '/api/v2/%73ubtract',
    '/api/v2/toString',
    '/api/v2/%',
  ])('%s is a 404 of v2', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Not Found(: did you mean .*\?)?$/),
      code: 404,
    })
  })

  test.each(['/nothing', '//', '/act', '/api/v2/../../etc'])('%s is a 404', async (path) => {
    const { status, headers, body } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json'])
    expect(body.error).toBe('Not Found')
  })

  test.each(['/api/v1/subtract', '/API/V2/subtract', '//api/v2/subtract', '/v2/subtract', '/subtract'])(
    '%s is a 404 that names the path of the method',
    async (path) => {
      const { status, body } = await get(path)
      expect([status, body.error]).toEqual([404, 'Not Found: did you mean /api/v2/subtract?'])
    },
  )

  test('a slash may follow the path of a call, as at toncenter', async () => {
    const { status, body } = await get('/api/v2/subtract/?minuend=3&subtrahend=1')
    expect([status, body.result]).toEqual([200, 2])
    expect((await post(service(), '/api/v2/subtract/', { minuend: 3, subtrahend: 1 })).body.result).toBe(2)
    expect((await ask(service(), '/api/v2/subtract/', { method: 'PUT' })).status).toBe(405)
    const call = { jsonrpc: '2.0', id: 1, method: 'subtract', params: { minuend: 3, subtrahend: 1 } }
    for (const door of [STRICT, TONCENTER]) {
      const said = await post(service(), `${door}/`, call)
      expect([said.status, said.body.result, said.body.id]).toEqual([200, 2, 1])
    }
  })

  test.each(['/jsonrpc', '/jsonRPC//'])('%s is a 404 that names the path of JSON-RPC', async (path) => {
    const { status, body } = await get(path)
    expect([status, body.error]).toEqual([404, 'Not Found: did you mean /jsonRPC?'])
  })

  test.each([
    ['GET', '/api/v2/runOnly', 'POST, OPTIONS'],
    ['DELETE', '/api/v2/subtract', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/api/v2/runOnly', 'POST, OPTIONS'],
  ])('%s %s is a 405 that names what is served', async (method, path, allow) => {
    const { status, headers, body } = await ask(service(), path, { method })
    expect([status, headers.get('allow'), body.code, body.ok]).toEqual([405, allow, 405, false])
    expect(body.error).toContain(`method ${method} is not supported`)
  })

  test('no cache in between keeps an answer, which is of a moment and of a key', async () => {
    const kept = async (path: string, init?: RequestInit) =>
      (await ask(service(), path, init)).headers.get('cache-control')
    const sum = '/api/v2/subtract?minuend=3&subtrahend=1'
    for (const path of [sum, '/api/v2/nothing', '/api/v3/nothing', '/api/v2/subtract'])
      expect(await kept(path)).toBe('no-store')
    expect(await kept(sum, { headers: { 'X-API-Key': 'none' } })).toBe('no-store')
    for (const path of [STRICT, TONCENTER]) expect(await kept(path, { method: 'POST', body: '{}' })).toBe('no-store')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const path = '/api/v2/subtract?minuend=3&subtrahend=1'
    const { status, headers, text } = await ask(service(), path, { method: 'HEAD' })
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/json'])
    expect(Number(headers.get('content-length'))).toBeGreaterThan(20)
    expect((await ask(service(), '/api/v2/nothing', { method: 'HEAD' })).status).toBe(404)
  })
})

describe('v3', () => {
  test('the result stands bare, a failure is {"error": text}', async () => {
    const good = await get('/api/v3/word?word=yes&numbers=1&numbers=2')
    expect([good.status, good.headers.get('x-api-version')]).toEqual([200, V3_VERSION])
    expect(good.body).toEqual({ word: 'yes', numbers: [1, 2] })
    expect((await post(service(), '/api/v3/word', { word: 'yes' })).body).toEqual({ word: 'yes', numbers: [] })

    const bad = await get('/api/v3/word')
    expect([bad.status, bad.body]).toEqual([422, { error: '"word" is required' }])
    expect((await get('/api/v3/nothing')).body).toEqual({ error: 'Not Found' })
    expect(await ask(service(), '/api/v3/word', { method: 'PUT' })).toMatchObject({
      status: 405,
      body: { error: 'method PUT is not supported: use GET, POST' },
    })
    const unparsed = { error: 'Parse error: what was sent is not JSON' }
    expect((await post(service(), '/api/v3/word', 'word=yes')).body).toEqual(unparsed)
    for (const path of ['/api/v2/types', TONCENTER])
      expect((await post(service(), path, 'count=1')).body).toMatchObject({ ...unparsed, code: 422 })
  })

  test('one that is missing is refused with the unknown name it may have been misspelt as', async () => {
    const words = '"word" is required: "wrod" may be a misspelling of it'
    expect((await get('/api/v3/word?wrod=yes&numbers=1')).body).toEqual({ error: words })
    expect((await post(service(), '/api/v3/word', { wrod: 'yes' })).body).toEqual({ error: words })

    const enveloped = await rpc(service(), TONCENTER, 'v3.word', { wrod: 'yes' })
    expect(enveloped.body).toMatchObject({ error: `failed to parse post request: ${words}` })

    const bare = { error: '"word" is required' }
    expect((await get('/api/v3/word?numbers=1&color=blue')).body).toEqual(bare)
    const many = Array.from({ length: 400 }, (_, i) => `another${i}=1`).join('&')
    expect((await get(`/api/v3/word?${many}&wrod=yes`)).body).toEqual(bare)
    expect((await get('/api/v3/word?word=yes&wrod=no')).body).toEqual({ word: 'yes', numbers: [] })
  })

  test('names that are ignored are listed in a header, with what they may be misspelt from', async () => {
    const ignored = async (query: string) => (await get(`/api/v3/word?${query}`)).headers.get('x-ignored-parameters')
    for (const _ of ['first', 'the same text again'])
      expect(await ignored('word=yes&nubmers=1&color=blue')).toBe('nubmers (numbers?), color')
    expect(await ignored('word=yes&numbers[]=1&numbers=2&api_key=&x_min_seqno=1')).toBeNull()
    expect(await ignored('word=yes&%0d%0aX-Evil=1&a%20b=1&__proto__=1&constructor=2')).toBe('__proto__, constructor')
    const many = Array.from({ length: 400 }, (_, i) => `another${i}=1`).join('&')
    expect((await ignored(`word=yes&${many}`))?.split(', ')).toHaveLength(16)
    const sent = await post(service(), '/api/v3/word', { word: 'yes', nubmers: [1] })
    expect(sent.headers.get('x-ignored-parameters')).toBe('nubmers (numbers?)')
    const elsewhere = await post(service(), '/api/v3/word', { word: 'yes', x_min_seqno: 5, api_key: 'key' })
    expect(elsewhere.headers.get('x-ignored-parameters')).toBe('x_min_seqno, api_key')
  })

  test('a name that is a part of known ones is listed with these', async () => {
    const ignored = async (query: string) =>
      (await get(`/api/v3/word?word=yes&${query}`)).headers.get('x-ignored-parameters')
    expect(await ignored('a_word=yes')).toBe('a_word (word?)')
    expect(await ignored('words_numbers=1')).toBe('words_numbers (numbers?)')
    expect(await ignored('words_of_it=1')).toBe('words_of_it')
    expect(namesLike('hash', ['account', 'trace_id', 'tx_hash', 'msg_hash'])).toEqual(['tx_hash', 'msg_hash'])
    expect(namesLike('tx_hahs', ['tx_hash', 'msg_hash'])).toEqual(['tx_hash'])
    const many = ['a', 'b', 'c', 'd'].map((name) => `${name}_hash`)
    expect(namesLike('hash', many)).toEqual(many.slice(0, 3))
  })

  test('its methods are called by JSON-RPC too', async () => {
    for (const path of [STRICT, TONCENTER])
      expect((await rpc(service(), path, 'v3.word', { word: 'yes' })).body).toMatchObject({
        ok: true,
        result: { word: 'yes' },
      })
  })
})
