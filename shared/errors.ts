// The one table of failures. REST v2, REST v3, both JSON-RPC dialects and WebSocket read code and status from here, and
// the client reads which of them to retry. It imports nothing, so that the
// browser client can carry it.

interface ErrorRow {
  /** Code of the JSON-RPC 2.0 error object. */
  readonly rpc: number
  /** Whether the same call may succeed later without any change. */
  readonly retry: boolean
}

export const errorTable = {
  parse: { rpc: -32700, retry: false },
  invalidRequest: { rpc: -32600, retry: false },
  methodNotFound: { rpc: -32601, retry: false },
  invalidParams: { rpc: -32602, retry: false },
  missing: { rpc: -32602, retry: false },
  internal: { rpc: -32603, retry: false },
  unauthorized: { rpc: -32001, retry: false },
  forbidden: { rpc: -32002, retry: false },
  replyTooLarge: { rpc: -32003, retry: false },
  rateLimited: { rpc: -32005, retry: true },
  timeout: { rpc: -32006, retry: true },
  bodyTooLarge: { rpc: -32007, retry: false },
  batchTooLarge: { rpc: -32600, retry: false },
  urlTooLong: { rpc: -32600, retry: false },
  headersTooLarge: { rpc: -32600, retry: false },
  requestTimeout: { rpc: -32600, retry: false },
  routeNotFound: { rpc: -32601, retry: false },
  verbNotAllowed: { rpc: -32600, retry: false },
  notFound: { rpc: -32010, retry: false },
  conflict: { rpc: -32011, retry: false },
  upstream: { rpc: -32012, retry: false },
  unavailable: { rpc: -32013, retry: true },
  stackTooDeep: { rpc: -32014, retry: false },
  unsupportedEntry: { rpc: -32017, retry: false },
  unsupportedResult: { rpc: -32018, retry: false },
  queryTimeout: { rpc: -32019, retry: true },
  notIndexed: { rpc: -32020, retry: true },
  busy: { rpc: -32015, retry: true },
  diskFull: { rpc: -32022, retry: true },
  notEmulated: { rpc: -32021, retry: false },
  messageRefused: { rpc: -32016, retry: false },
  messageExpired: { rpc: -32023, retry: false },
  messageReplaced: { rpc: -32024, retry: false },
  messagePending: { rpc: -32025, retry: false },
  indexBehind: { rpc: -32026, retry: true },
} as const satisfies Record<string, ErrorRow>

export type ErrorKind = keyof typeof errorTable

/** The cast: the table's own names. */
export const errorKinds = Object.keys(errorTable) as readonly ErrorKind[]

/** HTTP statuses, also `code` in the toncenter envelope. The browser client needs none of them. */
export const httpStatuses: Readonly<Record<ErrorKind, number>> = {
  parse: 422,
  invalidRequest: 422,
  methodNotFound: 422,
  invalidParams: 422,
  missing: 401,
  internal: 500,
  unauthorized: 401,
  forbidden: 403,
  replyTooLarge: 500,
  rateLimited: 429,
  timeout: 504,
  bodyTooLarge: 413,
  batchTooLarge: 413,
  urlTooLong: 414,
  headersTooLarge: 431,
  requestTimeout: 408,
  routeNotFound: 404,
  verbNotAllowed: 405,
  notFound: 404,
  conflict: 409,
  upstream: 500,
  unavailable: 542,
  stackTooDeep: 533,
  unsupportedEntry: 542,
  unsupportedResult: 501,
  queryTimeout: 500,
  notIndexed: 503,
  busy: 503,
  diskFull: 503,
  notEmulated: 422,
  messageRefused: 400,
  messageExpired: 410,
  messageReplaced: 409,
  messagePending: 408,
  indexBehind: 503,
}

/** What is wrong with a request itself: the emulation interface answers all of these with 400. */
export const malformedKinds: readonly ErrorKind[] = ['parse', 'invalidRequest', 'invalidParams', 'missing']

/** Default texts; the JSON-RPC specification fixes three of them to the letter. The client has those of the service. */
export const errorTexts: Readonly<Record<ErrorKind, string>> = {
  parse: 'Parse error',
  invalidRequest: 'Invalid Request',
  methodNotFound: 'Method not found',
  invalidParams: 'Invalid params',
  missing: 'Missing parameter',
  internal: 'Internal error',
  unauthorized: 'API key does not exist',
  forbidden: 'Network not allowed',
  replyTooLarge: 'Reply too large',
  rateLimited: 'Ratelimit exceeded',
  timeout: 'Timeout',
  bodyTooLarge: 'Body too large',
  batchTooLarge: 'Batch too large',
  urlTooLong: 'URL too long',
  headersTooLarge: 'Headers too large',
  requestTimeout: 'Request not received in time',
  routeNotFound: 'Not Found',
  verbNotAllowed: 'Method Not Allowed',
  notFound: 'Not found',
  conflict: 'Conflict',
  upstream: 'Upstream error',
  unavailable: 'No upstream available',
  stackTooDeep: 'Result stack too deep',
  unsupportedEntry: 'Unsupported stack entry type',
  unsupportedResult: 'Result cannot be written down',
  queryTimeout: 'query timeout',
  notIndexed: 'nothing is indexed yet',
  busy: 'Service is busy',
  diskFull: 'no room on the disk',
  notEmulated: 'Not emulated',
  messageRefused: 'Message refused',
  messageExpired: 'Message expired',
  messageReplaced: 'Message replaced by another',
  messagePending: 'Message still pending',
  indexBehind: 'index is behind',
}

/** What is known of a message that did not come to the awaited end. */
export interface SentFacts {
  readonly message_hash: string
  readonly message_hash_norm: string
  /** Of the contract that refused it. */
  readonly exit_code?: number
  /** Transaction of the message that took its place. */
  readonly replaced_by?: string
}

/** Facts that go out with the text: always safe to show to a stranger. */
export interface ErrorData {
  /** The limit that was met, as a number in the unit the text names. */
  readonly limit?: number
  /** Whole seconds after which the call may be tried again. */
  readonly retryAfter?: number
  /** The parameter that was refused. */
  readonly param?: string
  readonly requestId?: string
  /** The known name nearest to one that is not known. */
  readonly nearest?: string
  /**
   * What is not allowed: this `network` to the key, control methods to the caller (`control`), or calls to its page (`origin`).
   * What is too large: the reply to the whole `batch`, without that to this call.
   */
  readonly reason?: 'network' | 'control' | 'origin' | 'batch'
  /** The message a call is about, where hashes and more are known of it. */
  readonly sent?: SentFacts
  /** Newest masterchain block in the index. */
  readonly seqno?: number
  /** What to do about it. */
  readonly advice?: string
  /** Path of the page that explains this kind of failure, on the service. */
  readonly docs?: string
}

/** A failure a caller may see. Anything else that is thrown goes out as `internal`, without its text. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly data: ErrorData

  constructor(kind: ErrorKind, text: string = errorTexts[kind], data: ErrorData = {}, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ApiError'
    this.kind = kind
    this.data = data
  }

  get row(): ErrorRow {
    return errorTable[this.kind]
  }

  get httpStatus(): number {
    return httpStatuses[this.kind]
  }
}
