// Deploying and driving a plugin that takes a regular payment from a wallet of version 4.

import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountAddress, type Deployment, operationBody } from '../../../devchain/index.ts'
import { storeAccount } from '../body.ts'
import { deployment } from '../code.ts'

export interface SubscriptionParts {
  /** Who pays. */
  readonly wallet: AccountAddress
  /** Who is paid. */
  readonly beneficiary: AccountAddress
  /** Nanotons, each period. */
  readonly amount: bigint
  /** Seconds. */
  readonly period: number
  /** Unix seconds. */
  readonly start: number
  /** Seconds from one request to the next while the wallet does not pay. */
  readonly timeout: number
  /** Tells subscriptions on the same terms apart. */
  readonly id: number
}

const ops = { installed: 0x6e6f7465, ask: 0x706c7567, destruct: 0x64737472 } as const

export function subscriptionPlugin(parts: SubscriptionParts): Deployment {
  const ends = storeAccount(storeAccount(beginCell(), parts.wallet), parts.beneficiary)
  const terms = ends.storeCoins(parts.amount).storeUint(parts.period, 32).storeUint(parts.start, 32)
  const state = terms.storeUint(parts.timeout, 32).storeUint(0, 32).storeUint(0, 32).storeUint(0, 8)
  return deployment('subscription/plugin', state.storeUint(parts.id, 32).end())
}

/** From the wallet, with which it begins. */
export const subscriptionInstalledBody = (queryId: bigint): Cell => operationBody(ops.installed, queryId).end()

/** From who is paid: has the plugin ask for what is due. */
export const subscriptionAskBody = (queryId: bigint): Cell =>
  operationBody(ops.ask, queryId).storeCoins(0n).storeBit(false).end()

/** From either of the two: ends it. */
export const subscriptionDestructBody = (queryId: bigint): Cell => operationBody(ops.destruct, queryId).end()
