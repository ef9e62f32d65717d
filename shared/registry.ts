// All methods, and the types derived from them.

import type { z } from 'zod'
import { dev } from './dev.ts'
import { discovery } from './discovery.ts'
import type { MethodSpec } from './method.ts'
import { accounts } from './v2/accounts.ts'
import { addresses } from './v2/addresses.ts'
import { blocks } from './v2/blocks.ts'
import { configuration } from './v2/configuration.ts'
import { dns } from './v2/dns.ts'
import { messages } from './v2/messages.ts'
import { running } from './v2/running.ts'
import { sending } from './v2/sending.ts'
import { tokens } from './v2/tokens.ts'
import { transactions } from './v2/transactions.ts'
import { indexed, indexedGroups } from './v3/indexed.ts'

export type { MethodSpec } from './method.ts'

/** The groups one by one: a test checks that no name is in two of them. */
export const groups = [
  accounts,
  tokens,
  dns,
  blocks,
  transactions,
  messages,
  sending,
  running,
  configuration,
  addresses,
  discovery,
  dev,
  ...indexedGroups,
] as const

/** Served for every network. */
export const chainRegistry = {
  ...accounts,
  ...tokens,
  ...dns,
  ...blocks,
  ...transactions,
  ...messages,
  ...running,
  ...sending,
  ...configuration,
  ...addresses,
  ...discovery,
  ...indexed,
}

/** With the control methods, which only the embedded chain has. */
export const registry = { ...chainRegistry, ...dev }

/** Any set of specs by name; the service is built from one, tests bring their own. */
export type Registry = Readonly<Record<string, MethodSpec>>

export type MethodName = keyof typeof registry

/** Parsed parameters of a handler. */
export type Params<S extends MethodSpec> = z.output<S['params']>

/** Result of a handler, as sent over the wire. */
export type Result<S extends MethodSpec> = z.output<S['result']>

/** Parameters and result by method: all the client needs of the service. */
export type Api<R extends Registry = typeof registry> = {
  [K in keyof R]: { params: z.input<R[K]['params']>; result: z.output<R[K]['result']> }
}
