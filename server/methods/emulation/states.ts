// The states of accounts before and after emulated transactions, read from what the TVM left.

import { toRawUpper } from '../../../shared/address.ts'
import { type Cell, MAX_DEPTH, openCell, readingBoc } from '../../cell/index.ts'
import { type Contracts, contractOf } from '../../contracts/index.ts'
import { openedAccount } from '../../facts/index.ts'
import { inPieces, type SlicedWork, type Slicing } from '../../fairness/index.ts'
import type { AccountId, BlockIdExt } from '../../node/index.ts'
import type { AccountStateRow } from '../../store/index.ts'
import { type Account, fromCell, loadAccount, loadShardAccount } from '../../tlb/index.ts'
import { type ContractTools, contractsAtBlock } from '../tvm/contractTools.ts'
import type { EmulatedTransaction } from './emulation.ts'

export interface OpenState {
  readonly row: AccountStateRow
  readonly code: Cell | null
  readonly data: Cell | null
  /** Null when there is no account. */
  readonly account: Account | null
}

const bytesOf = (boc: Uint8Array | string): Uint8Array => (typeof boc === 'string' ? Buffer.from(boc, 'base64') : boc)

/** Reads a ShardAccount cell, a large one in pieces. */
export async function openState(shardAccount: Uint8Array | string, slicing: Slicing | SlicedWork): Promise<OpenState> {
  const root = await inPieces(readingBoc(bytesOf(shardAccount), { maxDepth: MAX_DEPTH }), slicing)
  const { account: cell } = loadShardAccount(openCell(root))
  const { state: row, code, data } = openedAccount(cell)
  return { row, code, data, account: fromCell(cell, loadAccount) }
}

/** An account that was touched. */
export interface TouchedAccount {
  readonly id: AccountId
  readonly before: OpenState
  readonly after: OpenState
  readonly utime: number
}

export interface WithStates {
  readonly one: EmulatedTransaction
  readonly before: OpenState
  readonly after: OpenState
}

/** Each state is read once: what one transaction left is what the next one found. */
export async function withStates(
  transactions: readonly EmulatedTransaction[],
  slices: SlicedWork,
): Promise<readonly WithStates[]> {
  const opened = new Map<Uint8Array | string, OpenState>()
  const open = async (boc: Uint8Array | string): Promise<OpenState> => {
    const known = opened.get(boc) ?? (await openState(boc, slices))
    opened.set(boc, known)
    return known
  }
  const all: WithStates[] = []
  for (const one of transactions) {
    if (slices.isDue) await slices.rest()
    all.push({ one, before: await open(one.before), after: await open(one.after) })
  }
  return all
}

/** Accounts by their raw name, with the state before the first and after the last of their transactions. */
export function touchedAccounts(all: readonly WithStates[]): ReadonlyMap<string, TouchedAccount> {
  const touched = new Map<string, TouchedAccount>()
  for (const { one, before, after } of all) {
    const name = toRawUpper(one.account)
    const first = touched.get(name)?.before ?? before
    touched.set(name, { id: one.account, before: first, after, utime: one.transaction.now })
  }
  return touched
}

/** Contracts before or after the run; those that were not touched are read from the block. */
export function contractsOf(
  tools: ContractTools,
  block: BlockIdExt,
  touched: ReadonlyMap<string, TouchedAccount>,
  when: 'before' | 'after',
  signal: AbortSignal,
): Contracts {
  return contractsAtBlock(tools, block, signal, (id) => {
    const known = touched.get(toRawUpper(id))
    return known === undefined ? undefined : contractOf(known[when].account, known.utime)
  })
}
