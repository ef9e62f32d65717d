// What v4 says of an account and v2 does not: what it stores, until when that is paid, and what it owes for it.

import type { Api } from '../../../shared/registry.ts'
import { type Cell, MAX_DEPTH, openCell, readingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import { type Account, loadAccount, loadShardAccount } from '../../tlb/index.ts'

type AccountCell = Api['getShardAccountCell']['result']

/** Null for one that does not exist. */
export async function wholeAccount({ bytes }: AccountCell, slicing: Slicing): Promise<Account | null> {
  const cell = await inPieces(readingBoc(Buffer.from(bytes, 'base64'), { maxDepth: MAX_DEPTH }), slicing)
  return loadAccount(openCell(loadShardAccount(openCell(cell)).account))
}

/** Code and data, each null where there is none. */
export function codeAndDataOf(account: Account | null): { readonly code: Cell | null; readonly data: Cell | null } {
  const state = account?.storage.state
  return state?.kind === 'active' ? state.init : { code: null, data: null }
}

export function toStorageStat(account: Account | null) {
  if (account === null) return null
  const { lastPaid, duePayment, used } = account.storageStat
  // As the public server: a debt of nothing is none.
  return { lastPaid, duePayment: duePayment === null || duePayment === 0n ? null : String(duePayment), used }
}
