// How long a request's head may be: each path is held to its own bound and refuses in its own words.

import { expect, test } from 'vitest'
import { ask, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw, sayAllThenRead } from '../../../setup/rawSocket.ts'
import { forAllTests, serve, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))
const real = forAllTests(() => serve({ withIndex: true }))

const PATH = '/api/v3/word?word=yes'
const KIB = 1024

const addresses = (count: number): string =>
  Array.from({ length: count }, (_, i) => `address=0%3A${i.toString(16).toUpperCase().padStart(64, '0')}`).join('&')

test('one GET asks for as many addresses as a method takes', async () => {
  const book = await ask(real(), `/api/v3/addressBook?${addresses(1024)}`)
  expect([book.status, Object.keys(book.body).length]).toEqual([200, 1024])
  expect(await ask(real(), `/api/v3/accountStates?${addresses(1000)}`)).toMatchObject({ status: 200 })
  expect(await ask(real(), `/api/v3/addressBook?${addresses(1025)}`)).toMatchObject({
    status: 422,
    body: { error: 'maximum 1024 addresses allowed' },
  })
})

test('v3: a URL too long is a 414 with the bound, in the words of v3', async () => {
  const over = await ask(service(), `${PATH}&x=${'x'.repeat(130 * KIB)}`)
  expect([over.status, over.body]).toEqual([414, { error: 'URL too long: 131072 bytes at most' }])
  expect((await ask(service(), `${PATH}&x=${'x'.repeat(120 * KIB)}`)).status).toBe(200)
})

test('v3: URL and headers share one bound', async () => {
  const headers = { 'X-Long': 'x'.repeat(100 * KIB) }
  expect((await ask(service(), PATH, { headers })).status).toBe(200)
  const { status, body } = await ask(service(), `${PATH}&x=${'x'.repeat(40 * KIB)}`, { headers })
  expect([status, body]).toEqual([431, { error: 'Headers too large: 131072 bytes at most, URL included' }])
})

test('with so many headers that the parser may have dropped some, a request is refused', async () => {
  const withSome = async (count: number) => {
    const lines = Array.from({ length: count - 2 }, (_, i) => `x-${i}: 1\r\n`).join('')
    const request = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`
    const [reply] = await sayAllThenRead(service().port, request)
    return reply?.status
  }
  expect([await withSome(999), await withSome(1000), await withSome(1200)]).toEqual([200, 431, 431])
})

test('a query has 4,096 parameters at most, however short they are', async () => {
  expect((await ask(service(), PATH + '&+'.repeat(4095))).status).toBe(200)
  const { status, body } = await ask(service(), PATH + '&+'.repeat(4096))
  expect([status, body]).toEqual([414, { error: 'Too many parameters: 4096 at most' }])
})

test('other paths keep their bounds, each in its own words', async () => {
  const long = 'x'.repeat(9000)
  const headers = { 'X-Long': 'x'.repeat(16 * KIB) }
  const v2 = await ask(service(), `/api/v2/subtract?minuend=3&subtrahend=1&x=${long}`)
  expect([v2.status, v2.body]).toMatchObject([414, { ok: false, error: 'URL too long: 8192 bytes at most', code: 414 }])
  const large = await ask(service(), '/api/v2/subtract?minuend=3&subtrahend=1', { headers })
  expect([large.status, large.body]).toMatchObject([
    431,
    { ok: false, error: 'Headers too large: 16384 bytes at most, URL included', code: 431 },
  ])
  const strict = await ask(service(), STRICT, { method: 'POST', body: '{}', headers })
  expect([strict.status, strict.body]).toMatchObject([431, { error: { code: -32600, data: { limit: 16384 } } }])
  expect((await ask(service(), '/healthz', { headers })).status).toBe(431)
})

test('the bound of v3 is a setting', async () => {
  await using own = await serveMethods(madeUp(), { config: { v3HeadBytes: 200 * KIB } })
  expect((await ask(own, `${PATH}&x=${'x'.repeat(190 * KIB)}`)).status).toBe(200)
  expect((await ask(own, `${PATH}&x=${'x'.repeat(201 * KIB)}`)).status).toBe(414)
})

test('ten megabytes of URL or headers are cut off with a 431 both interfaces understand', async () => {
  const endless = 'x'.repeat(10_000 * KIB)
  for (const request of [`GET ${PATH}&x=${endless} HTTP/1.1\r\n`, `GET ${PATH} HTTP/1.1\r\nX-Long: ${endless}\r\n`]) {
    const [reply] = await sayAllThenRead(service().port, `${request}Host: x\r\n\r\n`)
    expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([
      431,
      {
        ok: false,
        error: 'Headers too large: 131072 bytes at most, URL included, in fewer than 1000 headers',
        code: 431,
      },
    ])
  }
})

test('more headers than the server would look at are refused, not dropped', async () => {
  const [reply] = await sayAllThenRead(
    service().port,
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(3000)}Connection: close\r\n\r\n`,
  )
  // Node 20 leaves the count to the server; newer versions refuse such a head in their parser, with other words.
  expect(reply?.status).toBe(431)
  expect(JSON.parse(reply?.body ?? '')).toMatchObject({ error: expect.stringMatching(/headers.*fewer than 1000/i) })
})

test('many large heads that never end hold little, and others are answered', async () => {
  await using own = await serveMethods(madeUp(), { limits: { headersMs: 5_000, requestMs: 5_000, checkMs: 50 } })
  const slow = await Promise.all(Array.from({ length: 40 }, () => openRaw(own.port)))
  try {
    for (const raw of slow) raw.write(`GET ${PATH}&x=${'x'.repeat(200 * KIB)}`)
    expect((await ask(own, PATH)).status).toBe(200)
    for (const raw of slow) expect(await raw.end()).toMatch(/^HTTP\/1\.1 (408|431) /)
  } finally {
    for (const raw of slow) raw[Symbol.dispose]()
  }
})

test('an expectation nobody knows is ignored: the request is answered as it is without', async () => {
  const raw = await openRaw(service().port)
  raw.write('GET /api/v3/none HTTP/1.1\r\nHost: x\r\nExpect: meow\r\nConnection: close\r\n\r\n')
  const text = await raw.end()
  expect(text).toMatch(/^HTTP\/1\.1 404 .*Access-Control-Allow-Origin: \*.*\r\n\r\n\{"error":"Not Found/s)
})
