// What a statement that reads the index may take is up to the service, and callers may have it take less.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { method } from '../../../shared/method.ts'
import { ask, rpc, STRICT } from '../../setup/calls.ts'
import { forAllTests, serveMethods } from '../../setup/service.ts'

const registry = {
  'v3.time': method({
    summary: 'What a statement may take.',
    group: 'made up',
    params: z.strictObject({}),
    result: z.number(),
    rest: [{ verb: 'GET', path: '/api/v3/time' }],
    freshness: 'live',
    example: { params: {}, result: 1 },
  }),
}

const handlers = () => ({ 'v3.time': (_: object, { timeoutMs }: { readonly timeoutMs: number }) => timeoutMs })

describe.each([500, 3000, 60_000])('--statement-ms %s', (statementMs) => {
  const service = forAllTests(() => serveMethods({ registry, handlers }, { config: { statementMs } }))

  test('holds for calls that name no time, by any door', async () => {
    expect((await ask(service(), '/api/v3/time')).body).toBe(statementMs)
    for (const door of [STRICT, '/api/v2/jsonRPC'])
      expect((await rpc(service(), door, 'v3.time', {})).body.result).toBe(statementMs)
  })

  test.each(['0', '-5', 'soon', '999999', '9'.repeat(30)])('and for those that name %s', async (time) => {
    expect((await ask(service(), `/api/v3/time?x_timeout=${time}`)).body).toBe(statementMs)
  })

  test('a caller may have it take less', async () => {
    expect((await ask(service(), '/api/v3/time?x_timeout=77')).body).toBe(77)
    expect((await ask(service(), '/api/v3/time', { headers: { 'X-Timeout': '77' } })).body).toBe(77)
  })
})
