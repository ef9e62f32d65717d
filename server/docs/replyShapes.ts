// The form of replies of all methods: envelopes, failures, headers. Numbers and texts of failures come from the error
// table.

import {
  type ErrorKind,
  errorKinds,
  errorTable,
  errorTexts,
  httpStatuses,
  malformedKinds,
} from '../../shared/errors.ts'
import type { JsonSchema } from './components.ts'
import type { Version } from './entries.ts'

/** One `@extra` as it is written: unix seconds, upstreams or `_`, milliseconds. */
export const EXTRA_EXAMPLE = '1755516054:_:0.041'

/** Failures of routing: no operation of a document returns them. */
const ROUTING: readonly ErrorKind[] = ['methodNotFound', 'routeNotFound', 'verbNotAllowed']
const OF_BODIES: readonly ErrorKind[] = ['parse', 'invalidRequest', 'bodyTooLarge']
const OF_BATCHES: readonly ErrorKind[] = ['batchTooLarge']
/** Failures before a JSON-RPC call is parsed, which belong to no single call. */
const OF_TRANSPORT: readonly ErrorKind[] = [...OF_BODIES, 'urlTooLong', 'headersTooLarge', 'requestTimeout']

const without = (...lists: (readonly ErrorKind[])[]): readonly ErrorKind[] =>
  errorKinds.filter((kind) => !lists.some((list) => list.includes(kind)))

/** Failures one REST operation may answer with. */
export const kindsOfRest = (verb: 'GET' | 'POST'): readonly ErrorKind[] =>
  verb === 'GET' ? without(ROUTING, OF_BATCHES, OF_BODIES) : without(ROUTING, OF_BATCHES)

/** Failures of `POST /api/v2/jsonRPC`, which finds its method by itself. */
export const kindsOfJsonRpc: readonly ErrorKind[] = without(['routeNotFound', 'verbNotAllowed'])

/** Failures one JSON-RPC call may answer with. */
export const kindsOfCall: readonly ErrorKind[] = without(ROUTING, OF_BATCHES, OF_TRANSPORT)

/** The number a failure is answered with: the code of JSON-RPC, or the status over REST. */
export type FailureNumber = (kind: ErrorKind) => number

export const rpcCode: FailureNumber = (kind) => errorTable[kind].rpc

/** How an operation of REST answers failures: emulation has a status and words of its own. */
export type FailureForm = Version | 'emulation'

const isMalformed = (form: FailureForm, kind: ErrorKind): boolean =>
  form === 'emulation' && malformedKinds.includes(kind)

export const statusIn =
  (form: FailureForm): FailureNumber =>
  (kind) =>
    isMalformed(form, kind) ? 400 : httpStatuses[kind]

/** Kinds in order of a number of theirs. */
export function kindsBy(
  numberOf: FailureNumber,
  kinds: readonly ErrorKind[],
): readonly (readonly [number, ErrorKind[]])[] {
  const grouped = new Map<number, ErrorKind[]>()
  for (const kind of kinds) {
    const key = numberOf(kind)
    grouped.set(key, [...(grouped.get(key) ?? []), kind])
  }
  return [...grouped].sort(([a], [b]) => a - b)
}

export const textsOf = (kinds: readonly ErrorKind[]): readonly string[] => kinds.map((kind) => errorTexts[kind])

/** The schema with words of its own, or those of the shape it names. */
const described = (result: JsonSchema): JsonSchema =>
  '$ref' in result || 'description' in result ? result : { ...result, description: 'What the method returns.' }

/** Schema of a success: v2 puts an envelope around the result, v3 answers with the bare result. */
export const successSchema = (version: Version, result: JsonSchema): JsonSchema =>
  version === 'v3'
    ? result
    : {
        type: 'object',
        properties: {
          ok: { type: 'boolean', description: 'Always true.' },
          result: described(result),
          '@extra': EXTRA_SCHEMA,
        },
        required: ['ok', 'result', '@extra'],
      }

export const successExample = (version: Version, result: unknown): unknown =>
  version === 'v3' ? result : { ok: true, result, '@extra': EXTRA_EXAMPLE }

export const EXTRA_SCHEMA: JsonSchema = {
  type: 'string',
  description: 'Unix seconds, upstreams that were queried (`_` for none) and milliseconds taken, separated by colons.',
}

/** Of replies over JSON-RPC. */
export const RPC_FIELDS: Readonly<Record<'jsonrpc' | 'id', JsonSchema>> = {
  jsonrpc: { type: 'string', const: '2.0', description: 'Version of the protocol, in replies over JSON-RPC.' },
  // Not a list of types: generators of clients read that as one type or null.
  id: {
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    description: 'Names the call over JSON-RPC: it comes back as it was sent, with its type.',
  },
}

/** Schema of a failure of one interface. */
export const errorSchema = (version: Version): JsonSchema =>
  version === 'v3'
    ? {
        type: 'object',
        properties: { error: { type: 'string', description: 'What went wrong, for a person.' } },
        required: ['error'],
      }
    : {
        type: 'object',
        properties: {
          ok: { type: 'boolean', description: 'Always false.' },
          error: { type: 'string', description: 'What went wrong, for a person.' },
          code: { type: 'integer', description: 'The HTTP status of this reply.' },
          '@extra': EXTRA_SCHEMA,
          ...RPC_FIELDS,
        },
        required: ['ok', 'error', 'code'],
      }

export const errorExample = (form: FailureForm, kind: ErrorKind): unknown => {
  const text = errorTexts[kind]
  if (form === 'v2') return { ok: false, error: text, code: httpStatuses[kind], '@extra': EXTRA_EXAMPLE }
  return { error: isMalformed(form, kind) ? `invalid request: ${text}` : text }
}

const header = (description: string, schema: JsonSchema, example: unknown) => ({ description, schema, example })
const whole = { type: 'integer', minimum: 0 }

/** Headers of replies by name, as OpenAPI header objects. */
export const replyHeaders = {
  'X-API-Version': header('Version of the interface that answers.', { type: 'string' }, '2.2.1'),
  'X-Index-Seqno': header('v3: the answer is at least as new as this masterchain block.', whole, 50503953),
  'X-Seqno': header('v2 and emulation: the newest masterchain block known when the call came.', whole, 50503953),
  'X-Request-Id': header('Names this call in the log of the service.', { type: 'string' }, '01J5Z3K8'),
  'X-Ignored-Parameters': header(
    'Names that the method does not have, with the known ones each may stand for; absent when there are none.',
    { type: 'string' },
    'acount (account?)',
  ),
  'RateLimit-Policy': header('Name, quota and window of the limit in force.', { type: 'string' }, '"free";q=1;w=1'),
  RateLimit: header('What is left of it and until when.', { type: 'string' }, '"free";r=0;t=1'),
  'RateLimit-Limit': header('Calls in one window.', whole, 1),
  'RateLimit-Remaining': header('Calls left in this window.', whole, 0),
  'RateLimit-Reset': header('Seconds until the budget is full again.', whole, 1),
  'Retry-After': header('Seconds after which the same call may be tried again.', { type: 'integer', minimum: 1 }, 1),
} as const

export type HeaderName = keyof typeof replyHeaders

export const RATE_HEADERS: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]
