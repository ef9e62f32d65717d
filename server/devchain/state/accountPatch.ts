// Changes to an account by a control method, between two blocks and without a transaction. The next block contains them in
// its state and records the change of the balance as minted or burned.

import { type Cell, Dict, openCell } from '../../cell/index.ts'
import {
  type AccountState,
  gramsOnly,
  libraryKind,
  loadAccount,
  type ShardAccount,
  type SimpleLibrary,
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
  /** The whole account where there is none yet; the rest does not matter then. */
  readonly copy?: ShardAccount
  /** Published by the account, next to those that it publishes. */
  readonly libraries?: readonly Cell[]
}

const EMPTY_INIT: StateInit = { fixedPrefixLength: null, special: null, code: null, data: null, library: null }

function withLibraries(before: Cell | null, added: readonly Cell[]): Cell | null {
  const all: Dict<Uint8Array, SimpleLibrary> = new Dict(libraryKind, before)
  return all.update(added.map((root) => [root.hashBytes(), { isPublic: true, root }])).root
}

function patchedInit(before: StateInit | null, patch: AccountPatch): StateInit | null {
  const { code, data, libraries = [] } = patch
  if (code === undefined && data === undefined && libraries.length === 0) return before
  const init = before ?? EMPTY_INIT
  const library = libraries.length === 0 ? init.library : withLibraries(init.library, libraries)
  return { ...init, code: code ?? init.code, data: data ?? init.data, library }
}

/** The account after the patch; code or data makes it active. */
export function patchAccount(before: ShardAccount, patch: AccountPatch): ShardAccount {
  const account = loadAccount(openCell(before.account))
  if (patch.copy !== undefined) return account === null ? patch.copy : before
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
