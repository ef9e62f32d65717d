// Every parameter and every field of a result carries a description of its own, in the documents and on hover.

import { describe, expect, test } from 'vitest'
import {
  clientTypes,
  createComponents,
  escapeHtml,
  type JsonSchema,
  openapi,
  openrpc,
  referencePage,
} from '../../../server/docs/index.ts'
import { LIVE_TAGS, livePaths } from '../../../server/docs/openapiLive.ts'
import { keysDocument } from '../../../server/http/index.ts'
import { groupText } from '../../../shared/groups.ts'
import { registry } from '../../../shared/registry.ts'
import { facts } from './awkward.ts'

const components = createComponents(registry, 'draft-2020-12')
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isSchema(value) && !Array.isArray(value)

interface Field {
  readonly path: string
  readonly name: string
  readonly schema: JsonSchema
}

/** All properties of a schema, those of the components it refers to included, each once. */
function* fieldsOf(schema: JsonSchema, path: string, seen: Set<string>): Generator<Field> {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const target = components.schemas[name]
    if (seen.has(name) || target === undefined) return
    seen.add(name)
    yield* fieldsOf(target, name, seen)
    return
  }
  if (isRecord(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (!isSchema(property)) continue
      yield { path: `${path}.${name}`, name, schema: property }
      yield* fieldsOf(property, `${path}.${name}`, seen)
    }
  }
  for (const key of ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const inner = schema[key]
    for (const one of Array.isArray(inner) ? inner : [inner]) if (isSchema(one)) yield* fieldsOf(one, path, seen)
  }
}

/** `@type` is the name of the shape, a constant; of a field that is always null generators take no words. */
const needsWords = ({ name, schema }: Field): boolean =>
  !(name === '@type' && schema.const !== undefined) && schema.type !== 'null'

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function isDescribed({ name, schema: { description } }: Field): boolean {
  return typeof description === 'string' && /^\S.*\.$/s.test(description) && letters(description) !== letters(name)
}

const undescribed = (methods: readonly string[]): string[] => {
  const seen = new Set<string>()
  return methods.flatMap((method) => {
    const { params = {}, result = {} } = components.methods.get(method) ?? {}
    const fields = [...fieldsOf(params, `${method}(params)`, seen), ...fieldsOf(result, `${method}(result)`, seen)]
    return fields.filter((field) => needsWords(field) && !isDescribed(field)).map(({ path }) => path)
  })
}

const names = Object.keys(registry)

test('every parameter and every field of a result has a description, other than its name', () => {
  expect(undescribed(names)).toEqual([])
})

const isBare = (one: unknown): boolean => !isRecord(one) || typeof one.description !== 'string'

/** Fields and parameters anywhere in a part of a document that have no words. */
function bareOf(value: unknown, path: string, isExempt = (_: Field): boolean => false): string[] {
  if (!isSchema(value)) return []
  const { properties = {}, parameters = [] } = value as Readonly<Record<string, unknown>>
  const fields = isRecord(properties) ? Object.entries(properties) : []
  const bareFields = fields.filter(
    ([name, field]) => isBare(field) && !(isSchema(field) && isExempt({ path, name, schema: field })),
  )
  const bare = Array.isArray(parameters) ? parameters.filter(isBare) : []
  const own = [...bareFields.map(([name]) => `${path}.${name}`), ...bare.map((one) => `${path} ${JSON.stringify(one)}`)]
  return [...own, ...Object.entries(value).flatMap(([name, part]) => bareOf(part, `${path}/${name}`, isExempt))]
}

test.each(['v2', 'v3'] as const)('so has all else in the OpenAPI document of %s', (version) => {
  const { paths, components } = openapi(version, registry, facts) as Readonly<Record<string, object>>
  // A reference has the words of the shape it names.
  const isExempt = ({ schema }: Field): boolean => '$ref' in schema || schema.type === 'null'
  expect([...bareOf(paths, 'paths', isExempt), ...bareOf(components, 'components', isExempt)]).toEqual([])
  const operations = Object.values(paths ?? {}).flatMap((verbs: object) => Object.values(verbs)) as JsonSchema[]
  expect(operations.filter(({ summary, description }) => !summary || !description)).toEqual([])
})

test('so has the document of keys', () => {
  const document: unknown = JSON.parse(keysDocument({ network: 'devnet', version: '1.2.3' }))
  expect(bareOf(document, 'keys')).toEqual([])
})

test('so have the paths of streams and webhooks', () => {
  const paths = Object.entries(livePaths('Refusal'))
  expect(paths.length).toBeGreaterThan(15)
  expect(paths.flatMap(([path, one]) => bareOf(one, path))).toEqual([])
})

test('each operation of streams and webhooks says when to use it and what it costs', () => {
  const operations = Object.values(livePaths('Refusal')).flatMap((verbs) => Object.values(verbs)) as {
    readonly operationId: string
    readonly summary: string
    readonly description?: string
  }[]
  expect(operations.length).toBeGreaterThan(18)
  for (const { operationId, summary, description = '' } of operations) {
    expect(description, operationId).toMatch(
      /^[A-Z].*\bcosts? (?:one call|nothing)\b.*\.$|^Ends what .*Costs one call\.$/i,
    )
    expect(description, operationId).not.toContain(summary)
  }
})

test('the walk sees fields of params, of results, of lists and of choices', () => {
  const paths = [...fieldsOf({ type: 'array', items: { $ref: '#/components/schemas/TokenData' } }, 'x', new Set())].map(
    ({ path }) => path,
  )
  expect(paths).toContain('JettonMasterData.total_supply')
  expect(paths).toContain('StdAddress.workchain_id')
  expect(undescribed(['no.such.method'])).toEqual([])
  expect(isDescribed({ path: '', name: 'code', schema: { description: 'Code.' } })).toBe(false)
})

describe('methods', () => {
  test.each(names)('%s says when to use it', (name) => {
    const { summary, description = '' } = registry[name as keyof typeof registry] as {
      readonly summary: string
      readonly description?: string
    }
    expect(description).toMatch(/^\S.*\.$/)
    expect(description).not.toContain(summary)
    expect(description.split(/(?<=\.) /).length).toBeLessThanOrEqual(4)
  })
})

test('groups have a text for each interface they are in', () => {
  expect(groupText('v2', 'blocks')).not.toBe(groupText('v3', 'blocks'))
  expect(groupText('v2', 'constructor')).toBeUndefined()
})

describe('documents show them', () => {
  const words = registry.getTransactions.description ?? 'none'

  test.each(['v2', 'v3'] as const)('OpenAPI of %s: tags and operations', (version) => {
    const { tags, paths } = openapi(version, registry, facts) as {
      readonly tags: readonly { readonly name: string; readonly description?: string }[]
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>
    }
    const live = new Map(LIVE_TAGS.map((tag) => [tag.name, tag.description]))
    for (const { name, description } of tags.filter((tag) => tag.name !== 'JSON-RPC'))
      expect(description, name).toBe(live.get(name) ?? groupText(version, name))
    if (version === 'v2') expect(paths['/api/v2/getTransactions']?.get?.description).toBe(words)
  })

  test('OpenRPC: every tag and method', () => {
    const { methods } = openrpc(registry, facts) as {
      readonly methods: readonly { name: string; description?: string; tags: readonly { description?: string }[] }[]
    }
    for (const { name, tags } of methods) expect(tags[0]?.description, name).toMatch(/\.$/)
    expect(methods.find(({ name }) => name === 'getTransactions')?.description).toBe(words)
  })

  test("the client's types", () => {
    expect(clientTypes(registry)).toContain(words)
  })

  test('the reference page', () => {
    const page = referencePage('v2', registry, facts)
    expect(page).toContain(escapeHtml(groupText('v2', 'blocks') ?? ''))
    const link = '<a href="/api/v3/#method-v3.transactions">v3.transactions</a>'
    expect(page).toContain(`For filters, time ranges or several accounts use ${link}.`)
  })
})
