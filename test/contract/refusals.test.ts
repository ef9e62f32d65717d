// Every parameter of every method, given wrongly through every door: always a refusal that says which one, in the form
// of its door.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { httpStatuses } from '../../shared/errors.ts'
import { versionOfName } from '../../shared/method.ts'
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

/** A text of digits is one of these. */
const DIGIT_FORMATS = new Set(['ton-opcode', 'ton-shard'])

function wrongsOf(schema: Schema, required: boolean): Wrong[] {
  const missing: Wrong[] = required ? [{ how: 'missing', value: undefined }] : []
  const empty: Wrong[] = required ? [{ how: 'empty', value: '' }] : []
  const malformedNumber: Wrong = { how: 'malformed', value: '12abc' }
  if (schema.type === 'number') return [...missing, ...empty, OBJECT, LONG, malformedNumber]
  if (schema.type === 'integer')
    return [...missing, ...empty, OBJECT, LONG, malformedNumber, { how: 'a fraction', value: '1.5' }]
  if (schema.type === 'boolean') return [...missing, OBJECT, LONG, { how: 'malformed', value: 'perhaps' }]
  if (schema.type === 'array') {
    const none: Wrong[] = schema.minItems === undefined ? [] : [{ how: 'without items', value: [], jsonOnly: true }]
    const one = schema.items
    const items = typeof one === 'object' && !Array.isArray(one) ? one : {}
    const malformed: Wrong[] = items.$ref ? [{ how: 'with an item that is none', value: ['!not one!'] }] : []
    return [...missing, ...none, ...malformed, OBJECT]
  }
  if (schema.type !== 'string') return missing
  // In a query a number is text, which free text takes, as do forms that may be digits.
  const jsonOnly = schema.format === undefined || DIGIT_FORMATS.has(schema.format)
  const number: Wrong[] = schema.format === 'digits' ? [] : [{ how: 'a number', value: 5, jsonOnly }]
  const malformed: Wrong[] = schema.format ? [{ how: 'malformed', value: '!not one!' }] : []
  return [...missing, ...(schema.format ? empty : []), OBJECT, LONG, ...number, ...malformed]
}

/** Texts of which anything may be made: what is none of those known means something too. */
const LENIENT = new Set(['v3.messages: hash', 'v3.adjacentTransactions: direction'])

const methods: [string, MethodSpec][] = Object.entries(registry)
const cases = methods.flatMap(([name, spec]) => {
  const whole = z.toJSONSchema(spec.params, { io: 'input' })
  const resolve = (part: Schema): Schema =>
    part.$ref ? resolve((whole.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}) as Schema) : part
  return Object.entries(whole.properties ?? {}).flatMap(([param, part]) =>
    wrongsOf(resolve(part as Schema), whole.required?.includes(param) ?? false)
      .filter(({ value }) => typeof value !== 'number' || !LENIENT.has(`${name}: ${param}`))
      .map((wrong) => ({
        title: `${name}: ${param} ${wrong.how}`,
        name,
        spec,
        param,
        wrong,
      })),
  )
})

/** What has to be said: which param, and of one left out, whether the method has a status of its own for it. */
interface Refused {
  readonly param: string
  readonly kind: 'invalidParams' | 'missing'
}

type Form = (body: Body, status: number, refused: Refused) => void

/** Of both interfaces' REST and of JSON-RPC. */
const forms: Readonly<Record<'v2' | 'v3' | 'emulate', Readonly<Record<DoorName, Form>>>> = {
  v2: {
    'REST GET': toncenterSays,
    'REST POST': toncenterSays,
    'toncenter JSON-RPC': toncenterSays,
    'strict JSON-RPC': strictSays,
    WebSocket: strictSays,
  },
  v3: {
    'REST GET': plainSays,
    'REST POST': plainSays,
    'toncenter JSON-RPC': toncenterSays,
    'strict JSON-RPC': strictSays,
    WebSocket: strictSays,
  },
  emulate: {
    'REST GET': emulationSays,
    'REST POST': emulationSays,
    'toncenter JSON-RPC': toncenterSays,
    'strict JSON-RPC': strictSays,
    WebSocket: strictSays,
  },
}

const formsOf = (name: string) => forms[name.startsWith('emulate.') ? 'emulate' : versionOfName(name)]

function emulationSays(body: Body, status: number): void {
  expect(status).toBe(400)
  expect(body).toEqual({ error: expect.stringMatching(/^invalid request: ./) })
}

function toncenterSays(body: Body, status: number, { kind }: Refused): void {
  const code = httpStatuses[kind]
  const error = kind === 'missing' ? /./ : /^failed to parse (get|post) request: ./
  expect(status).toBe(code)
  expect(body).toMatchObject({ ok: false, code, error: expect.stringMatching(error) })
  expect(body).not.toHaveProperty('result')
}

function plainSays(body: Body, status: number, { kind }: Refused): void {
  expect(status).toBe(httpStatuses[kind])
  expect(body).toEqual({ error: expect.stringMatching(/./) })
}

function strictSays(body: Body, status: number, { param, kind }: Refused): void {
  expect(status).toBe(200)
  expect(body).toMatchObject({ error: { code: -32602, data: { kind, param } }, id: 1 })
  expect(body).toHaveProperty('ok', false)
}

function kindOf({ whenMissing }: MethodSpec, param: string, { value }: Wrong): Refused['kind'] {
  if (!whenMissing || !Object.hasOwn(whenMissing.words, param)) return 'invalidParams'
  return value === undefined || (whenMissing.orEmpty === true && value === '') ? whenMissing.kind : 'invalidParams'
}

describe.each(cases)('$title', ({ name, spec, param, wrong }) => {
  const doors = doorsOf(spec).filter((door) => !(wrong.jsonOnly && door.name === 'REST GET'))
  test.each(doors.map((door) => [door.name, door] as const))('%s', async (doorName, door) => {
    const params = { ...(spec.example.params as object), [param]: wrong.value } as Record<string, unknown>
    if (wrong.value === undefined) delete params[param]
    const { status, body } = await door.call(service(), name, params)
    // Nothing longer than a URL of v2 may be gets as far as the parameter.
    if (doorName === 'REST GET' && wrong === LONG && versionOfName(name) === 'v2') expect(status).toBe(414)
    // A number in a query is text like any other.
    else if (doorName === 'REST GET' && typeof wrong.value === 'number') expect(status).toBe(422)
    else formsOf(name)[doorName](body, status, { param, kind: kindOf(spec, param, wrong) })
    expect(JSON.stringify(body).length).toBeLessThan(1000)
  })
})

test('the service still answers after all of that', async () => {
  const [door] = doorsOf(registry.packAddress)
  const { body } = (await door?.call(service(), 'packAddress', registry.packAddress.example.params)) ?? {}
  expect(body).toMatchObject({ ok: true })
})
