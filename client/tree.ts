// The type of a client, derived from a table of methods: `v3.jetton.wallets` becomes `client.v3.jetton.wallets(params)`.

/** An entry of a table of methods: `Api` of the service is one, tests have their own. */
export interface MethodTypes {
  readonly params: object
  readonly result: unknown
}
export type MethodTable<A> = { readonly [K in keyof A]: MethodTypes }

export interface CallOptions {
  /** Aborts this caller's wait; the call itself is dropped when no other caller shares it. */
  readonly signal?: AbortSignal | undefined
  /** For the whole call with all its tries; 0 is no limit. */
  readonly timeoutMs?: number | undefined
}

export interface PageOptions extends CallOptions {
  /** Most rows to read. */
  readonly max?: number | undefined
}

/** Params may be left out when none is required. */
type Args<P, O> = Record<never, never> extends P ? [params?: P, options?: O] : [params: P, options?: O]

/** Result keys that are spelled out, without an index signature. */
type Named<R> = {
  [K in keyof R as string extends K ? never : number extends K ? never : symbol extends K ? never : K]: R[K]
}
type RowKeys<R> = {
  [K in keyof Named<R>]-?: NonNullable<Named<R>[K]> extends readonly unknown[] ? K : never
}[keyof Named<R>]
type IsOne<K, All = K> = [K] extends [never] ? false : K extends unknown ? ([All] extends [K] ? true : false) : never
type Element<T> = NonNullable<T> extends readonly (infer Row)[] ? Row : never

/** The rows of a page: the page itself, or the one array in it; never with none or several. */
export type Row<R> = R extends readonly (infer T)[]
  ? T
  : IsOne<RowKeys<R>> extends true
    ? Element<R[RowKeys<R> & keyof R]>
    : never

/** A method is read page by page when it takes `limit`, and `offset` or `cursor`, and answers with rows. */
type IsPaged<P, R> = 'limit' extends keyof P
  ? Extract<keyof P, 'offset' | 'cursor'> extends never
    ? false
    : [Row<R>] extends [never]
      ? false
      : true
  : false

export interface Paged<P, R> {
  /** All rows, page after page; after `break` no further page is fetched. `limit` is the page size, 100 by default. */
  each(...args: Args<P, PageOptions>): AsyncGenerator<Row<R>, void, undefined>
  /** The same, whole pages with the fields next to the rows. */
  pages(...args: Args<P, PageOptions>): AsyncGenerator<R, void, undefined>
}

/** A method of a client. */
export type Method<M> = M extends { params: infer P; result: infer R }
  ? ((...args: Args<P, CallOptions>) => Promise<R>) & (IsPaged<P, R> extends true ? Paged<P, R> : unknown)
  : never

type Head<K> = K extends `${infer H}.${string}` ? H : K
type Tail<K, H extends string> = K extends `${H}.${infer T}` ? T : never
type Below<A, H extends string> = { [K in keyof A & string as Tail<K, H>]: A[K] }

/** A name may be both a method and a namespace: `v3.pools` and `v3.pools.members`. */
export type Tree<A> = {
  readonly [H in Head<keyof A & string>]: (H extends keyof A ? Method<A[H]> : unknown) &
    ([keyof Below<A, H>] extends [never] ? unknown : Tree<Below<A, H>>)
}
