// The `responses` of operations: one success and, by status, the failures of the error table.

import { type ErrorKind, errorTable } from '../../shared/errors.ts'
import type { JsonSchema } from './components.ts'
import type { Version } from './entries.ts'
import {
  errorExample,
  type FailureForm,
  type HeaderName,
  kindsBy,
  kindsOfJsonRpc,
  kindsOfRest,
  RATE_HEADERS,
  replyHeaders,
  statusIn,
  textsOf,
} from './replyShapes.ts'

const ALWAYS: readonly HeaderName[] = ['X-API-Version', 'X-Request-Id']
/** How far what was read was. */
const SEQNO = { v2: 'X-Seqno', v3: 'X-Index-Seqno', emulation: 'X-Seqno' } as const

const headers = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const responseName = (form: FailureForm, status: number): string =>
  `${form === 'emulation' ? 'Emulation' : ''}Error${status}`

/** Responses of one operation: 200 with what is given, then a reference per status. */
export const responsesOf = (form: FailureForm, success: object, kinds: readonly ErrorKind[]) => ({
  200: {
    description: 'The result; of a list of calls, the outcome of each.',
    headers: headers([...ALWAYS, SEQNO[form], 'X-Ignored-Parameters', ...RATE_HEADERS]),
    content: { 'application/json': success },
  },
  ...Object.fromEntries(
    kindsBy(statusIn(form), kinds).map(([status]) => [
      status,
      { $ref: `#/components/responses/${responseName(form, status)}` },
    ]),
  ),
})

/** What those references point at. */
export function errorResponses(version: Version, schemaName: string) {
  const kinds = version === 'v2' ? kindsOfJsonRpc : kindsOfRest('POST')
  const forms: readonly FailureForm[] = version === 'v2' ? ['v2'] : ['v3', 'emulation']
  return Object.fromEntries(
    forms.flatMap((form) =>
      kindsBy(statusIn(form), kinds).map(([status, of]) => [
        responseName(form, status),
        response(form, schemaName, of),
      ]),
    ),
  )
}

/** The rate limit of a call, or of every call of a list, which is answered by a list then. */
export function limitedResponse(schema: JsonSchema) {
  const one = errorExample('v2', 'rateLimited')
  const { description, headers } = response('v2', '', ['rateLimited'])
  const batch: readonly object[] = [1, 2].map((id) => Object.assign({}, one, { jsonrpc: '2.0', id }))
  const examples = { one: { value: one }, batch: { value: batch } }
  return {
    description: `${description} A list of calls is refused so, by a list, when each of them is over the limit.`,
    headers,
    content: { 'application/json': { schema, examples } },
  }
}

function response(form: FailureForm, schemaName: string, kinds: readonly ErrorKind[]) {
  const retry = kinds.some((kind) => errorTable[kind].retry)
  const limited = kinds.includes('rateLimited')
  const again = retry ? ' The same call may succeed later.' : ''
  return {
    description: `${textsOf(kinds).join('; ')}.${again}`,
    headers: headers([...ALWAYS, ...(limited ? RATE_HEADERS : []), ...(retry ? (['Retry-After'] as const) : [])]),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaName}` },
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: errorExample(form, kind) }])),
      },
    },
  }
}

/** `components.headers`, with the version that is served. */
export const sharedHeaders = (version: string) => ({
  ...replyHeaders,
  'X-API-Version': { ...replyHeaders['X-API-Version'], example: version },
})
