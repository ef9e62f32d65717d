// How a call can fail: the service refused it (`RpcError`), there was no readable reply (`TransportError`), or it timed
// out (`TimeoutError`). A caller's own AbortSignal rejects with its own reason.

import { type ErrorData, type ErrorKind, errorKinds, errorTable } from '../shared/errors.ts'

/** Registered for the whole process, so that two copies of this file (or two realms) recognize each other's errors. */
const BRAND: unique symbol = Symbol.for('tonrpc.error')

/** A kind of the service's error table; `unknown` or another text from a newer or foreign service. */
export type RpcErrorKind = ErrorKind | (string & Record<never, never>)

export interface RpcErrorInit {
  readonly method: string
  readonly code: number
  /** Text of the service. */
  readonly text: string
  readonly kind?: RpcErrorKind | undefined
  readonly status?: number | undefined
  readonly data?: ErrorData
}

/** Paths on the service; the first when the service names none. */
const ERRORS_PAGE = '/api/v2/#errors'
const CLIENT_PAGE = '/docs/dapps#errors'

const listed = (kind: RpcErrorKind): kind is ErrorKind => Object.hasOwn(errorTable, kind)

/** The kind a bare code stands for: the first of the table that has it. */
const kindOf = (code: number): RpcErrorKind => errorKinds.find((kind) => errorTable[kind].rpc === code) ?? 'unknown'

/** Whether the same call may succeed later, by the service's own table. */
export const isPassing = (kind: RpcErrorKind): boolean => listed(kind) && errorTable[kind].retry

function describe(head: string, facts: readonly (string | undefined | false)[]): string {
  const known = facts.filter(Boolean).join('; ')
  return known ? `${head} (${known})` : head
}

const because = (cause: unknown): ErrorOptions | undefined => (cause === undefined ? undefined : { cause })

/** The service refused the call. */
export class RpcError extends Error {
  readonly [BRAND] = 'rpc'
  readonly method: string
  readonly code: number
  readonly kind: RpcErrorKind
  /** HTTP status, when the whole request was refused with one. */
  readonly status: number | undefined
  readonly data: ErrorData

  constructor({ method, code, text, kind = kindOf(code), status, data = {} }: RpcErrorInit) {
    const after = data.retryAfter !== undefined && `try again after ${data.retryAfter} s`
    const request = data.requestId !== undefined && `request ${data.requestId}`
    const meant = data.nearest !== undefined && `did you mean ${data.nearest}?`
    super(describe(`${method}: ${text}`, [kind, meant, after, request, data.advice]))
    this.name = 'RpcError'
    this.method = method
    this.code = code
    this.kind = kind
    this.status = status
    this.data = data
  }

  /** Id of this call in the log of the service. */
  get requestId(): string | undefined {
    return this.data.requestId
  }

  /** What to do about it, if the service returned that. */
  get advice(): string | undefined {
    return this.data.advice
  }

  /** Path of the page that explains it, on the service. */
  get docs(): string {
    return this.data.docs ?? ERRORS_PAGE
  }
}

/**
 * `network`: no reply. `status`: an HTTP error that is not JSON-RPC. `reply`: a reply that cannot be parsed, or none
 * for this call. `closed`: the transport was closed or stopped reconnecting. `unknown`: a message was sent again after a
 * lost reply, and refused: whether the first was taken is not known.
 */
export type TransportReason = 'network' | 'status' | 'reply' | 'closed' | 'unknown'

export interface TransportErrorInit {
  readonly reason: TransportReason
  readonly text: string
  readonly method?: string | undefined
  readonly status?: number | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly advice?: string
  readonly cause?: unknown
}

const ADVICE: Readonly<Record<TransportReason, string>> = {
  network: 'check that the service runs at this address and that the page may call it',
  status: 'check url, and the proxy between here and the service',
  reply: 'check that url is the address of a tonrpc service',
  closed: 'create a new transport',
  unknown: 'look for the message by its hash before you sign another',
}

/** There was no readable reply. */
export class TransportError extends Error {
  readonly [BRAND] = 'transport'
  readonly reason: TransportReason
  readonly method: string | undefined
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  /** The message without the method. */
  readonly text: string
  /** What to do about it. */
  readonly advice: string

  constructor({ reason, text, method, status, retryAfter, advice = ADVICE[reason], cause }: TransportErrorInit) {
    super(method ? `${method}: ${text}` : text, because(cause))
    this.name = 'TransportError'
    this.reason = reason
    this.text = text
    this.method = method
    this.status = status
    this.retryAfter = retryAfter
    this.advice = advice
  }

  /** Path of the page that explains it, on the service. */
  get docs(): string {
    return CLIENT_PAGE
  }

  /** The same failure for one of the calls it stopped. */
  of(method: string): TransportError {
    return copyFor(method, this)
  }
}

/** Outside of the class: bundlers rename a class that refers to itself, and stacks would show that name. */
const copyFor = (method: string, { reason, text, status, retryAfter, advice, cause }: TransportError): TransportError =>
  new TransportError({ reason, text, method, status, retryAfter, advice, cause })

/** No reply within `timeoutMs`; `cause` is the failure of the last try, when there was one. */
export class TimeoutError extends Error {
  readonly [BRAND] = 'timeout'
  readonly method: string
  readonly timeoutMs: number

  constructor(method: string, timeoutMs: number, cause?: unknown) {
    const last = cause instanceof Error && `last try: ${cause.message}`
    super(describe(`${method}: no answer within ${timeoutMs} ms`, [last]), because(cause))
    this.name = 'TimeoutError'
    this.method = method
    this.timeoutMs = timeoutMs
  }
}

const branded = (value: unknown, brand: string): boolean =>
  typeof value === 'object' && value !== null && BRAND in value && value[BRAND] === brand

/** Like `instanceof`, also across realms and copies of this package. */
export const isRpcError = (value: unknown): value is RpcError => branded(value, 'rpc')
export const isTransportError = (value: unknown): value is TransportError => branded(value, 'transport')
export const isTimeoutError = (value: unknown): value is TimeoutError => branded(value, 'timeout')
