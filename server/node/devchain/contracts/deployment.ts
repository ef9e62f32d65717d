// A contract that anybody can deploy: what it starts from, and the address that follows from it.

import type { Address } from '../../../../shared/address.ts'
import { beginCell, type Cell } from '../../../cell/index.ts'
import { contractCode } from './code.ts'
import type { ContractName } from './compiled.ts'

export type AccountAddress = Pick<Address, 'workchain' | 'hash'>

export interface Deployment {
  readonly address: AccountAddress
  readonly code: Cell
  readonly data: Cell
}

/** What the first message to such a contract carries. */
export const stateInit = ({ code, data }: Pick<Deployment, 'code' | 'data'>): Cell =>
  beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).end()

/** The contract of this name with this first data, in the basechain unless it must live elsewhere. */
export function deployment(name: ContractName, data: Cell, workchain = 0): Deployment {
  const code = contractCode(name)
  return { address: { workchain, hash: stateInit({ code, data }).hashBytes() }, code, data }
}
