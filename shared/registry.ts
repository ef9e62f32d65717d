// All methods, and the types derived from them.

import type { z } from 'zod'
import { dev } from './dev.ts'
import { discovery } from './discovery.ts'
import type { MethodSpec } from './method.ts'
import { accountsV2 } from './v2/accounts.ts'
import { addressesV2 } from './v2/addresses.ts'
import { blocksV2 } from './v2/blocks.ts'
import { configurationV2 } from './v2/configuration.ts'
import { dnsV2 } from './v2/dns.ts'
import { messagesV2 } from './v2/messages.ts'
import { runningV2 } from './v2/running.ts'
import { sendingV2 } from './v2/sending.ts'
import { tokensV2 } from './v2/tokens.ts'
import { transactionsV2 } from './v2/transactions.ts'
import { indexed, indexedGroups } from './v3/indexed.ts'

export type { MethodSpec } from './method.ts'

/** The groups one by one: a test checks that no name is in two of them. */
export const groups = [
  accountsV2,
  tokensV2,
  dnsV2,
  blocksV2,
  transactionsV2,
  messagesV2,
  sendingV2,
  runningV2,
  configurationV2,
  addressesV2,
  discovery,
  dev,
  ...indexedGroups,
] as const

/** Served for every network. */
export const chainRegistry = {
  ...accountsV2,
  ...tokensV2,
  ...dnsV2,
  ...blocksV2,
  ...transactionsV2,
  ...messagesV2,
  ...runningV2,
  ...sendingV2,
  ...configurationV2,
  ...addressesV2,
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
