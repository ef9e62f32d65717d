// What query libraries such as TanStack Query take, of any method of a client: a stable key and a function that fetches.
//
//   useQuery(queryOptions(client.v3.jetton.wallets, { owner_address: [owner] }))
//   useInfiniteQuery(infiniteQueryOptions(client.v3.transactions, { account: [account] }))

import { nextParams } from './iterate.ts'
import { givenMembers } from './protocol.ts'
import { METHOD, type MethodInfo } from './proxy.ts'
import type { CallOptions } from './tree.ts'

type Params = Readonly<Record<string, unknown>>
type AnyMethod = (...args: never[]) => Promise<unknown>

type ParamsOf<M extends AnyMethod> = NonNullable<Parameters<M>[0]>
type ResultOf<M extends AnyMethod> = Awaited<ReturnType<M>>
/** Params may be left out when none is required. */
type ParamsArgument<P> = [P] extends [never] ? [] : Record<never, never> extends P ? [params?: P] : [params: P]

/**
 * `tonrpc`, address of the service, method, params. The same call has the same key: libraries compare keys without
 * regard to the order of names, and params that are undefined are left out.
 */
export type QueryKey = readonly ['tonrpc', string, string, Params]

export interface QueryOptions<R> {
  readonly queryKey: QueryKey
  readonly queryFn: (context?: { readonly signal?: AbortSignal | undefined }) => Promise<R>
}

export interface InfiniteQueryOptions<R> {
  readonly queryKey: readonly [...QueryKey, 'pages']
  readonly queryFn: (context: { readonly pageParam: Params; readonly signal?: AbortSignal | undefined }) => Promise<R>
  /** Params of the first page. */
  readonly initialPageParam: Params
  /** Params of the page after the given one; null after the last. */
  readonly getNextPageParam: (page: R, pages: readonly R[], params: Params) => Params | null
}

interface NamedMethod<R> {
  (params: Params, options?: CallOptions): Promise<R>
  readonly [METHOD]: MethodInfo
}

/** Whether a function is a method of a client: all of them are called like this. */
const isNamed = <M extends AnyMethod>(method: M): method is M & NamedMethod<ResultOf<M>> => METHOD in method

/** The method behind a client function. Throws TypeError for any other function. */
function infoOf<M extends AnyMethod>(method: M): MethodInfo & { readonly call: NamedMethod<ResultOf<M>> } {
  if (!isNamed(method)) throw new TypeError('not a method of a client: pass it as client.v3.jetton.wallets')
  return { ...method[METHOD], call: method }
}

/** `queryKey` and `queryFn` of one call. */
export function queryOptions<M extends AnyMethod>(
  method: M,
  ...[params]: ParamsArgument<ParamsOf<M>>
): QueryOptions<ResultOf<M>> {
  const { call, address, name } = infoOf(method)
  const given = givenMembers(params ?? {})
  return {
    queryKey: ['tonrpc', address, name, given],
    queryFn: ({ signal } = {}) => call(given, { signal }),
  }
}

/** The same of a method with pages, one page after the other. */
export function infiniteQueryOptions<M extends AnyMethod>(
  method: M,
  ...args: ParamsArgument<ParamsOf<M>>
): InfiniteQueryOptions<ResultOf<M>> {
  const { call, name } = infoOf(method)
  const { queryKey } = queryOptions(method, ...args)
  return {
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => call(pageParam, { signal }),
    initialPageParam: queryKey[3],
    getNextPageParam: (page, _pages, last) => nextParams(name, last, page),
  }
}
