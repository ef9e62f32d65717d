import { describe, expect, test } from 'vitest'
import { createComponents, methodList, openrpc, openrpcOfMethod } from '../../../server/docs/index.ts'
import { errorTable } from '../../../shared/errors.ts'
import { type Registry, registry } from '../../../shared/registry.ts'
import { awkward, facts } from './awkward.ts'
import { notJson, openRpcProblems, valueChecker } from './validators.ts'

interface Method {
  readonly name: string
  readonly paramStructure: string
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[]
  readonly result: { readonly schema: unknown }
  readonly errors: readonly { readonly $ref: string }[]
  readonly examples: readonly { params: readonly { name: string; value: unknown }[]; result: { value: unknown } }[]
  readonly [key: string]: unknown
}
interface Document {
  readonly methods: readonly Method[]
  readonly components: { readonly errors: Readonly<Record<string, { readonly code: number }>> }
  readonly [key: string]: unknown
}

const both = { ...registry, ...awkward } satisfies Registry
const draw = (of: Registry) => openrpc(of, facts) as unknown as Document
const find = (document: Document, name: string) => document.methods.find((one) => one.name === name)

describe.each([
  { name: 'service', of: registry as Registry },
  { name: 'awkward', of: both as Registry },
  { name: 'empty', of: {} as Registry },
])('of the $name registry', ({ of }) => {
  const document = draw(of)
  const check = valueChecker(document, 'draft-7')

  test('is valid OpenRPC', () => {
    expect(openRpcProblems(document)).toEqual([])
  })

  test('holds every method once, discovery among them', () => {
    const names = document.methods.map((one) => one.name)
    expect(names.toSorted()).toEqual([...new Set([...Object.keys(of), 'rpc.discover'])].toSorted())
  })

  test('examples fit their own schemas', () => {
    for (const { params, result, examples = [] } of document.methods) {
      for (const example of examples) {
        expect(check(result.schema, example.result.value)).toEqual([])
        for (const { name, value } of example.params) {
          expect(check(params.find((param) => param.name === name)?.schema, value)).toEqual([])
        }
      }
    }
  })

  test('is plain JSON, and the same each time', () => {
    expect(notJson(document)).toEqual([])
    expect(JSON.stringify(draw(of))).toBe(JSON.stringify(document))
  })
})

test('the check itself sees a mistake', () => {
  const { info: _, ...headless } = draw(both)
  expect(openRpcProblems(headless)).not.toEqual([])
  expect(openRpcProblems({ ...draw(both), methods: [{ name: 'x', params: [{ name: 'p' }] }] })).not.toEqual([])
})

test('params stand in declared order, which is that of positions', () => {
  const rows = find(draw(both), 'v3.odd.rows')
  expect(rows?.params.map((param) => param.name)).toEqual(['account', 'limit', 'offset', 'sort'])
  expect(rows?.paramStructure).toBe('either')
})

test('a method whose order OpenRPC cannot hold is shown by name, required first', () => {
  const late = find(draw(both), 'lateRequired')
  expect(late?.params.map((param) => param.name)).toEqual(['second', 'first', 'tree'])
  expect(late?.paramStructure).toBe('by-name')
})

test('errors have one entry per code, all out of the table', () => {
  const document = draw(both)
  const codes = Object.values(document.components.errors).map((error) => error.code)
  expect(new Set(codes).size).toBe(codes.length)
  const known = new Set<number>(Object.values(errorTable).map((row) => row.rpc))
  for (const code of codes) expect(known).toContain(code)
  for (const { errors = [] } of document.methods) {
    for (const { $ref } of errors) expect(document.components.errors).toHaveProperty($ref.split('/').at(-1) ?? '')
  }
})

test('cost, mirrored routes and limits are reported', () => {
  const document = draw(both)
  expect(find(document, 'mixed')).toMatchObject({ 'x-cost': 5, 'x-rest': awkward.mixed.rest })
  expect(find(document, 'dev.reset')).not.toHaveProperty('x-rest')
  expect(document['x-limits']).toEqual(facts.limits)
})

describe('in parts', () => {
  const components = createComponents(both, 'draft-7')
  const whole = draw(both)

  test('each method alone is as it is in the whole, with every schema it refers to', () => {
    for (const [name, spec] of Object.entries<Registry[string]>(both)) {
      // As it goes over the wire, which has no undefined.
      const own = JSON.parse(JSON.stringify(openrpcOfMethod({ name, spec }, facts, components)))
      // The check takes its time, and what is special is in these.
      if (Object.hasOwn(awkward, name)) expect(openRpcProblems(own), name).toEqual([])
      expect(own.methods, name).toEqual(JSON.parse(JSON.stringify([find(whole, name)])))
      const references = JSON.stringify(own).match(/#\/components\/schemas\/[^"]+/g) ?? []
      const missing = references.filter((one) => !Object.hasOwn(own.components.schemas, one.split('/').at(-1) ?? ''))
      expect(missing, name).toEqual([])
    }
  })

  test('the list has the names, groups and parameters of the whole, and is a twentieth of it', () => {
    const { methods } = methodList(both, components)
    const shortOf = ({ name, params }: Method) => [name, params.map((param) => param.name).toSorted()]
    const listed = methods.map(({ name, params }) => [name, params.toSorted()])
    expect(listed).toEqual(whole.methods.filter(({ name }) => Object.hasOwn(both, name)).map(shortOf))
    expect(JSON.stringify(methods).length * 20).toBeLessThan(JSON.stringify(whole).length)
  })
})
