// Puts the parts together: Proxy -> dedupe -> batch -> delivery (retries) -> transport.

import { abortReason } from './abortReason.ts'
import type { Api, ServiceClient } from './api.ts'
import { type BatchOptions, createBatcher } from './batch.ts'
import { createDedupe, stableJson } from './dedupe.ts'
import { abandon, createDelivery, createItem, type Item } from './delivery.ts'
import { endpoint, shown } from './endpoint.ts'
import { type Start, seatedUntil } from './flight.ts'
import { readPages, readRows } from './iterate.ts'
import { isChange, isControl, isSlow } from './methodKinds.ts'
import { checkNames, OF_CLIENT } from './optionNames.ts'
import { type PostOptions, postTransport } from './post.ts'
import { givenMembers, isObject, type Transport } from './protocol.ts'
import { createProxy, type Door } from './proxy.ts'
import { NO_RETRY, RETRY, type RetryOptions } from './retry.ts'
import { TimeoutError } from './rpcErrors.ts'
import { limit } from './sleep.ts'
import type { StreamNotification, StreamOptions } from './streamTypes.ts'
import type { CallOptions, MethodTable, Tree } from './tree.ts'

interface CommonOptions {
  /** Collects the calls of one tick into one message; `false` sends each alone. */
  readonly batch?: BatchOptions | false | undefined
  readonly retry?: RetryOptions | false | undefined
  /** For each call with all its tries; 0 is no limit. Default 30 s. */
  readonly timeoutMs?: number | undefined
  /**
   * Names methods that change something each time they run: such calls are not merged with an identical one in flight
   * and not sent again when it is unknown whether they ran. When left out, the `dev.` and `acton_` methods, which steer
   * the embedded chain. Sending a message is not one of them: the chain takes it once.
   */
  readonly once?: ((method: string) => boolean) | undefined
}

interface TransportOptions {
  /** It has its own address and key. */
  readonly transport: Transport
  readonly url?: undefined
  readonly apiKey?: undefined
  readonly headers?: undefined
  readonly fetch?: undefined
}

export type ClientOptions = CommonOptions & (PostOptions | TransportOptions)

/** A client of the methods of `A`, by default those of this service. */
export type Client<A extends MethodTable<A> = Api> = [A] extends [Api]
  ? [Api] extends [A]
    ? ServiceClient
    : Tree<A>
  : Tree<A>

type Notifications = AsyncGenerator<StreamNotification, void, undefined>

export interface StreamSource {
  /** `stream` of `client/ws`: the client has streams, too. Clients without do not load it. */
  readonly stream: (options: StreamOptions) => Notifications
}

/** Streams of a client's service. */
export interface Streams {
  /** The notifications of a subscription; reconnects and resumes until its signal or a `break` ends it. */
  stream(wish: Omit<StreamOptions, keyof PostOptions>): Notifications
}

const TIMEOUT_MS = 30_000
/** Bytes around method and params of a request, with a long id. */
const ENVELOPE_BYTES = 64

/** Options of the built-in transport, which a transport of the caller's own would ignore. */
const OF_ADDRESS: ReadonlySet<string> = new Set(['url', 'apiKey', 'headers', 'fetch', 'stream'])

const utf8 = new TextEncoder()
const utf8Length = (text: string): number => (/[\u0080-\uffff]/.test(text) ? utf8.encode(text).length : text.length)

function toJson(method: string, params: unknown): string {
  if (params !== undefined && !isObject(params)) throw new TypeError(`${method}: params must be an object`)
  try {
    return stableJson(params ?? {})
  } catch (cause) {
    throw new TypeError(`${method}: params have no JSON form: NaN has none, and a bigint is String(value)`, { cause })
  }
}

function hasTransport(options: ClientOptions): options is CommonOptions & TransportOptions {
  // JavaScript, and types that are less strict, pass undefined.
  const transport: unknown = 'transport' in options ? options.transport : undefined
  if (transport === undefined) return false
  if (typeof transport === 'function') {
    const [lost] = Object.keys(givenMembers(options)).filter((name) => OF_ADDRESS.has(name))
    if (lost === undefined) return true
    const way = lost === 'stream' ? 'call stream({ url, types }) instead' : `pass ${lost} to what makes the transport`
    throw new TypeError(`${lost} and transport exclude each other: ${way}`)
  }
  throw new TypeError('transport must be a function, such as postTransport({ url }) returns')
}

const NO_STREAM = "client.stream() needs createClient({ url, stream }), with the stream of 'tonrpc/client/ws'"

type Call = (method: string, params: unknown, options?: CallOptions) => Promise<unknown>

function createCall(options: ClientOptions): Call {
  // JavaScript passes anything.
  if (options === null || typeof options !== 'object')
    throw new TypeError("createClient takes an object: { url: 'http://localhost:8081' }")
  checkNames(options, OF_CLIENT)
  const { timeoutMs = TIMEOUT_MS, once = isControl, retry, batch } = options
  const transport = hasTransport(options) ? options.transport : postTransport(options)
  const flights = createDedupe<unknown>()
  const deliver = createDelivery({
    transport,
    retry: retry === false ? NO_RETRY : { ...RETRY, ...givenMembers(retry ?? {}) },
    onLimit: (most) => batcher.learn(most),
  })
  const batcher = createBatcher<Item>(batch === false ? { max: 1 } : (batch ?? {}), deliver)
  let lastId = 0

  return async (method, params, { signal, timeoutMs: ms = timeoutMs } = {}) => {
    if (signal?.aborted) throw abortReason(signal)
    const json = toJson(method, params)
    const isOnce = once(method)
    const start: Start<unknown> = ({ onSetback, longestMs }) => {
      lastId++
      // Parsed back: what the caller does to its params later does not reach the wire.
      const request = { jsonrpc: '2.0', id: lastId, method, params: JSON.parse(json) } as const
      const bytes = utf8Length(json) + utf8Length(method) + ENVELOPE_BYTES
      let stop = () => {}
      const promise = new Promise((resolve, reject) => {
        const item = createItem({ request, bytes, once: isOnce, longestMs, resolve, reject, onSetback })
        stop = () => abandon(item)
        if (isSlow(method)) deliver([item])
        else batcher.add(item)
      })
      // A read that began before the change must not answer a read that begins after it.
      if (isOnce || isChange(method)) promise.then(flights.forget, flights.forget)
      return { promise, stop }
    }
    const seat = flights.join(isOnce ? null : `${method} ${json}`, start, ms)
    const onLate = () => {
      // The connection may be dead: later calls do not join those that wait on it.
      flights.forget()
      seat.leave(new TimeoutError(method, ms, seat.setback()))
    }
    const answer = seat.promise.finally(limit(ms, onLate))
    return signal ? seatedUntil({ ...seat, promise: answer }, signal) : answer
  }
}

/** A client with `client.stream()`: notifications of the service at `url`. */
export function createClient<A extends MethodTable<A> = Api>(
  options: CommonOptions & PostOptions & StreamSource,
): Client<A> & Streams
/**
 * A client of the service at `url`, or over `transport`. Throws TypeError for an address that cannot be one.
 *
 * ```ts
 * const client = createClient({ url: 'http://localhost:8081' })
 * const { raw_form } = await client.detectAddress({ address })
 * ```
 */
export function createClient<A extends MethodTable<A> = Api>(options: ClientOptions): Client<A>
// `ReturnType` reads the last one.
export function createClient(options: ClientOptions): Client
export function createClient(options: ClientOptions & Partial<StreamSource>): object {
  const call = createCall(options)
  const own: Partial<Streams> = {}
  if (options.stream && options.url !== undefined) {
    const { stream, url, apiKey, headers, fetch } = options
    own.stream = (wish) => stream({ ...wish, url, apiKey, headers, fetch })
  }
  const door: Door = {
    address: hasTransport(options) ? '' : shown(endpoint(options.url)),
    call: (method, params, paging) => {
      // Otherwise `for await` fails with an error that does not name the cause.
      if (method === 'stream') throw new TypeError(NO_STREAM)
      return call(method, params, paging)
    },
    each: (method, params, paging) => readRows(call, method, params, paging),
    pages: (method, params, paging) => readPages(call, method, params, paging),
  }
  // There is no list of methods at run time: the types have it.
  return createProxy(door, own)
}
