// The client of the service, for browsers and Node: typed calls that are batched, deduplicated and retried.
//
// Promises: no dependency, no per-method code, under 10 kB; the calls of one tick are one request; every call
// settles with its result, one of three errors, or the reason of its own signal; a result is not shared between callers.
// It has no schemas: it uses the types of `shared/` and the table of error kinds, and does not check results.

export type { ErrorData, ErrorKind } from '../shared/errors.ts'
export type * from './api.ts'
export type { BatchOptions } from './batch.ts'
export { type Client, type ClientOptions, createClient, type StreamSource, type Streams } from './client.ts'
export { type FallbackOptions, fallback } from './fallback.ts'
export { type PostOptions, postTransport } from './post.ts'
export type { RpcReply, RpcRequest, Transport } from './protocol.ts'
export {
  type InfiniteQueryOptions,
  infiniteQueryOptions,
  type QueryKey,
  type QueryOptions,
  queryOptions,
} from './query.ts'
export type { RetryOptions } from './retry.ts'
export {
  isRpcError,
  isTimeoutError,
  isTransportError,
  RpcError,
  type RpcErrorKind,
  TimeoutError,
  TransportError,
  type TransportReason,
} from './rpcErrors.ts'
export type { StreamNotification, StreamOptions, StreamType } from './streamTypes.ts'
export type { CallOptions, MethodTable, Paged, PageOptions, Row } from './tree.ts'
export { formatTon, formatUnits, parseTon, parseUnits } from './units.ts'
