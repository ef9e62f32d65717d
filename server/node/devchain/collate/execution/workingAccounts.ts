// The accounts a block has touched so far. Each is read from the state once, changed by its transactions in turn, and
// written back with all others in one pass at the end.

import {
  buildDict,
  type Cell,
  type Hash,
  hashFromBytes,
  openCell,
  type Usage,
  writeBoc,
} from '../../../../cell/index.ts'
import {
  type AccountBlock,
  accountBlocksKind,
  accountTransactionsKind,
  loadAccount,
  loadShardAccount,
  type ShardAccount,
  storeShardAccount,
  toCell,
} from '../../../../tlb/index.ts'
import { ABSENT, type Accounts, isAbsent } from '../../state/index.ts'
import type { RecentAccounts } from './recentAccounts.ts'
import type { CellSharing } from './sharing.ts'

export interface WorkingAccount {
  readonly id: Uint8Array
  /** The account's cell before the first transaction of the block. */
  before: Cell
  current: ShardAccount
  /** The current one as the TVM takes it; what it returned last can be handed back as it is. */
  boc: string | Uint8Array
  readonly transactions: [bigint, Cell][]
  /** Where its next transaction in the block may begin; an account that does not exist does not remember that itself. */
  endLt: bigint
  isPatched: boolean
}

export class WorkingAccounts {
  readonly #accounts: Accounts
  readonly #usage: Usage
  readonly #sharing: CellSharing
  readonly #recent: RecentAccounts
  readonly #touched = new Map<Hash, WorkingAccount>()

  constructor(
    accounts: Accounts,
    usage: Usage,
    kept: { readonly sharing: CellSharing; readonly recent: RecentAccounts },
  ) {
    this.#accounts = accounts
    this.#usage = usage
    this.#sharing = kept.sharing
    this.#recent = kept.recent
  }

  get(id: Uint8Array): WorkingAccount {
    const key = hashFromBytes(id)
    const known = this.#touched.get(key)
    if (known !== undefined) return known
    const found = this.#usage.run(() => this.#accounts.get(id))
    const current = found ?? ABSENT
    if (found !== undefined) this.#recordTree(found.account)
    const account: WorkingAccount = {
      id,
      before: current.account,
      current,
      boc: this.#recent.find(key, current) ?? shardAccountBoc(current),
      transactions: [],
      endLt: 0n,
      isPatched: false,
    }
    this.#touched.set(key, account)
    return account
  }

  /** Takes over what a transaction made of the account. */
  record(
    account: WorkingAccount,
    transaction: readonly [lt: bigint, cell: Cell],
    after: string,
    afterCell: Cell,
  ): void {
    account.transactions.push([...transaction])
    const fresh = loadShardAccount(openCell(afterCell))
    const adopted = this.#sharing.adopt(fresh.account, account.current.account)
    if (isAbsent(account.current.account)) this.#rememberCode(adopted)
    account.current = { ...fresh, account: adopted }
    account.boc = after
    this.#recent.keep(hashFromBytes(account.id), account.current, after)
  }

  /** Puts another account in place of the current one, without a transaction. Only before the first. */
  patch(account: WorkingAccount, replaced: ShardAccount): void {
    account.current = replaced
    account.before = replaced.account
    account.boc = shardAccountBoc(replaced)
    account.isPatched = true
  }

  /** All accounts of the chain after the block; those that have ceased to exist are gone. */
  writeBack(): Accounts {
    const changes: [Uint8Array, ShardAccount | null][] = []
    for (const { id, current, transactions, isPatched } of this.#touched.values())
      if (transactions.length > 0 || isPatched) changes.push([id, isAbsent(current.account) ? null : current])
    return this.#usage.run(() => this.#accounts.update(changes))
  }

  /** `ShardAccountBlocks` of the block. */
  accountBlocks() {
    const blocks: [Uint8Array, AccountBlock][] = []
    for (const { id, before, current, transactions } of this.#touched.values()) {
      if (transactions.length === 0) continue
      const stateUpdate = { before: before.hashBytes(), after: current.account.hashBytes() }
      blocks.push([id, { account: id, transactions: buildDict(accountTransactionsKind, transactions), stateUpdate }])
    }
    return buildDict(accountBlocksKind, blocks)
  }

  /** Accounts with their cells before and after, as far as they changed. */
  *changed(): Generator<{ id: Uint8Array; before: Cell; after: Cell }> {
    for (const { id, current, transactions, isPatched } of this.#touched.values())
      if (transactions.length > 0 || isPatched)
        yield { id, before: this.#accounts.get(id)?.account ?? ABSENT.account, after: current.account }
  }

  // The update of the state may look for shared cells in the account and its data, but not in its code: one code may stand
  // under thousands of accounts.
  #recordTree(account: Cell): void {
    this.#usage.visited.add(account)
    const code = codeOf(account)
    for (const ref of account.refs) if (ref !== code) this.#usage.addTree(ref)
  }

  #rememberCode(account: Cell): void {
    const code = codeOf(account)
    if (code !== null) this.#sharing.remember(code)
  }
}

function codeOf(account: Cell): Cell | null {
  const state = loadAccount(openCell(account))?.storage.state
  return state?.kind === 'active' ? state.init.code : null
}

const shardAccountBoc = (account: ShardAccount): Uint8Array => writeBoc(toCell(account, storeShardAccount), 0)
