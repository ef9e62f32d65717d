// Paths of no method: of keys, webhooks, streams and v4. They refuse a verb as all others do, and answer HEAD where they answer GET.

import { describe, expect, test } from 'vitest'
import { ask } from '../../../setup/calls.ts'
import { forAllTests, serve } from '../../../setup/service.ts'

const TOKEN = 'a-token-of-an-operator'
const service = forAllTests(() => serve({ withIndex: true, config: { limits: 'off', adminToken: TOKEN } }))
const headers = { 'X-Admin-Token': TOKEN }

const PATHS: readonly (readonly [path: string, allow: string])[] = [
  ['/api/keys/me', 'GET, HEAD, OPTIONS'],
  ['/api/admin/keys', 'GET, POST, HEAD, OPTIONS'],
  ['/api/admin/keys/1/rotate', 'POST, OPTIONS'],
  ['/api/admin/failures', 'GET, HEAD, OPTIONS'],
  ['/webhooks', 'GET, POST, HEAD, OPTIONS'],
  ['/api/webhooks/v1/webhooks/1', 'GET, DELETE, HEAD, OPTIONS'],
  ['/api/streaming/healthz', 'GET, HEAD, OPTIONS'],
  ['/api/streaming/v2/sse', 'POST, OPTIONS'],
  ['/api/streaming/v2/ws', 'GET, HEAD, OPTIONS'],
  ['/api/v4/block/latest', 'GET, HEAD, OPTIONS'],
  ['/api/v4/block/1/config', 'GET, HEAD, OPTIONS'],
  ['/api/v4/block/watch', 'GET, HEAD, OPTIONS'],
  ['/api/v4/block/watch/changed', 'GET, HEAD, OPTIONS'],
  ['/api/v4/send', 'POST, OPTIONS'],
]

describe.each(PATHS)('%s', (path, allow) => {
  test('names its verbs to OPTIONS, and with the refusal of another', async () => {
    const options = await ask(service(), path, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
    const refused = await ask(service(), path, { method: 'PUT', headers })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow])
    expect(refused.body.error).toBe(`method PUT is not supported: use ${allow.replace(/(, HEAD)?, OPTIONS$/, '')}`)
  })

  test.runIf(allow.includes('HEAD'))('answers HEAD as GET, without the body', async () => {
    const got = await ask(service(), path, { headers })
    const head = await ask(service(), path, { headers, method: 'HEAD' })
    expect([head.status, head.text]).toEqual([got.status, ''])
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
  })
})

test('a path that is not served has no verbs', async () => {
  for (const path of ['/api/admin/nothing', '/webhooks/1/nothing', '/api/v4/nothing', '/api/streaming/nothing'])
    expect((await ask(service(), path, { method: 'OPTIONS' })).headers.get('allow')).toBeNull()
})
