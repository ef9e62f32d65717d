// JSON-RPC 2.0 to the letter, plus `ok`, true on success and false on failure, for clients that look for it. Failures of single calls travel
// in the body under HTTP 200; only what concerns the whole request has a status of its own.

import { helpOn } from '../../../shared/errorAdvice.ts'
import { type ApiError, type ErrorKind, errorTexts } from '../../../shared/errors.ts'
import type { Dialect } from './dialect.ts'

/** Whole requests are refused for these, so proxies and plain HTTP clients may know. */
const OWN_STATUS = new Set<ErrorKind>([
  'unauthorized',
  'forbidden',
  'rateLimited',
  'bodyTooLarge',
  'urlTooLong',
  'headersTooLarge',
  'requestTimeout',
  'verbNotAllowed',
  'busy',
])

/** Their codes say everything and the specification's examples show them bare. A method that is missing leads to the list of all. */
const BARE = new Set<ErrorKind>(['parse', 'invalidRequest'])

function dataOf(error: ApiError): string {
  if (BARE.has(error.kind) && Object.keys(error.data).length === 0) return ''
  return `,"data":${JSON.stringify({ kind: error.kind, ...error.data, ...helpOn(error.kind, error.data) })}`
}

/** Invalid params keep the specification's words in front of ours. */
const textOf = (error: ApiError): string =>
  error.kind === 'invalidParams' && error.message !== errorTexts.invalidParams
    ? `${errorTexts.invalidParams}: ${error.message}`
    : error.message

export const strict: Dialect = {
  around: (_, { id, indexSeqno = null }) => [
    '{"jsonrpc":"2.0","ok":true,"result":',
    `,"id":${id}${indexSeqno === null ? '' : `,"index_seqno":${indexSeqno}`}}`,
  ],

  failure(error, { id }) {
    const object = `{"code":${error.row.rpc},"message":${JSON.stringify(textOf(error))}${dataOf(error)}}`
    return {
      status: OWN_STATUS.has(error.kind) ? error.httpStatus : 200,
      text: `{"jsonrpc":"2.0","ok":false,"error":${object},"id":${id}}`,
      retryAfter: error.data.retryAfter,
    }
  },
}
