// Changes to an account by a control method, between two blocks and without a transaction. The next block contains them in
// its state and records the change of the balance as minted or burned.

import { type Cell, openCell } from '../../cell/index.ts'
import {
  type AccountState,
  gramsOnly,
  loadAccount,
  type ShardAccount,
  type StateInit,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import { type AccountCellContent, freshAccount, storedAccount } from './accountCell.ts'

export interface AccountPatch {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly id: Uint8Array
  /** Nanotons; extra currencies stay what they are. */
  readonly balance?: bigint
  readonly code?: Cell
  readonly data?: Cell
}

const EMPTY_INIT: StateInit = { fixedPrefixLength: null, special: null, code: null, data: null, library: null }

function patchedInit(before: StateInit | null, patch: AccountPatch): StateInit | null {
  if (patch.code === undefined && patch.data === undefined) return before
  const init = before ?? EMPTY_INIT
  return { ...init, code: patch.code ?? init.code, data: patch.data ?? init.data }
}

/** The account after the patch; code or data makes it active. */
export function patchAccount(before: ShardAccount, patch: AccountPatch): ShardAccount {
  const account = loadAccount(openCell(before.account))
  if (account === null) {
    const content: AccountCellContent = {
      workchain: patch.workchain,
      id: patch.id,
      balance: patch.balance === undefined ? ZERO_CURRENCY : gramsOnly(patch.balance),
      init: patchedInit(null, patch),
    }
    return { ...before, account: freshAccount(content, before.lastTransLt) }
  }
  const { balance, state } = account.storage
  const init = patchedInit(state.kind === 'active' ? state.init : null, patch)
  const newState: AccountState = init === null ? state : { kind: 'active', init }
  const newBalance = patch.balance === undefined ? balance : { ...balance, grams: patch.balance }
  const storage = { ...account.storage, balance: newBalance, state: newState }
  return { ...before, account: storedAccount({ ...account, storage }) }
}
