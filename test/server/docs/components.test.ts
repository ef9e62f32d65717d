import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createComponents } from '../../../server/docs/index.ts'
import { type MethodSpec, method } from '../../../shared/method.ts'
import { awkward } from './awkward.ts'

const spec = (params: z.ZodObject, result: z.ZodType): MethodSpec =>
  method({
    summary: 's',
    group: 'g',
    params,
    result,
    rest: [],
    freshness: 'live',
    example: { params: {}, result: null },
  })

describe('two views of one id', () => {
  const { schemas, methods } = createComponents(awkward, 'draft-2020-12')

  test('default: the way in has its own name where it differs', () => {
    expect(schemas.OptionsInput).not.toHaveProperty('required')
    expect(schemas.Options).toHaveProperty('required', ['depth'])
    expect(methods.get('mixed')?.params.properties).toHaveProperty('options.$ref', '#/components/schemas/OptionsInput')
    expect(schemas.Row).toHaveProperty('properties.options.$ref', '#/components/schemas/Options')
  })

  test('behavior: the same in both stays one', () => {
    expect(schemas).toHaveProperty('Address')
    expect(schemas).not.toHaveProperty('AddressInput')
  })

  test('behavior: what refers to a differing one differs too', () => {
    const Inner = z.object({ a: z.int().default(1) }).meta({ id: 'InnerOfTest' })
    const Outer = z.object({ inner: Inner }).meta({ id: 'OuterOfTest' })
    const drawn = createComponents({ one: spec(z.strictObject({ o: Outer }), Outer) }, 'draft-2020-12')
    expect(Object.keys(drawn.schemas)).toEqual(['InnerOfTest', 'InnerOfTestInput', 'OuterOfTest', 'OuterOfTestInput'])
    expect(drawn.schemas.OuterOfTestInput).toHaveProperty(
      'properties.inner.$ref',
      '#/components/schemas/InnerOfTestInput',
    )
  })

  test('behavior: a name that is taken is not taken twice', () => {
    const Part = z.object({ a: z.int().default(1) }).meta({ id: 'PartOfTest' })
    const Other = z.string().meta({ id: 'PartOfTestInput' })
    const drawn = createComponents({ one: spec(z.strictObject({ p: Part, q: Other }), Part) }, 'draft-2020-12')
    expect(Object.keys(drawn.schemas)).toEqual(['PartOfTest', 'PartOfTestInput', 'PartOfTestInput_'])
  })
})

test('behavior: recursion without an id gets a name', () => {
  const { schemas } = createComponents(awkward, 'draft-7')
  expect(Object.keys(schemas).some((name) => name.startsWith('Nested'))).toBe(true)
  expect(JSON.stringify(schemas)).not.toContain('__schema')
})

test('behavior: a default behind a transform is kept', () => {
  const drawn = createComponents(awkward, 'draft-2020-12')
  expect(drawn.schemas.Sort).toHaveProperty('default', 'desc')
})

test('behavior: a list of values has no length beside it, which generators of validators cannot write', () => {
  const direction = z
    .string()
    .max(128)
    .meta({ enum: ['in', 'out'] })
  const drawn = createComponents({ one: spec(z.strictObject({ direction }), direction) }, 'draft-2020-12')
  const { params, result } = drawn.methods.get('one') ?? {}
  expect(params?.properties).toEqual({ direction: { type: 'string', enum: ['in', 'out'] } })
  expect(result).toEqual({ type: 'string', enum: ['in', 'out'] })
})

test('behavior: replies may grow, strict objects may not', () => {
  const strict = spec(z.strictObject({}), z.object({ a: z.strictObject({ b: z.int() }) }))
  const result = createComponents({ strict }, 'draft-2020-12').methods.get('strict')?.result
  expect(result).not.toHaveProperty('additionalProperties')
  expect(result).toHaveProperty('properties.a.additionalProperties', false)
})

test('behavior: only what a part needs is handed out', () => {
  const drawn = createComponents(awkward, 'draft-2020-12')
  expect(Object.keys(drawn.usedBy(drawn.methods.get('v3.odd.rows')))).toEqual([
    'Address',
    'Digits',
    'Options',
    'Row',
    'Sort',
  ])
  expect(drawn.usedBy({})).toEqual({})
})

test('error: a schema that JSON Schema cannot say names its method', () => {
  const result = z.string().transform((text) => text.length)
  expect(() => createComponents({ broken: spec(z.strictObject({}), result) }, 'draft-2020-12')).toThrow(/^broken: /)
})

test('error: an id that is no name for a component', () => {
  const result = z.string().meta({ id: 'bad / name' })
  expect(() => createComponents({ odd: spec(z.strictObject({}), result) }, 'draft-2020-12')).toThrow(/bad \/ name/)
})
