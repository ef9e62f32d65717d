// `POST /api/v2/jsonRPC`: the v2 envelope around every method, chosen by name. The HTTP status of a single call is that
// of its outcome; a list of calls is answered by a list in the same order. A call and a reply have a schema of their own
// in a list, and a reply there is one object: openapi-generator's `typescript-fetch` compiles no other choice of lists.

import { httpStatuses } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { JsonSchema } from './components.ts'
import { entriesOf } from './entries.ts'
import { limitedResponse, responsesOf } from './openapiResponses.ts'
import { EXTRA_EXAMPLE, EXTRA_SCHEMA, kindsOfJsonRpc, RPC_FIELDS } from './replyShapes.ts'

export const JSON_RPC_TAG = { name: 'JSON-RPC' }
const PATH = '/api/v2/jsonRPC'

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
const oneOrMany = (one: JsonSchema, listed: JsonSchema): JsonSchema => ({
  oneOf: [one, { type: 'array', items: listed, minItems: 1 }],
})

const ofEveryReply = { '@extra': EXTRA_SCHEMA, ...RPC_FIELDS }

/** Without a default: `openapi-typescript` would make the field required. */
const requestSchema = (registry: Registry): JsonSchema => ({
  type: 'object',
  properties: {
    jsonrpc: { type: 'string', description: 'Usually `2.0`; not looked at.' },
    id: RPC_FIELDS.id,
    method: { type: 'string', enum: Object.keys(registry), description: 'Name of the method.' },
    params: { type: 'object', additionalProperties: true, description: 'Parameters of the method by name.' },
  },
  required: ['method'],
})

/** Schemas the operation refers to. */
export const jsonRpcSchemas = (registry: Registry): Readonly<Record<string, JsonSchema>> => ({
  JsonRpcRequest: requestSchema(registry),
  JsonRpcBatchRequest: requestSchema(registry),
  JsonRpcSuccess: {
    type: 'object',
    properties: {
      ok: { type: 'boolean', description: 'Always true.' },
      result: { description: 'What the method returns.' },
      ...ofEveryReply,
    },
    required: ['ok', 'result'],
  },
  JsonRpcBatchReply: {
    type: 'object',
    properties: {
      ok: { type: 'boolean', description: 'Whether this call succeeded.' },
      result: { description: 'What the method returns; only of a call that succeeded.' },
      error: { type: 'string', description: 'Why the call failed: always a text, never an object.' },
      code: { type: 'integer', description: 'The HTTP status of a call that failed.' },
      ...ofEveryReply,
    },
    required: ['ok'],
  },
})

/** The path item, or nothing when there is no method to call. */
export function jsonRpcOperation(registry: Registry, errorSchemaName: string): Record<string, Record<string, unknown>> {
  const [first] = entriesOf(registry)
  if (!first) return {}
  const { name, spec } = first
  const request = { jsonrpc: '2.0', id: 1, method: name, params: spec.example.params }
  const reply = { ok: true, result: spec.example.result, '@extra': EXTRA_EXAMPLE, jsonrpc: '2.0', id: 1 }
  const schema = oneOrMany(ref('JsonRpcSuccess'), ref('JsonRpcBatchReply'))
  const success = { schema, examples: { one: { value: reply }, batch: { value: [reply, { ...reply, id: 2 }] } } }
  return {
    [PATH]: {
      post: {
        operationId: 'jsonRPC_post',
        summary: 'Any method by name, one call or a list of calls.',
        description:
          'For clients that speak JSON-RPC, and to send many calls in one request. Each call of a list costs what it costs alone, and fails alone; results are in the order of the calls.',
        tags: [JSON_RPC_TAG.name],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: oneOrMany(ref('JsonRpcRequest'), ref('JsonRpcBatchRequest')),
              examples: { one: { value: request }, batch: { value: [request, { ...request, id: 2 }] } },
            },
          },
        },
        responses: {
          ...responsesOf('v2', success, kindsOfJsonRpc),
          [httpStatuses.rateLimited]: limitedResponse(oneOrMany(ref(errorSchemaName), ref('JsonRpcBatchReply'))),
        },
      },
    },
  }
}
