// A refusal has the status under which the documents list it, and a reply the headers they name, in each interface.

import { expect, test } from 'vitest'
import { ask, type Body, post, TONCENTER } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())

interface Response {
  readonly $ref?: string
  readonly headers: object
  readonly content: { readonly 'application/json': { readonly examples: Record<string, { readonly value: Body }> } }
}

interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Response> }>>
  readonly components: { readonly responses: Record<string, Response> }
  readonly info: { readonly version: string }
}

async function documentOf(version: string): Promise<Document> {
  const { body } = await ask(service(), `/openapi/${version}.json`)
  return body as unknown as Document
}

/** Statuses under which an operation lists a kind of failure. */
async function documented(version: string, path: string, kind: string): Promise<string[]> {
  const { paths, components } = await documentOf(version)
  const examplesOf = ({ $ref, content }: Response): object =>
    $ref === undefined
      ? (content['application/json'].examples ?? {})
      : examplesOf(components.responses[$ref.replace('#/components/responses/', '')] as Response)
  const { responses } = paths[path]?.post ?? { responses: {} }
  return Object.keys(responses).filter((status) => Object.hasOwn(examplesOf(responses[status] as Response), kind))
}

const DEEP = '['.repeat(65) + ']'.repeat(65)

test.each([
  ['v2', '/api/v2/runGetMethod', 'parse', '{', 422],
  ['v2', '/api/v2/runGetMethod', 'invalidRequest', DEEP, 422],
  ['v2', '/api/v2/runGetMethod', 'invalidParams', '{"address":1}', 422],
  ['v2', TONCENTER, 'parse', '{', 422],
  ['v2', TONCENTER, 'invalidRequest', '1', 422],
  ['v2', TONCENTER, 'methodNotFound', '{"method":"nothing"}', 422],
  ['v3', '/api/v3/decode', 'parse', '{', 422],
  ['v3', '/api/v3/decode', 'invalidRequest', DEEP, 422],
  ['v3', '/api/v3/runGetMethod', 'missing', '{}', 401],
  ['v3', '/api/emulate/v1/replay', 'parse', '{', 400],
  ['v3', '/api/emulate/v1/replay', 'invalidRequest', DEEP, 400],
  ['v3', '/api/emulate/v1/replay', 'invalidParams', '{"tx_hash":"nothing"}', 400],
])('%s %s: %s', async (version, path, kind, body, status) => {
  expect((await post(service(), path, body)).status).toBe(status)
  expect(await documented(version, path, kind)).toEqual([String(status)])
})

test.each([
  ['v2', '/api/v2/runGetMethod'],
  ['v3', '/api/emulate/v1/replay'],
])('%s %s: the headers about what was read, and by which interface', async (version, path) => {
  const { headers } = await post(service(), path, '{"tx_hash":"nothing","address":1,"method":"seqno"}')
  const { paths, info } = await documentOf(version)
  const named = Object.keys(paths[path]?.post?.responses['200']?.headers ?? {})
  const seqnos = ['X-Seqno', 'X-Index-Seqno'].filter((name) => headers.has(name))
  expect(named.filter((name) => name.endsWith('Seqno'))).toEqual(seqnos)
  expect(headers.get('X-API-Version')).toBe(info.version)
})
