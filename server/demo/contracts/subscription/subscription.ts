// Deployment of a plugin that collects a subscription from a wallet of version 4, and the messages it accepts.

import { everyday } from '../../../bodies/index.ts'
import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountId, type Deployment, operationBody } from '../../../devchain/index.ts'
import { cellWriter, storeAddressOrNone } from '../body.ts'
import { deployment } from '../code.ts'

export interface SubscriptionParts {
  /** The wallet that pays. */
  readonly wallet: AccountId
  /** The beneficiary. */
  readonly beneficiary: AccountId
  /** Nanotons, each period. */
  readonly amount: bigint
  /** Seconds. */
  readonly period: number
  /** Unix seconds. */
  readonly start: number
  /** Seconds between requests while the wallet does not pay. */
  readonly timeout: number
  /** Distinguishes subscriptions of the same terms. */
  readonly id: number
}

export function subscriptionPlugin(parts: SubscriptionParts): Deployment {
  const ends = storeAddressOrNone(storeAddressOrNone(beginCell(), parts.wallet), parts.beneficiary)
  const terms = ends.storeCoins(parts.amount).storeUint(parts.period, 32).storeUint(parts.start, 32)
  const state = terms.storeUint(parts.timeout, 32).storeUint(0, 32).storeUint(0, 32).storeUint(0, 8)
  return deployment('subscription/plugin', state.storeUint(parts.id, 32).end())
}

/** From the wallet: starts the subscription. */
export const subscriptionInstalledBody = (queryId: bigint): Cell =>
  operationBody(everyday.pluginInstalled.opcode, queryId).end()

const writeRequest = cellWriter(everyday.paymentRequest)

/** From the beneficiary: makes the plugin request a due payment. */
export const subscriptionAskBody = (queryId: bigint): Cell =>
  writeRequest({ queryId, amount: { grams: 0n, other: null } })

/** From the wallet or the beneficiary: ends the subscription. */
export const subscriptionDestructBody = (queryId: bigint): Cell =>
  operationBody(everyday.pluginDestruct.opcode, queryId).end()
