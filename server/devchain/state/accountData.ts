// Data of contracts in the newest states.

import { type Cell, openCell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { loadAccount } from '../../tlb/index.ts'
import { MASTERCHAIN } from './blockRef.ts'
import type { Moment } from './moment.ts'

/** The data of an account; null when it is not deployed. */
export function dataAt({ master, shard }: Moment, { workchain, hash }: AccountId): Cell | null {
  const { accounts } = workchain === MASTERCHAIN ? master : shard
  const found = accounts.get(hash)
  const state = found && loadAccount(openCell(found.account))?.storage.state
  return state?.kind === 'active' ? state.init.data : null
}
