// Deployment of a contract: its initial state and the address derived from it.

import type { Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { type StateInit, storeStateInit, type TickTock, toCell } from '../../tlb/index.ts'

export interface Deployment {
  readonly address: AccountId
  readonly code: Cell
  readonly data: Cell
  /** In which tick-tock transactions it runs, once the configuration lists it; absent for none. */
  readonly special?: TickTock
}

export const initOf = ({ code, data, special }: Omit<Deployment, 'address'>): StateInit => ({
  fixedPrefixLength: null,
  special: special ?? null,
  code,
  data,
  library: null,
})

/** The state init that deploys it. */
export const stateInit = (parts: Omit<Deployment, 'address'>): Cell => toCell(initOf(parts), storeStateInit)

/** Where a contract is deployed that does not belong into the basechain. */
export interface DeploymentPlace {
  readonly workchain: number
  readonly special?: TickTock
}

const BASECHAIN: DeploymentPlace = { workchain: 0 }

/** The contract of this code with this first data. */
export function deploymentOf(
  code: Cell,
  data: Cell,
  { workchain, ...special }: DeploymentPlace = BASECHAIN,
): Deployment {
  const parts = { code, data, ...special }
  return { address: { workchain, hash: stateInit(parts).hashBytes() }, ...parts }
}
