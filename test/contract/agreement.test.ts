// Whatever text comes as a parameter: every door gives the same answer or every door refuses, and none ever fails.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MethodSpec } from '../../shared/registry.ts'
import { addressesV2 } from '../../shared/v2/addresses.ts'
import { ask, call, post, queryOf, STRICT, TONCENTER } from '../setup/calls.ts'
import { doorsOf, resultIn } from '../setup/doors.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.base64String({ minLength: 44, maxLength: 48 }),
  fc.stringMatching(/^-?\d{1,3}:[0-9a-fA-F]{64}$/),
  fc.stringMatching(/^[0-9a-fA-F]{64}$/),
  fc.constantFrom('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='),
)

test.each(Object.entries(addressesV2) as [string, MethodSpec][])('%s', async (name, spec) => {
  const [param = ''] = Object.keys(spec.params.shape)
  const doors = doorsOf(spec).filter((door) => door.name !== 'WebSocket')
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const answers = await Promise.all(doors.map((door) => door.call(service(), name, { [param]: value })))
      const results = answers.map(({ body }) => ('result' in body ? resultIn(body) : 'refused'))
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
      for (const { status } of answers) expect([200, 422]).toContain(status)
    }),
    { numRuns: 60 },
  )
})

test('whatever JSON comes as a body, the answer is JSON and no failure of ours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 4 }), async (json) => {
      for (const path of [STRICT, TONCENTER, '/api/v2/packAddress']) {
        const { status, body, text: said } = await post(service(), path, json)
        expect(status).toBeLessThan(500)
        expect(said === '' ? status : typeof body).toBe(said === '' ? 204 : 'object')
      }
    }),
    { numRuns: 100 },
  )
})

test('whatever a query says, the answer is JSON and no failure of ours', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string({ maxLength: 12 }), fc.string({ maxLength: 40 }), { maxKeys: 6 }),
      async (params) => {
        const { status, body } = await ask(service(), `/api/v2/packAddress${queryOf({ address: 'x', ...params })}`)
        expect([200, 401, 422]).toContain(status)
        expect(typeof body).toBe('object')
      },
    ),
    { numRuns: 100 },
  )
})

test('a batch says what its calls say one by one', async () => {
  const calls = Object.entries(addressesV2).flatMap(([name, spec]) => [
    call(name, spec.example.params, name),
    call(name, {}, `${name} without`),
    call(`no ${name}`, {}, 'no'),
  ])
  for (const path of [STRICT, TONCENTER]) {
    const extra = (body: object) => ({ ...body, '@extra': undefined })
    const together = (await post(service(), path, calls)).body as unknown as object[]
    const alone = await Promise.all(calls.map(async (one) => (await post(service(), path, one)).body))
    expect(together.map(extra)).toEqual(alone.map(extra))
  }
})
