// All methods, and the types drawn from them.

import type { z } from 'zod'
import { discovery } from './discovery.ts'
import type { MethodSpec } from './method.ts'

export type { MethodSpec } from './method.ts'

import { addresses } from './v2/addresses.ts'

/** The groups one by one: a test counts that no name stands in two of them. */
export const groups = [addresses, discovery] as const

export const registry = { ...addresses, ...discovery }

/** Any set of specs by name; the service is built from one, tests bring their own. */
export type Registry = Readonly<Record<string, MethodSpec>>

export type MethodName = keyof typeof registry

/** What a handler is given. */
export type Params<S extends MethodSpec> = z.output<S['params']>

/** What a handler answers with, as it goes over the wire. */
export type Result<S extends MethodSpec> = z.output<S['result']>

/** What a caller gives and gets, by method: the whole of what the client knows of the service. */
export type Api<R extends Registry = typeof registry> = {
  [K in keyof R]: { params: z.input<R[K]['params']>; result: z.output<R[K]['result']> }
}
