// Every parameter of every method, given wrongly through every door: always a refusal that says which one, in the form
// of its door.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import type { Body } from '../setup/calls.ts'
import { type DoorName, doorsOf } from '../setup/doors.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())

type Schema = z.core.JSONSchema.JSONSchema

interface Wrong {
  readonly how: string
  readonly value: unknown
  /** A query knows nothing but text. */
  readonly jsonOnly?: boolean
}

const OBJECT: Wrong = { how: 'of the wrong type', value: { an: 'object' }, jsonOnly: true }
const LONG: Wrong = { how: 'of 10,000 characters', value: '.'.repeat(10_000) }

function wrongsOf(schema: Schema, required: boolean): Wrong[] {
  const missing: Wrong[] = required ? [{ how: 'missing', value: undefined }] : []
  const empty: Wrong[] = required ? [{ how: 'empty', value: '' }] : []
  if (schema.type === 'integer' || schema.type === 'number')
    return [
      ...missing,
      ...empty,
      OBJECT,
      LONG,
      { how: 'malformed', value: '12abc' },
      { how: 'a fraction', value: '1.5' },
    ]
  if (schema.type === 'boolean') return [...missing, OBJECT, LONG, { how: 'malformed', value: 'perhaps' }]
  if (schema.type !== 'string') return missing
  // In a query a number is text, which free text takes.
  const free = schema.format === undefined
  const number: Wrong[] = schema.format === 'digits' ? [] : [{ how: 'a number', value: 5, jsonOnly: free }]
  const malformed: Wrong[] = schema.format ? [{ how: 'malformed', value: '!not one!' }] : []
  return [...missing, ...(schema.format ? empty : []), OBJECT, LONG, ...number, ...malformed]
}

const methods: [string, MethodSpec][] = Object.entries(registry)
const cases = methods.flatMap(([name, spec]) => {
  const whole = z.toJSONSchema(spec.params, { io: 'input' })
  const resolve = (part: Schema): Schema =>
    part.$ref ? resolve((whole.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}) as Schema) : part
  return Object.entries(whole.properties ?? {}).flatMap(([param, part]) =>
    wrongsOf(resolve(part as Schema), whole.required?.includes(param) ?? false).map((wrong) => ({
      title: `${name}: ${param} ${wrong.how}`,
      name,
      spec,
      param,
      wrong,
    })),
  )
})

const forms: Readonly<Record<DoorName, (body: Body, status: number, param: string) => void>> = {
  'REST GET': toncenterSays,
  'REST POST': toncenterSays,
  'toncenter JSON-RPC': toncenterSays,
  'strict JSON-RPC': strictSays,
  WebSocket: strictSays,
}

function toncenterSays(body: Body, status: number): void {
  expect(status).toBe(422)
  expect(body).toMatchObject({
    ok: false,
    code: 422,
    error: expect.stringMatching(/^failed to parse (get|post) request: ./),
  })
  expect(body).not.toHaveProperty('result')
}

function strictSays(body: Body, status: number, param: string): void {
  expect(status).toBe(200)
  expect(body).toMatchObject({ error: { code: -32602, data: { kind: 'invalidParams', param } }, id: 1 })
  expect(body).not.toHaveProperty('ok')
}

describe.each(cases)('$title', ({ name, spec, param, wrong }) => {
  const doors = doorsOf(spec).filter((door) => !(wrong.jsonOnly && door.name === 'REST GET'))
  test.each(doors.map((door) => [door.name, door] as const))('%s', async (doorName, door) => {
    const params = { ...(spec.example.params as object), [param]: wrong.value } as Record<string, unknown>
    if (wrong.value === undefined) delete params[param]
    const { status, body } = await door.call(service(), name, params)
    // Nothing longer than a URL may be gets as far as the parameter.
    if (doorName === 'REST GET' && wrong === LONG) expect(status).toBe(414)
    // A number in a query is text like any other.
    else if (doorName === 'REST GET' && typeof wrong.value === 'number') expect(status).toBe(422)
    else forms[doorName](body, status, param)
    expect(JSON.stringify(body).length).toBeLessThan(1000)
  })
})

test('the service still answers after all of that', async () => {
  const [door] = doorsOf(registry.packAddress)
  const { body } = (await door?.call(service(), 'packAddress', registry.packAddress.example.params)) ?? {}
  expect(body).toMatchObject({ ok: true })
})
