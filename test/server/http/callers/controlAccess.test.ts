// Control methods change the chain by hand: programs on this machine may, pages and callers from elsewhere may not.

import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createAddressRanges } from '../../../../server/access/index.ts'
import { asBrowsersSend, isOrigin } from '../../../../server/app/settings/pageOrigin.ts'
import { createWhyNoControl } from '../../../../server/http/callers/controlAccess.ts'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { ask, call, connectTo, post, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { forAllTests, serve, type TestService } from '../../../setup/service.ts'

const TOKEN = 'a token of sixteen or more'
const service = forAllTests(() => serve({ config: { controlToken: TOKEN, mining: 'manual', limits: 'off' } }))
const state = call('dev.state')

/** fetch does not let a caller choose its Host or Origin. */
function postAs(to: TestService, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const req = request(`${to.url}/jsonRPC`, { method: 'POST', headers }, (res) => {
      let body = ''
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }))
    })
    req.on('error', reject)
    req.end(JSON.stringify(state))
  })
}

describe('who may', () => {
  test('a program on this machine, through every door', async () => {
    for (const path of [STRICT, TONCENTER])
      expect((await post(service(), path, state)).body).toMatchObject({ ok: true, result: { mining: 'manual' } })
    await using socket = await connectTo(service())
    socket.send(state)
    expect(await socket.next()).toMatchObject({ ok: true })
  })

  test('the page of this service, opened under a name of this machine', async () => {
    const host = `localhost:${service().port}`
    expect((await postAs(service(), { host, origin: `http://${host}` })).status).toBe(200)
  })

  test('a program that spells a name of this machine in its own way', async () => {
    expect((await postAs(service(), { host: `LocalHost:${service().port}` })).status).toBe(200)
  })

  test('a page of an origin that was allowed, from a browser on this machine alone', async () => {
    const origin = 'http://localhost:5173'
    await using own = await serve({ config: { controlOrigins: [origin] } })
    expect((await postAs(own, { origin })).status).toBe(200)
    expect((await postAs(own, { origin: 'http://localhost:5174' })).status).toBe(403)
    expect((await postAs(own, { origin, host: 'evil.example' })).status).toBe(403)
    await using socket = await connectTo(own, STRICT, { origin })
    socket.send(state)
    expect(await socket.next()).toMatchObject({ ok: true })
  })

  test('anybody with the token', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-control-token': TOKEN }
    expect((await postAs(service(), headers)).body).toContain('"ok":true')
  })
})

describe('who may not', () => {
  test.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a page of another port', { origin: 'http://localhost:3000' }],
    ['a page that is nowhere', { origin: 'null' }],
    ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port that hides its origin', { 'sec-fetch-site': 'same-site' }],
    ['a name that was made to point here', { host: 'evil.example' }],
    ['a page under such a name', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a caller behind a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['a caller behind one that says Via', { via: '1.1 proxy' }],
    ['a caller behind one that says Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['a caller behind one that says X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
    ['a caller behind one that says X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }],
    ['a caller with a wrong token', { 'x-control-token': `${TOKEN}.` }],
    ['a caller with a short token', { 'x-control-token': 'a' }],
  ])('%s', async (_who, headers) => {
    const { status, body } = await postAs(service(), headers as Record<string, string>)
    expect(status).toBe(403)
    expect(JSON.parse(body).error).toMatchObject({ code: -32002, message: expect.stringMatching(/--control-token/) })
  })

  test('a socket of a page of another origin', async () => {
    await using socket = await connectTo(service(), STRICT, { origin: 'http://evil.example' })
    socket.send(state)
    expect(await socket.next()).toMatchObject({ error: { code: -32002 } })
  })

  test('another machine without a token', () => {
    const req = { headers: { host: 'localhost' }, socket: { remoteAddress: '192.0.2.1' } }
    const whyNot = createWhyNoControl({ token: '', proxies: createAddressRanges([]), origins: [] })
    expect(whyNot(req as unknown as Parameters<typeof whyNot>[0])).toMatch(/programs on this machine/)
  })

  test('a declared proxy on this machine, whatever it says of its callers', async () => {
    await using own = await serve({ config: { trustProxy: ['127.0.0.1'] } })
    expect((await postAs(own, {})).body).toContain('came through a proxy')
  })

  test('a token when none was set', async () => {
    await using other = await serve()
    expect((await postAs(other, { 'x-control-token': 'anything at all' })).status).toBe(403)
  })

  test('anybody, on a network that is not the embedded chain', async () => {
    await using other = await serve({ config: { network: 'testnet' } })
    expect((await post(other, STRICT, state)).body).toMatchObject({ error: { code: -32601 } })
  })
})

test('a refused page learns the flag that lets it in', async () => {
  const { body } = await postAs(service(), { origin: 'http://localhost:5173' })
  expect(JSON.parse(body).error).toMatchObject({
    message: expect.stringContaining('start with --control-origins http://localhost:5173'),
    data: { kind: 'forbidden', reason: 'control', ...helpOn('forbidden', { reason: 'control' }) },
  })
})

test.each([
  ['a long one', `https://${'preview-of-some-branch--'.repeat(4)}5173.example`, ''],
  ['one of an address of IPv6', 'http://[::1]:5173', ''],
  ['another one', 'http://localhost:5174', 'http://localhost:5173'],
])('a page that is refused is let in when its reader does as the text says: %s', (_, origin, before) => {
  const origins = before === '' ? [] : [before]
  const proxies = createAddressRanges([])
  const whyNot = createWhyNoControl({ token: '', proxies, origins })
  // The cast: all that is read of a request.
  const from = (sent: string) =>
    ({ headers: { host: 'localhost', origin: sent }, socket: { remoteAddress: '::1' } }) as unknown as IncomingMessage
  const [, start, add] =
    /start with --control-origins (\S+), or|add (\S+) to --control-origins, with a comma/.exec(
      whyNot(from(origin)) ?? '',
    ) ?? []
  // As a shell reads it.
  const word = (start ?? [before, add].join(',')).replaceAll('"', '')
  const taken = word.split(',')
  expect(taken.filter((one) => !isOrigin(one))).toEqual([])
  const whyNow = createWhyNoControl({ token: '', proxies, origins: taken.map(asBrowsersSend) })
  for (const one of [origin, ...origins]) expect(whyNow(from(one)), one).toBeNull()
})

test('the advice with it does not send a page to the machine it runs on', async () => {
  const { body } = await postAs(service(), { origin: 'http://localhost:5173' })
  expect(JSON.parse(body).error.data.advice).not.toContain('machine')
})

test('a page of the explorer that was opened by a link of another site controls the chain', async () => {
  await using own = await serve()
  const bootOf = async (headers: Record<string, string>) => {
    const reply = await ask(own, '/wallets', { headers: { accept: 'text/html', ...headers } })
    return /"control":(true|false)/.exec(reply.text)?.[1]
  }
  const site = { 'sec-fetch-site': 'cross-site' }
  expect(await bootOf({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe('true')
  // What another page has in a frame, or reads.
  expect(await bootOf({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe('false')
  expect(await bootOf(site)).toBe('false')
})

test('a page without an origin is told to get one: none of the settings takes it as it is', async () => {
  const { body } = await postAs(service(), { origin: 'null' })
  expect(JSON.parse(body).error.message).toMatch(
    /serve the page over http, and name its origin with --control-origins,/,
  )
})

test('other methods are not concerned', async () => {
  const answer = await post(service(), STRICT, call('getMasterchainInfo'), { 'x-forwarded-for': '203.0.113.7' })
  expect(answer.status).toBe(200)
})
