// A contract that anybody can deploy: what it starts from, and the address that follows from it.

import type { Address } from '../../../shared/address.ts'
import type { Cell } from '../../cell/index.ts'
import { type StateInit, storeStateInit, type TickTock, toCell } from '../../tlb/index.ts'
import { contractCode } from './code.ts'
import type { ContractName } from './compiled.ts'

export type AccountAddress = Pick<Address, 'workchain' | 'hash'>

export interface Deployment {
  readonly address: AccountAddress
  readonly code: Cell
  readonly data: Cell
  /** When it is woken by itself, once the configuration lists it; never when absent. */
  readonly special?: TickTock
}

export const initOf = ({ code, data, special }: Omit<Deployment, 'address'>): StateInit => ({
  ...{ fixedPrefixLength: null, special: special ?? null, code, data, library: null },
})

/** What the first message to such a contract carries. */
export const stateInit = (parts: Omit<Deployment, 'address'>): Cell => toCell(initOf(parts), storeStateInit)

/** Of what must live elsewhere than in the basechain. */
interface Place {
  readonly workchain: number
  readonly special?: TickTock
}

const BASECHAIN: Place = { workchain: 0 }

/** The contract of this name with this first data. */
export function deployment(name: ContractName, data: Cell, { workchain, ...special }: Place = BASECHAIN): Deployment {
  const parts = { code: contractCode(name), data, ...special }
  return { address: { workchain, hash: stateInit(parts).hashBytes() }, ...parts }
}
