import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openapi } from '../../../server/docs/index.ts'
import { toncenterRpc } from '../../../server/http/dialect/toncenter.ts'
import { joinReplies } from '../../../server/http/rpc/rpcBatch.ts'
import { ApiError, httpStatuses } from '../../../shared/errors.ts'
import { method } from '../../../shared/method.ts'
import { type Registry, registry } from '../../../shared/registry.ts'
import { awkward, facts } from './awkward.ts'
import { notJson, openApiProblems, strictProblems, valueChecker } from './validators.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: { 'application/json': Media } }>
  >
}
interface Media {
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Parameter {
  readonly name: string
  readonly schema?: unknown
  readonly content?: { readonly 'application/json': Media }
  readonly example?: unknown
  readonly [key: string]: unknown
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, { content: { 'application/json': Media } }>>
  }
  readonly [key: string]: unknown
}

const both = { ...registry, ...awkward } satisfies Registry
const draw = (version: 'v2' | 'v3', of: Registry) => openapi(version, of, facts) as unknown as Document
const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
  )
const NOT_METHODS = /^\/api\/(?:v2\/jsonRPC$|streaming\/|webhooks\/)/
const ofRegistry = (document: Document) => operationsOf(document).filter(({ path }) => !NOT_METHODS.test(path))

const cases = [
  { name: 'service', of: registry as Registry },
  { name: 'awkward', of: both as Registry },
  { name: 'empty', of: {} as Registry },
].flatMap(({ name, of }) => (['v2', 'v3'] as const).map((version) => ({ name, of, version })))

describe.each(cases)('$version of the $name registry', ({ of, version }) => {
  const document = draw(version, of)
  const check = valueChecker(document, 'draft-2020-12')

  test('is valid OpenAPI 3.1', async () => {
    expect(await openApiProblems(document)).toEqual([])
  })

  test('has nothing a strict validator warns of, and nothing known to break generators of clients', () => {
    expect(strictProblems(document)).toEqual([])
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/"items":false|"const":(?:true|false)/)
  })

  test('no field has null as its only type: the generators of openapi-generator have no name for one', () => {
    const fieldsOfNull = JSON.stringify(document).match(/"\w+":\{"type":"null"/g)
    expect(fieldsOfNull).toBeNull()
  })

  test('no field is an object of nothing said: openapi-typescript takes it for one that holds nothing', () => {
    const empty: string[] = []
    const look = (name: string, schema: Record<string, unknown> | undefined) => {
      if (schema?.type === 'object' && !('properties' in schema) && !('additionalProperties' in schema))
        empty.push(name)
    }
    JSON.stringify(document, (key, value) => {
      if (key === 'properties') for (const name of Object.keys(value)) look(name, value[name])
      if (key === 'additionalProperties') look(key, value)
      return value
    })
    expect(empty).toEqual([])
  })

  test('a choice of objects is oneOf: of anyOf openapi-generator makes one object, for Rust with all that each requires', () => {
    const { schemas } = document.components
    const ofObjects = Object.entries(schemas).filter(([, schema]) => {
      const choices = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : []
      const targets = choices.map(({ $ref }) => schemas[String($ref).replace('#/components/schemas/', '')])
      return choices.length > 0 && targets.every((target) => target && 'properties' in target)
    })
    // Comments in clear, encrypted and decrypted differ by a value alone: of oneOf a client for Go would refuse each.
    const alike = version === 'v2' && of.getTransactions ? ['MessageData'] : []
    expect(ofObjects.map(([name]) => name)).toEqual(alike)
  })

  test('what refers to a choice does not repeat it: openapi-generator for Python loses the type of such a field', () => {
    const repeated: string[] = []
    JSON.stringify(document, (key, value) => {
      if (typeof value?.$ref === 'string' && ('anyOf' in value || 'oneOf' in value)) repeated.push(key)
      return value
    })
    expect(repeated).toEqual([])
  })

  test('whole numbers that may exceed 32 bits are marked: generators for Java, Go, Rust and others read 32', () => {
    const unmarked: string[] = []
    JSON.stringify(document, (key, value) => {
      const isWide = value?.maximum > 2 ** 31 - 1 || /^(?:now|last_delivered_lt)$/.test(key)
      if (value?.type === 'integer' && isWide && value.format !== 'int64') unmarked.push(key)
      return value
    })
    expect(unmarked).toEqual([])
  })

  test('holds each REST route exactly once', () => {
    const wanted = Object.values(of)
      .flatMap((spec) => spec.rest)
      .filter((route) => /^\/(?:api\/v2\/|acton_)/.test(route.path) === (version === 'v2'))
      .map((route) => `${route.verb} ${route.path}`)
    const found = ofRegistry(document).map(({ path, verb }) => `${verb.toUpperCase()} ${path}`)
    expect(found.toSorted()).toEqual(wanted.toSorted())
  })

  test('operation ids are unique words', () => {
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^\w+$/)
  })

  test('examples fit their own schemas', () => {
    for (const { operation } of operationsOf(document)) {
      for (const parameter of operation.parameters ?? []) {
        const media = parameter.content?.['application/json']
        if (parameter.example !== undefined) expect(check(parameter.schema, parameter.example)).toEqual([])
        if (media?.example !== undefined) expect(check(media.schema, media.example)).toEqual([])
      }
      const bodies = [operation.requestBody, operation.responses['200']].map(
        (body) => body?.content?.['application/json'],
      )
      for (const body of bodies) {
        if (!body) continue
        const values = [body.example, ...Object.values(body.examples ?? {}).map(({ value }) => value)]
        for (const value of values.filter((one) => one !== undefined)) expect(check(body.schema, value)).toEqual([])
      }
    }
  })

  test('failures fit their own schemas', () => {
    for (const { content } of Object.values(document.components.responses)) {
      const { schema, examples } = content['application/json']
      for (const { value } of Object.values(examples ?? {})) expect(check(schema, value)).toEqual([])
    }
  })

  test('every reference leads somewhere', () => {
    for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      expect(target, path).toBeDefined()
    }
  })

  test('is plain JSON, and the same each time', () => {
    expect(notJson(document)).toEqual([])
    expect(JSON.stringify(draw(version, of))).toBe(JSON.stringify(document))
  })
})

test('the check itself sees a mistake', async () => {
  const document = draw('v2', both)
  const { info: _, ...headless } = document
  expect(await openApiProblems(headless)).not.toEqual([])
  expect(await openApiProblems({ ...document, paths: { '/x': { get: { parameters: [{ name: 'p' }] } } } })).not.toEqual(
    [],
  )
})

describe('operations', () => {
  const v2 = draw('v2', both)
  const mixed = v2.paths['/api/v2/mixed']
  const parameter = (name: string) => mixed?.get?.parameters?.find((one) => one.name === name)

  test('GET: lists are exploded, objects are JSON, defaults and bounds are kept', () => {
    expect(parameter('list')).toMatchObject({ in: 'query', required: false, style: 'form', explode: true })
    expect(parameter('options')).toHaveProperty('content')
    expect(parameter('options')).toHaveProperty('required', true)
    expect(parameter('flag')).toMatchObject({ schema: { type: 'boolean', default: false }, example: true })
    const rows = draw('v3', both).paths['/api/v3/odd/rows']?.get?.parameters
    expect(rows?.find((one) => one.name === 'limit')?.schema).toMatchObject({ default: 10, minimum: 1, maximum: 500 })
  })

  test('POST: the body is open, as REST ignores unknown names', () => {
    expect(mixed?.post?.requestBody?.content['application/json'].schema).not.toHaveProperty('additionalProperties')
  })

  test('the result goes in the envelope of v2 and bare in v3', () => {
    const reply = (operation: Operation | undefined) => operation?.responses['200']?.content?.['application/json']
    expect(reply(mixed?.get)?.example).toEqual({
      ok: true,
      result: awkward.mixed.example.result,
      '@extra': expect.any(String),
    })
    const v3 = draw('v3', both).paths['/api/v3/odd/rows']?.get
    expect(reply(v3)?.example).toEqual(awkward['v3.odd.rows'].example.result)
  })

  test('statuses come out of the error table, bodies fail only where there are bodies', () => {
    const table = new Set(Object.values(httpStatuses).map(String))
    const statuses = (operation: Operation | undefined) =>
      Object.keys(operation?.responses ?? {}).filter((one) => one !== '200')
    for (const { operation } of operationsOf(v2))
      for (const status of statuses(operation)) expect(table).toContain(status)
    expect(statuses(mixed?.get)).toEqual(expect.arrayContaining(['401', '403', '422', '429', '500', '542']))
    expect(statuses(mixed?.get)).not.toContain('413')
    expect(statuses(mixed?.post)).toContain('413')
  })

  test('a call without a key is allowed; header and query are the other ways', () => {
    expect(v2.security).toEqual([{}, { apiKeyHeader: [] }, { apiKeyQuery: [] }])
  })

  test('cost, limits, tags and network are reported', () => {
    expect(mixed?.get).toMatchObject({ 'x-cost': 5, 'x-method': 'mixed', tags: [awkward.mixed.group] })
    expect(v2['x-limits']).toEqual(facts.limits)
    expect(v2['x-network']).toBe('devnet')
  })

  test('servers: `/`, or the public address', () => {
    expect(v2.servers).toEqual([{ url: '/' }])
    const known = openapi('v2', both, { ...facts, publicUrl: 'https://ton.example/' })
    expect(known.servers).toEqual([{ url: 'https://ton.example' }])
  })

  test('jsonRPC takes one call or many, of every method there is', () => {
    const request = v2.paths['/api/v2/jsonRPC']?.post?.requestBody?.content['application/json']
    const check = valueChecker(v2, 'draft-2020-12')
    expect(check(request?.schema, { method: 'mixed' })).toEqual([])
    expect(check(request?.schema, [{ id: '1', method: 'v3.odd.rows', params: {} }])).toEqual([])
    expect(check(request?.schema, { method: 'nothing' })).not.toEqual([])
    expect(check(request?.schema, [])).not.toEqual([])
  })

  test('jsonRPC: no type is alone and in a list of one choice, which openapi-generator imports twice in typescript-fetch', () => {
    const { requestBody, responses } = v2.paths['/api/v2/jsonRPC']?.post ?? {}
    for (const body of [requestBody, responses?.['200']]) {
      const references = JSON.stringify(body?.content?.['application/json'].schema).match(/"\$ref":"[^"]+"/g) ?? []
      expect(references).toHaveLength(2)
      expect(new Set(references).size).toBe(2)
    }
  })

  test('jsonRPC: a call without parameters is one in types written by openapi-typescript, too', () => {
    expect(JSON.stringify(v2.components.schemas.JsonRpcRequest)).not.toContain('"default"')
  })

  test('jsonRPC: a failure has no field that is not described', () => {
    const { text } = toncenterRpc.failure(new ApiError('busy'), { ms: 0, verb: 'POST', id: '7' })
    const { schemas } = v2.components
    for (const schema of [schemas.V2Error, schemas.JsonRpcBatchReply]) {
      const closed = { ...schema, additionalProperties: false }
      expect(valueChecker(v2, 'draft-2020-12')(closed, JSON.parse(text))).toEqual([])
    }
  })

  test('jsonRPC: a list of calls that are all over the limit is refused by a list', async () => {
    const failure = (id: string) => toncenterRpc.failure(new ApiError('rateLimited'), { ms: 0, verb: 'POST', id })
    const replies = ['1', '2'].map(failure)
    const all = await joinReplies(replies, { subject: 'me' })
    expect(all?.status).toBe(429)
    const { schema, examples } =
      v2.paths['/api/v2/jsonRPC']?.post?.responses['429']?.content?.['application/json'] ?? {}
    const check = valueChecker(v2, 'draft-2020-12')
    const [one] = replies
    for (const text of [one?.text, all?.text]) expect(check(schema, JSON.parse(text ?? ''))).toEqual([])
    for (const { value } of Object.values(examples ?? {})) expect(check(schema, value)).toEqual([])
    expect(Object.keys(examples ?? {})).toEqual(['one', 'batch'])
  })

  test('an interface without methods has no paths', () => {
    expect(draw('v3', {}).paths).toEqual({})
  })

  test('error: an id that the documents need themselves', () => {
    const result = z.object({ a: z.string() }).meta({ id: 'V2Error' })
    const taken = method({
      summary: 'x',
      group: 'x',
      params: z.strictObject({}),
      result,
      rest: [{ verb: 'GET', path: '/api/v2/taken' }],
      freshness: 'live',
      example: { params: {}, result: { a: '' } },
    })
    expect(() => openapi('v2', { taken }, facts)).toThrow(/V2Error/)
  })
})
