// Callers who send too much, too slowly, or nothing HTTP knows: each meets the bound by name, and the next good call is
// answered as if nothing had been.

import { afterEach, describe, expect, test } from 'vitest'
import { ask, call, post, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw, repliesIn, sayAllThenRead, sayRaw } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp(), { limits: { bodyBytes: 10_000, batchItems: 10 } }))
/** One whose patience is short. A machine that does much else may be slower than it. */
const hasty = forAllTests(() =>
  serveMethods(madeUp(), { limits: { bodyBytes: 10_000, headersMs: 200, requestMs: 400, checkMs: 50 } }),
)
const port = () => service().port
const GOOD = call('get_data')
const HEAD = 'HTTP/1.1\r\nHost: x\r\n'
/** Without the second header a page of another origin sees no more than that its call failed. */
const READABLE = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }

afterEach(async () => {
  expect((await post(service(), STRICT, GOOD)).body).toMatchObject({ ok: true })
})

describe('bodies', () => {
  const paths = [STRICT, TONCENTER, '/api/v2/subtract', '/api/v3/word']
  test.each(paths)('%s: one byte too many is a 413 that names the bound; the bound itself is fine', async (path) => {
    const over = await post(service(), path, ' '.repeat(10_001))
    expect([over.status, over.headers.get('connection')]).toEqual([413, 'close'])
    expect(over.text).toContain('Body too large: 10000 bytes at most')
    expect((await post(service(), path, ' '.repeat(10_000))).status).not.toBe(413)
  })

  test('a caller who reads nothing before all is sent still gets the refusal', async () => {
    await using patient = await serveMethods(madeUp(), { limits: { bodyBytes: 10_000 } })
    const body = 'x'.repeat(20_000_000)
    const head = `POST ${STRICT} ${HEAD}Content-Length: ${body.length}\r\n`
    expect((await post(patient, STRICT, body)).status).toBe(413)
    for (const headers of ['', 'X-API-Key: guess\r\n', 'Content-Encoding: gzip\r\n']) {
      const replies = await sayAllThenRead(patient.port, `${head}${headers}\r\n${body}`)
      expect(replies.map(({ status }) => status)).toEqual([headers.includes('Key') ? 401 : 413])
    }
  })

  test('a promise of too much is refused before it is kept', async () => {
    const [reply] = await sayRaw(port(), `POST ${STRICT} ${HEAD}Content-Length: 99999999999\r\n\r\n{`)
    expect(reply).toMatchObject({ status: 413, headers: { connection: 'close' } })
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ error: { code: -32007, data: { limit: 10_000 } } })
  })

  test('a refusal is the only answer, however long the rest takes', async () => {
    using raw = await openRaw(port())
    raw.write(`POST ${STRICT} ${HEAD}Content-Length: 20000\r\n\r\n{`)
    const drops = setInterval(() => raw.write(' '), 20)
    const text = await raw.end().finally(() => clearInterval(drops))
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
  })

  test('chunks without an end are cut off', async () => {
    using raw = await openRaw(port())
    raw.write(`POST /api/v2/subtract ${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
    const flood = setInterval(() => raw.write(chunk), 5)
    const text = await raw.end().finally(() => clearInterval(flood))
    expect(repliesIn(text)[0]).toMatchObject({ status: 413, body: expect.stringContaining('10000 bytes') })
  })

  test.each([
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('%s is a parse error', async (_, body) => {
    const strict = await ask(service(), STRICT, { method: 'POST', body })
    expect(strict.body).toMatchObject({ error: { code: -32700, message: expect.stringContaining('UTF-8') } })
    expect(await ask(service(), '/api/v2/subtract', { method: 'POST', body })).toMatchObject({ status: 422 })
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'nonsense'])('a body in %s is refused', async (encoding) => {
    const { status, text } = await post(service(), '/api/v2/subtract', {}, { 'Content-Encoding': encoding })
    expect([status, text.includes('Compressed request bodies are not accepted')]).toEqual([422, true])
  })

  test('a coding of none is said in any case', async () => {
    const body = { minuend: 3, subtrahend: 1 }
    for (const encoding of ['identity', 'Identity', 'IDENTITY'])
      expect(await post(service(), '/api/v2/subtract', body, { 'Content-Encoding': encoding })).toMatchObject({
        status: 200,
      })
  })

  test.each(['{"jsonrpc":"2.0","id":1,"method":"get_data"', '{"jsonrpc":"2.0"', '[{"jsonrpc":"2.0",', '"', '[[[[['])(
    'truncated: %s',
    async (text) => {
      expect((await post(service(), STRICT, text)).body).toMatchObject({ error: { code: -32700 } })
    },
  )

  test('deep nesting is refused by depth, wherever it stands', async () => {
    const deep = '['.repeat(4000) + ']'.repeat(4000)
    for (const text of [deep, `{"jsonrpc":"2.0","id":1,"method":"get_data","params":${deep}}`])
      expect((await post(service(), STRICT, text)).body.error).toMatchObject({
        code: -32600,
        message: 'JSON nested too deep: 64 levels at most',
        data: { limit: 64 },
      })
    expect((await post(service(), '/api/v2/subtract', `{"a":${deep}}`)).status).toBe(422)
  })

  test.each(['1e999', '-1e999', '9'.repeat(400), '1.7976931348623159e308', '12345678901234567890.5'])(
    'the number %s is refused where a whole one is wanted',
    async (number) => {
      const body = `{"minuend":${number},"subtrahend":1}`
      expect(await post(service(), '/api/v2/subtract', body)).toMatchObject({ status: 422, body: { code: 422 } })
    },
  )

  test('lone surrogates come back as they came', async () => {
    const { body } = await post(service(), '/api/v2/types', '{"word":"\\ud800 \\udfff"}')
    expect(body.result).toEqual({ word: '\ud800 \udfff' })
  })

  test('a batch of a thousand nothings is refused as one', async () => {
    const { body } = await post(service(), STRICT, `[${new Array(1000).fill(0).join(',')}]`)
    expect(body.error).toMatchObject({ code: -32600, data: { kind: 'batchTooLarge', limit: 10 } })
  })
})

describe('requests', () => {
  test('a URL of 9,000 characters is a 414', async () => {
    for (const path of ['/api/v2/subtract', STRICT, '/healthz', '/']) {
      const { status, text } = await ask(service(), `${path}?${'x'.repeat(9000)}`)
      expect([status, text.includes('URL too long: 8192 bytes at most')]).toEqual([414, true])
    }
  })

  test.each([
    [
      'one header of 20 kB',
      `X-Long: ${'x'.repeat(20_000)}\r\n`,
      /^Headers too large: 16384 bytes at most, URL included$/,
    ],
    ['many headers', 'X-Many: 12345678\r\n'.repeat(1500), /fewer than 1000/],
    [
      'far too many',
      'X-Many: 12345678\r\n'.repeat(1_000_000),
      /^Headers too large: 131072 bytes at most, URL included, in fewer/,
    ],
  ])('%s is a 431', async (_, headers, error) => {
    const [reply] = await sayAllThenRead(port(), `GET /healthz ${HEAD}${headers}\r\n`)
    expect(reply).toMatchObject({ status: 431, headers: { connection: 'close', 'content-type': 'application/json' } })
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ error: expect.stringMatching(error) })
  })

  test.each([
    ['headers that never end', `GET /healthz ${HEAD}X-Slow: `],
    ['nothing at all', ''],
    ['a body that never comes', `POST ${STRICT} ${HEAD}Content-Length: 100\r\n\r\n`],
    ['a body that stops', `POST /api/v2/subtract ${HEAD}Content-Length: 100\r\n\r\n{"minuend":`],
  ])('%s is a 408 that names both times', async (_, text) => {
    const [reply] = await sayRaw(hasty().port, text)
    expect(reply).toMatchObject({ status: 408, headers: { connection: 'close' } })
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/headers within 200 ms, all of it within 400 ms/),
      code: 408,
    })
  })

  test('a body drop by drop is cut off all the same', async () => {
    using raw = await openRaw(hasty().port)
    raw.write(`POST ${STRICT} ${HEAD}Content-Length: 5000\r\n\r\n`)
    const drops = setInterval(() => raw.write(' '), 20)
    const text = await raw.end().finally(() => clearInterval(drops))
    expect(repliesIn(text)[0]?.status).toBe(408)
  })

  test.each([
    ['garbage', '\x00\x01\x02\x03\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['words', 'hello there\r\n\r\n'],
    ['an unknown verb', 'BREW /pot HTTP/1.1\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
    ['a length that is no number', `POST / ${HEAD}Content-Length: many\r\n\r\n`],
    ['two lengths', `POST / ${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a length and chunks', `POST / ${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['a header of control signs', `GET / ${HEAD}X: \x01\r\n\r\n`],
  ])('%s is a 400 in JSON', async (_, text) => {
    const [reply] = await sayRaw(port(), Buffer.from(text, 'latin1'))
    expect(reply).toMatchObject({ status: 400, headers: { connection: 'close', ...READABLE } })
    expect(JSON.parse(reply?.body ?? '')).toEqual({ ok: false, error: 'Not an HTTP request', code: 400 })
  })

  const CHUNKED = 'Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n'
  const SOCKET =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  test.each([
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'has none'],
    ['two hosts', `GET /healthz ${HEAD}host: y\r\n\r\n`, 400, 'has 2'],
    ['two hosts of a socket', `GET ${STRICT} ${HEAD}Host: y\r\n${SOCKET}\r\n`, 400, 'has 2'],
    ['two hosts in HTTP/1.0', `GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n`, 400, 'has 2'],
    ['chunks that are compressed', `POST ${STRICT} ${HEAD}${CHUNKED}`, 501, 'can only be chunked'],
    ['a coding nobody knows', `POST ${STRICT} ${HEAD}Transfer-Encoding: xchunked\r\n\r\n`, 501, 'can only be chunked'],
  ])('%s: refused in one reply, and what follows is not answered', async (_, text, status, words) => {
    const replies = await sayRaw(port(), `${text}GET /healthz ${HEAD}\r\n`)
    expect(replies.map((reply) => reply.status)).toEqual([status])
    expect(replies[0]?.headers).toMatchObject({ connection: 'close', ...READABLE })
    expect(JSON.parse(replies[0]?.body ?? '')).toEqual({
      ok: false,
      error: expect.stringContaining(words),
      code: status,
    })
  })

  test('HTTP/1.0 is spoken', async () => {
    const [reply] = await sayRaw(port(), 'GET /api/v2/subtract?minuend=3&subtrahend=1 HTTP/1.0\r\n\r\n')
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining('"result":2') })
  })
})
