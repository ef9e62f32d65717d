// What a caller can do about each kind of failure, for error objects and the reference pages. Apart from the table of
// kinds: the client carries that, and gets these words with the error.

import type { ErrorData, ErrorKind } from './errors.ts'

/** One sentence for each kind, for a developer who sees it for the first time. */
export const errorAdvice: Readonly<Record<ErrorKind, string>> = {
  parse: 'Send the request as JSON.',
  invalidRequest: 'Send a JSON-RPC 2.0 request with `jsonrpc`, `method` and `params`.',
  methodNotFound:
    'Check the spelling; rpc.discover lists the methods of this service, and so does GET /openrpc/methods.json.',
  invalidParams: 'Compare the parameters with the reference of the method.',
  missing: 'Add the required parameter.',
  internal: 'Report it to the operator with the request id, which finds the call in the log.',
  unauthorized: 'Check the API key, or call without one.',
  forbidden: 'Ask the operator of the service for access.',
  replyTooLarge: 'Lower `limit` or request less in one call.',
  rateLimited:
    'Retry after `retryAfter` seconds; an API key or a higher plan raises the limit. On a service of your own: start it with --limits off.',
  timeout: 'Retry, or request less in one call.',
  bodyTooLarge: 'Send less in one request.',
  batchTooLarge: 'Split the batch; an API key raises the limit.',
  urlTooLong: 'Send the parameters as JSON by POST.',
  headersTooLarge: 'Send fewer or shorter headers.',
  requestTimeout: 'Send the request without pauses.',
  routeNotFound: 'Check the path; the reference pages list all of them.',
  verbNotAllowed: 'Use the verb the reference of the method shows.',
  notFound: 'Check the address, hash or seqno; what is not in the index yet appears with its block.',
  conflict: 'Check that the account is a contract of the kind this method reads.',
  upstream: 'Read the text: the chain or the contract refused this call.',
  unavailable: 'Retry later: the service has no connection to the chain.',
  stackTooDeep: 'Call a get-method that returns less nested values.',
  unsupportedEntry: 'Use one of the stack entry types the reference lists.',
  unsupportedResult: 'Call runGetMethodStd, or a get-method that returns other types.',
  queryTimeout:
    'Bound the list: by start_utime and end_utime or by start_lt and end_lt where the method has them, or by a filter that fewer rows match. The same call takes as long again.',
  notIndexed: 'Retry: the index has no block yet.',
  busy: 'Retry after `retryAfter` seconds.',
  diskFull: 'Report it to the operator of the service: its disk is full.',
  notEmulated: 'Read the text: the message, the wallet or the block cannot be used for an emulation.',
  messageExpired: 'Sign the message again with a later expiry; this one can no longer be executed.',
  messageReplaced: 'Read the seqno of the wallet and sign again; another message took the place of this one.',
  messagePending: 'Call again with the same message: it waits for the same result and is not sent twice.',
  indexBehind: 'Retry, or read without X-Min-Seqno.',
  messageRefused: 'Check seqno, expiry, signature and balance of the account; the message was not sent.',
}

const REASONS: Readonly<Record<NonNullable<ErrorData['reason']>, string>> = {
  network: 'Use a key of this network.',
  control: 'Read the text: it names the option of the service that lets such a caller in.',
  origin: 'Ask the operator to allow the origin of the page.',
  batch: 'Send this call again, in a smaller batch or alone. It may have run without its reply.',
}

/** Id of a kind's row on the reference pages. */
export const errorAnchor = (kind: ErrorKind): string => `error-${kind}`

/** What goes out with a failure: what to do about it, and the path of the page that explains it. */
export const helpOn = (
  kind: ErrorKind,
  { reason, advice }: ErrorData,
): { readonly advice: string; readonly docs: string } => ({
  advice: advice ?? (reason === undefined ? errorAdvice[kind] : REASONS[reason]),
  docs: `/api/v2/#${errorAnchor(kind)}`,
})
