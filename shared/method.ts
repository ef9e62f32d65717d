// One definition per method. The server's handler type, its REST routes, its JSON-RPC name, the client's types,
// the documents and the contract tests all read it here.

import type { z } from 'zod'

export type Verb = 'GET' | 'POST'

export interface Route {
  readonly verb: Verb
  /** Those of Acton's local network are at the root. */
  readonly path: `/api/${'v2' | 'v3' | 'emulate/v1'}/${string}` | `/acton_${string}`
}

/**
 * How long a result can be cached: `fixed` without end, `block` until the next masterchain block, `index` until the next one
 * is indexed, `live` never beyond the call itself.
 */
export type Freshness = 'fixed' | 'block' | 'index' | 'live'

export interface MethodSpec<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  /** One sentence, without a reason or a condition. */
  readonly summary: string
  /** One to three sentences beyond the summary: when to use it, what to use instead, costs and limits. */
  readonly description?: string
  /** Heading in the documents; described in `groups.ts`. */
  readonly group: string
  /** A strict object: what is not in it is refused. */
  readonly params: P
  readonly result: R
  readonly rest: readonly Route[]
  /** Most milliseconds a call waits for blocks, on top of the timeout of every call; it holds no lane meanwhile. */
  readonly waitMs?: number
  /** What one call takes from the caller's budget; 1 when left out. */
  readonly cost?: number
  readonly freshness: Freshness
  /** True for what changes the embedded chain by hand: only for callers who may control it. */
  readonly control?: boolean
  /** Which effect cannot be undone; forms require a confirmation. */
  readonly warning?: string
  /** True for lists that are read page by page. */
  readonly paged?: boolean
  /**
   * A param that has no text in a query counts as left out. `exceptFilters` refuses lists and names of accounts without a
   * text, for methods that list all rows when none is given.
   */
  readonly emptyIsAbsent?: boolean | 'exceptFilters'
  /** Error texts for missing params, where the reference has texts of its own. */
  readonly whenMissing?: MissingWords
  /** One full call: documents show it, tests run it over every interface. */
  readonly example: { readonly params: z.input<P>; readonly result: z.input<R> }
}

export interface MissingWords {
  /** `missing` has status 401, as some older methods are known by; else 422. */
  readonly kind: 'missing' | 'invalidParams'
  /** By name of the param. */
  readonly words: Readonly<Record<string, string>>
  /** An empty text counts as left out too. */
  readonly orEmpty?: boolean
}

/** Keeps the exact types of a spec while checking its shape. */
export const method = <P extends z.ZodObject, R extends z.ZodType, const G extends string>(
  spec: MethodSpec<P, R> & { readonly group: G },
): MethodSpec<P, R> & { readonly group: G } => spec

/** A read of v2: GET and POST on the same path. */
export const readsV2 = (name: string): readonly Route[] => [
  { verb: 'GET', path: `/api/v2/${name}` },
  { verb: 'POST', path: `/api/v2/${name}` },
]

/** A send or run of v2: POST only. */
export const postsV2 = (name: string): readonly Route[] => [{ verb: 'POST', path: `/api/v2/${name}` }]

/** Methods of Acton's local network, which are paths as well. */
export const postsActon = (name: `acton_${string}`): readonly Route[] => [{ verb: 'POST', path: `/${name}` }]
export const readsActon = (name: `acton_${string}`): readonly Route[] => [{ verb: 'GET', path: `/${name}` }]

/** Interfaces of the service: v2 reads the chain, v3 the index; emulation is described with v3. */
export type Version = 'v2' | 'v3'

/** By the name of a method: what is not in a namespace of v3 is in v2. */
export const versionOfName = (name: string): Version => (/^(v3|emulate)\./.test(name) ? 'v3' : 'v2')

/** By a path: what is at the root answers as v2 does. */
export const versionOfPath = (path: string): Version => (/^\/api\/(?!v2\/)/.test(path) ? 'v3' : 'v2')

/** Whether a path is of emulation, whose refusals have a form of their own. */
export const isOfEmulation = (path: string): boolean => path.startsWith('/api/emulate/')

/** The params of its example, by name. */
export const exampleParamsOf = ({ example }: MethodSpec): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(example.params))

export const costOf = (spec: MethodSpec): number => spec.cost ?? 1
