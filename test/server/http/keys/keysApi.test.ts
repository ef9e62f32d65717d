// Keys over HTTP: what a caller learns of the own key, its quota, and the administration behind its token.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { keysDocument } from '../../../../server/http/index.ts'
import { rangeOf } from '../../../../server/http/keys/keysWire.ts'
import { createLog } from '../../../../server/observe/index.ts'
import { takeLock } from '../../../../server/process/index.ts'
import { ask, post, rpc, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'
import { openApiProblems, valueChecker } from '../../docs/validators.ts'

const ADMIN = '/api/admin/keys'
const TOKEN = 'a-token-of-an-operator'
const NOW = Date.UTC(2026, 10, 21, 12)
// A clock that stands still: budgets do not fill again.
const service = forAllTests(() =>
  serveMethods(madeUp(), { config: { limits: 'on', adminToken: TOKEN }, now: () => NOW }),
)
const closed = forAllTests(() => serveMethods(madeUp(), { config: { limits: 'off' } }))

const asAdmin = { 'X-Admin-Token': TOKEN }
const subtract = { minuend: 42, subtrahend: 23 }

let key = ''
beforeAll(async () => {
  key = (await service().newKey({ plan: 'advanced', monthly: 10 })).key
})

const call = (own = key) =>
  post(service(), STRICT, { jsonrpc: '2.0', id: 1, method: 'subtract', params: subtract }, { 'X-API-Key': own })

describe('a monthly quota', () => {
  test('is counted down in headers, warned of, and ends in a 429 that says until when', async () => {
    const seen: string[] = []
    for (let i = 0; i < 10; i++) {
      const { status, headers } = await call()
      expect(status).toBe(200)
      seen.push(`${headers.get('x-quota-remaining')}/${headers.get('x-quota-limit')} ${headers.get('x-quota-warning')}`)
    }
    expect(seen[0]).toBe('9/10 null')
    expect(seen[7]).toBe('2/10 monthly quota of this key: 80 percent used')
    expect(seen[9]).toBe('0/10 monthly quota of this key: used up')
    const { status, headers, body } = await call()
    expect(status).toBe(429)
    const seconds = (Date.UTC(2026, 11, 1) - NOW) / 1000
    expect([headers.get('retry-after'), headers.get('x-quota-reset')]).toEqual([`${seconds}`, `${seconds}`])
    expect(body.error).toMatchObject({
      message: 'Monthly quota used up: 10 calls, until the next month begins in UTC',
      data: { limit: 10, retryAfter: seconds },
    })
    const own = { 'X-API-Key': key }
    for (const path of ['/api/keys/me', '/webhooks']) {
      const refused = await ask(service(), path, { headers: own })
      expect([path, refused.status, refused.body.error, refused.headers.get('x-quota-remaining')]).toEqual([
        path,
        429,
        'Monthly quota used up: 10 calls, until the next month begins in UTC',
        '0',
      ])
    }
  })
})

describe('/api/keys/me', () => {
  test('shows what a key may do and has done', async () => {
    const issued = await post(
      service(),
      ADMIN,
      { plan: 'custom', per_second: 7, monthly: 100, label: 'secret note', all_accounts: true },
      asAdmin,
    )
    expect(issued.status).toBe(201)
    const own = { 'X-API-Key': String(issued.body.key) }
    const { status, body, text } = await ask(service(), '/api/keys/me', { headers: own })
    expect([status, body]).toEqual([
      200,
      {
        id: issued.body.id,
        network: 'devnet',
        plan: 'custom',
        per_second: 7,
        monthly: { limit: 100, used: 1, reset_after: expect.any(Number) },
        all_accounts: true,
        usage: { today: expect.objectContaining({ calls: 0 }), month: expect.objectContaining({ bytes: 0 }) },
      },
    ])
    expect(text).not.toContain('secret note')
  })

  test('error: without a key, another verb', async () => {
    expect((await ask(closed(), '/api/keys/me')).text).toMatch(/send it as header X-API-Key/)
    expect((await ask(closed(), '/api/keys/me', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('the administration', () => {
  test('creates, lists, rotates and revokes', async () => {
    const order = { plan: 'plus', label: 'shop', expires_at: '2999-01-01T00:00:00Z', network: 'testnet' }
    const { body: made } = await post(service(), ADMIN, order, { Authorization: `Bearer ${TOKEN}` })
    expect(made).toMatchObject({
      key: expect.stringMatching(/^tonrpc_testnet_/),
      network: 'testnet',
      plan: 'plus',
      per_second: 25,
      label: 'shop',
      state: 'active',
      expires_at: '2999-01-01T00:00:00.000Z',
      monthly: null,
    })
    const { body: rotated } = await post(service(), `${ADMIN}/${made.id}/rotate`, { overlap_seconds: 60 }, asAdmin)
    expect(rotated.id).toBe(made.id)
    expect(rotated.key).not.toBe(made.key)
    const { body: revoked } = await post(service(), `${ADMIN}/${made.id}/revoke`, '', asAdmin)
    expect(revoked).toEqual({ id: made.id, revoked: 2 })
    const { text } = await ask(service(), ADMIN, { headers: asAdmin })
    const listed = (JSON.parse(text) as { keys: Record<string, unknown>[] }).keys
    expect(listed.filter((one) => one.id === made.id).map(({ state }) => state)).toEqual(['revoked', 'revoked'])
    for (const secret of [made.key, rotated.key]) expect(text).not.toContain(String(secret))
    expect(text).not.toContain('hash')
  })

  test('says when to try again, while others change the keys', async () => {
    const lock = await takeLock({ folder: service().data, name: 'keys.json.lock' }, 60_000)
    const refused = await post(service(), ADMIN, { plan: 'free' }, asAdmin)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.body.error).toMatch(/is changing the keys. Try again/)
    await lock.release()
    expect((await post(service(), ADMIN, { plan: 'free' }, asAdmin)).status).toBe(201)
  })

  test('shows failures by method and kind, with the request of the newest; on this machine without a token', async () => {
    const PATH = '/api/admin/failures'
    const { headers } = await post(closed(), STRICT, {
      jsonrpc: '2.0',
      id: 1,
      method: 'subtract',
      params: { minuend: 'x' },
    })
    const { text } = await ask(closed(), PATH)
    const { failures } = JSON.parse(text) as { failures: { newest: { request_id: string } }[] }
    expect(failures[0]).toMatchObject({ method: 'subtract', kind: 'invalidParams', count: 1 })
    expect(failures[0]?.newest.request_id).toBe(headers.get('x-request-id'))
    const strangers = { 'X-Forwarded-For': '203.0.113.7' }
    expect((await ask(closed(), PATH, { headers: strangers })).status).toBe(403)
    expect((await ask(service(), PATH, { headers: { ...strangers, ...asAdmin } })).status).toBe(200)
  })

  test('shows usage by day, key and method', async () => {
    const { body: made } = await post(service(), ADMIN, { plan: 'advanced', monthly: 1 }, asAdmin)
    const own = String(made.key)
    const id = String(made.id)
    expect([(await call(own)).status, (await call(own)).status]).toEqual([200, 429])
    const usage = async () => {
      const { text } = await ask(service(), `/api/admin/usage?from=2026-11-01&to=2026-11-30&key=${id}`, {
        headers: asAdmin,
      })
      return (JSON.parse(text) as { usage: unknown[] }).usage
    }
    await expect
      .poll(usage)
      .toEqual([
        { day: '2026-11-21', key: id, method: 'subtract', calls: 2, weight: 1, errors: 0, limited: 1, bytes: 2 },
      ])
  })

  test('counts the bytes of what is no method too', async () => {
    const { body: made } = await post(service(), ADMIN, { plan: 'advanced' }, asAdmin)
    const own = { 'X-API-Key': String(made.key) }
    const bytes = []
    for (const path of ['/api/keys/me', '/webhooks']) {
      const { status, text } = await ask(service(), path, { headers: own })
      bytes.push(status === 200 ? Buffer.byteLength(text) : 0)
    }
    const usage = async () => {
      const { text } = await ask(service(), `/api/admin/usage?key=${made.id}`, { headers: asAdmin })
      const rows = (JSON.parse(text) as { usage: { method: string; calls: number; bytes: number }[] }).usage
      return rows.map(({ method, calls, bytes }) => [method, calls, bytes])
    }
    await expect.poll(usage).toEqual([
      ['keys.me', 1, bytes[0]],
      ['webhooks', 1, bytes[1]],
    ])
    expect(bytes[0]).toBeGreaterThan(100)
  })

  test.each([
    ['an unknown plan', ADMIN, { plan: 'gold' }, 422, /no plan \\"gold\\": plans are free, plus, advanced, custom/],
    [
      "a plan of one's own without a shared database",
      '/api/admin/plans',
      { name: 'gold', per_second: 5 },
      422,
      /start the service with --database/,
    ],
    ['a plan with a limit below zero', '/api/admin/plans', { name: 'gold', per_second: -5 }, 422, /per_second: /],
    [
      'a plan with a long name',
      '/api/admin/plans',
      { name: 'x'.repeat(10_000), per_second: 5 },
      422,
      /name: .*up to 32 letters/,
    ],
    ['a limit that does not exist', '/api/admin/plans/free/change', { rps: 5 }, 422, /rps/],
    ['a custom plan without a rate', ADMIN, { plan: 'custom' }, 422, /per_second: needed by the plan custom/],
    ['a quota with a fraction', ADMIN, { plan: 'free', monthly: 0.5 }, 422, /"monthly: must be a whole number"/],
    ['a quota below one', ADMIN, { plan: 'free', monthly: 0 }, 422, /"monthly: must be at least 1"/],
    ['no plan', ADMIN, { label: 'x' }, 422, /"plan: is required"/],
    ['a time that is none', ADMIN, { plan: 'free', expires_at: 'soon' }, 422, /"expires_at: must be a time like 2026-/],
    ['a list', ADMIN, [], 422, /"the body must be an object"/],
    ['a rate of a fixed plan', ADMIN, { plan: 'free', per_second: 5 }, 422, /only a custom plan takes one/],
    [
      'an end in the past',
      ADMIN,
      { plan: 'free', expires_at: '2001-01-01T00:00:00Z' },
      422,
      /must expire in the future/,
    ],
    ['a field that does not exist', ADMIN, { plan: 'free', rps: 5 }, 422, /rps/],
    ['a label with a line break', ADMIN, { plan: 'free', label: 'a\nb' }, 422, /printable characters on one line/],
    ['no such key', `${ADMIN}/nothere/revoke`, {}, 404, /no key with the id \\"nothere\\"/],
    ['a key in place of its id', `${ADMIN}/tonrpc_devnet_x/revoke`, {}, 422, /that is the key itself, not its id/],
    ['a path that does not exist', `${ADMIN}/x/y/z`, {}, 404, /Not Found/],
  ])('error: %s', async (_what, path, body, status, text) => {
    const answered = await post(service(), path, body, asAdmin)
    expect(answered.status).toBe(status)
    expect(answered.text).toMatch(text)
  })

  test('of a query without a first day, usage is that of the thirty days before the end', () => {
    expect(rangeOf('to=2026-11-21')).toEqual({ from: '2026-10-23', to: '2026-11-21', keyId: null })
    const range = { from: '2026-01-01', to: '2026-11-21', keyId: 'k' }
    expect(rangeOf('from=2026-01-01&to=2026-11-21&key=k')).toEqual(range)
  })

  test('error: a day that is none', async () => {
    const { status, text } = await ask(service(), '/api/admin/usage?from=yesterday', { headers: asAdmin })
    expect([status, text]).toEqual([422, expect.stringMatching(/from: /)])
  })

  test.each([
    ['from=0000-01-01', 'from: must be a day from 1970-01-01 on'],
    ['to=0000-02-01', 'to: must be a day from 1970-01-01 on'],
    ['from=2026-11-02&to=2026-11-01', 'from: must not be after the last day, 2026-11-01'],
  ])('error: days that no usage is of: %s', async (query, error) => {
    const { status, body } = await ask(service(), `/api/admin/usage?${query}`, { headers: asAdmin })
    expect([status, body.error]).toEqual([422, error])
  })

  test('error: an id of a key that no database holds', async () => {
    const { status, body } = await ask(service(), '/api/admin/usage?key=%00', { headers: asAdmin })
    expect([status, body.error]).toEqual([422, 'key: is not the id of a key'])
  })

  test('error: a number beyond what a double holds', async () => {
    const body = '{"plan":"free","monthly":9007199254740993}'
    expect((await post(service(), ADMIN, body, asAdmin)).body).toEqual({ error: 'monthly: is too large' })
  })

  test.each([
    ['DELETE', '', 'GET, HEAD, POST'],
    ['GET', '/abc/revoke', 'POST'],
  ])('error: %s of /api/admin/keys%s is answered with the verbs there are', async (method, end, allow) => {
    const refused = await ask(service(), `${ADMIN}${end}`, { method, headers: asAdmin })
    expect([refused.status, refused.headers.get('allow')?.split(', ')]).toEqual([
      405,
      expect.arrayContaining(allow.split(', ')),
    ])
  })

  test('error: a wrong token costs what a call costs, none at all is refused', async () => {
    const wrong = await ask(closed(), ADMIN, { headers: { 'X-Admin-Token': TOKEN } })
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringMatching(/start with --admin-token-file/)])
    const guess = () => ask(service(), ADMIN, { headers: { 'X-Admin-Token': 'a-guess-of-a-stranger' } })
    const statuses = [await guess(), await guess()].map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(await rpc(closed(), STRICT, 'subtract', subtract)).toMatchObject({ status: 200 })
  })

  test('error: a fault of the service says nothing of itself; its cause is in the log, with the id of the request', async () => {
    const lines: string[] = []
    const out = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })
    const log = createLog({ format: 'json', level: 'error' }, out)
    await using service = await serveMethods(madeUp(), { config: { adminToken: TOKEN }, log })
    await writeFile(join(service.data, 'keys-usage.json'), 'no JSON')
    const { status, headers, text } = await ask(service, '/api/admin/usage', { headers: asAdmin })
    expect([status, text]).toEqual([500, expect.stringMatching(/^(?!.*usage file).*Internal error/s)])
    const line = lines.find((one) => one.includes('"request failed"'))
    expect(line).toContain(headers.get('x-request-id'))
    expect(line).toMatch(/keys-usage\.json cannot be read: move it away/)
  })

  test('error: without a token the body is not waited for', async () => {
    using stranger = await openRaw(closed().port)
    stranger.write(`POST ${ADMIN} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{`)
    expect(await stranger.until(/--admin-token-file/)).toMatch(/^HTTP\/1.1 403 .*Connection: close/s)
  })
})

describe('/openapi/keys.json', () => {
  const document = keysDocument({ network: 'devnet', version: '1.2.3' })

  test('is OpenAPI 3.1', async () => {
    expect(await openApiProblems(JSON.parse(document))).toEqual([])
  })

  test('describes the answers as they are', async () => {
    type Answer = { readonly content: Readonly<Record<string, { readonly schema: object }>> }
    type Operation = { readonly responses: Readonly<Record<string, Answer>> }
    const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, Operation>> }
    const check = valueChecker({}, 'draft-2020-12')
    const problemsOf = (path: string, verb: string, { status, body }: { status: number; body: unknown }) => {
      const schema = paths[path]?.[verb]?.responses[status]?.content['application/json']?.schema
      return schema === undefined ? `${path} ${verb} ${status} is not described` : check(schema, body)
    }
    const admin = (path: string, body: unknown) => post(service(), path, body, asAdmin)
    const read = (path: string, headers: HeadersInit = asAdmin) => ask(service(), path, { headers })
    const made = await admin(ADMIN, { plan: 'free', monthly: 5 })
    const own = { 'X-API-Key': String(made.body.key) }
    const found = [
      problemsOf(ADMIN, 'post', made),
      problemsOf(ADMIN, 'post', await admin(ADMIN, { plan: 'nothing' })),
      problemsOf(ADMIN, 'post', await admin(ADMIN, '{')),
      problemsOf(ADMIN, 'post', await admin(ADMIN, ' '.repeat((1 << 20) + 1))),
      problemsOf(ADMIN, 'get', await read(ADMIN)),
      problemsOf(ADMIN, 'get', await read(ADMIN, {})),
      problemsOf(ADMIN, 'get', await read(ADMIN, { ...asAdmin, 'X-API-Key': 'guess' })),
      problemsOf('/api/keys/me', 'get', await read('/api/keys/me', own)),
      problemsOf('/api/admin/plans', 'get', await read('/api/admin/plans')),
      problemsOf('/api/admin/plans', 'post', await admin('/api/admin/plans', { name: 'gold', per_second: 5 })),
      problemsOf('/api/admin/plans/{name}/change', 'post', await admin('/api/admin/plans/free/change', {})),
      problemsOf('/api/admin/plans/{name}/remove', 'post', await admin('/api/admin/plans/free/remove', {})),
      problemsOf('/api/admin/usage', 'get', await read('/api/admin/usage')),
      problemsOf('/api/admin/failures', 'get', await read('/api/admin/failures')),
      problemsOf('/api/admin/keys/{id}/rotate', 'post', await admin(`${ADMIN}/${made.body.id}/rotate`, {})),
      problemsOf('/api/admin/keys/{id}/revoke', 'post', await admin(`${ADMIN}/${made.body.id}/revoke`, {})),
      problemsOf('/api/admin/keys/{id}/rotate', 'post', await admin(`${ADMIN}/missing/rotate`, {})),
    ]
    expect(found).toEqual(found.map(() => []))
  })
})
