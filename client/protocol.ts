// What goes over the wire, and the one thing a transport has to do.

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A parsed reply, not checked before it is matched with its request. */
export interface RpcReply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: unknown
  /** HTTP status it came with, when that was not 200. */
  readonly status?: number
  /** Seconds of the `Retry-After` header it came with. */
  readonly retryAfter?: number
}

/**
 * Sends requests in one message (an array when there are several, the bare object when there is one) and returns what
 * came back, in any order. One reply with an error and no id stands for a refusal of the whole message. Throws
 * `TransportError` when there is no such answer; should stop when the signal aborts.
 */
export type Transport = (requests: readonly RpcRequest[], signal: AbortSignal) => Promise<readonly RpcReply[]>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a message: a lone request is not wrapped. */
export const toText = (requests: readonly RpcRequest[]): string =>
  JSON.stringify(requests.length === 1 ? requests[0] : requests)

/** The objects of a reply message; anything else in it cannot be matched with a request. */
export const toReplies = (body: unknown): readonly RpcReply[] => (Array.isArray(body) ? body : [body]).filter(isObject)

/** Options with a value for each. */
export type Complete<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> }

/** Members that have a value. */
export const givenMembers = (object: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
