// The accounts a block has touched so far. Each is read from the state once, changed by its transactions in turn, and
// written back with all others in one pass at the end.

import {
  type BinaryHash,
  buildDict,
  type Cell,
  CellUsage,
  hashFromBytes,
  hashing,
  isLargeTree,
  NO_CRC,
  openCell,
  writeBocText,
  writingBoc,
} from '../../../cell/index.ts'
import {
  type AccountBlock,
  accountBlocksKind,
  accountTransactionsKind,
  loadAccount,
  loadShardAccount,
  type ShardAccount,
  storeShardAccount,
  toCell,
} from '../../../tlb/index.ts'
import { ABSENT, type Accounts, isAbsent } from '../../state/index.ts'
import type { Pacer } from '../pacer.ts'
import type { BegunRun } from './aheadRuns.ts'
import type { CellSharing } from './cellSharing.ts'
import type { RecentAccounts } from './recentAccounts.ts'
import { fromTvm, readingFromTvm } from './tvmAnswers.ts'

/** Characters of an account that is read and compared at once, within a millisecond. */
const SHORT = 16 * 1024

export interface WorkingAccount {
  readonly id: Uint8Array
  /** The account's cell in the old state. */
  readonly stored: Cell
  /** The account's cell before the first transaction of the block. */
  before: Cell
  /** As it was when it was last looked at; `WorkingAccounts.current` returns it as it is now. */
  seen: ShardAccount
  /** The current one as the TVM takes it; what it returned last can be handed back as it is. Null until it is needed. */
  boc: string | null
  /** What the TVM has returned since `seen`; null when nothing. */
  unseen: string | null
  /** Executed before its turn; null when nothing is. */
  begun: BegunRun | null
  readonly transactions: [bigint, Cell][]
  /** Where its next transaction in the block may begin; an account that does not exist does not store that itself. */
  endLt: bigint
  isPatched: boolean
}

interface LookedUp {
  readonly account: WorkingAccount
  readonly opened: CellUsage
}

export class WorkingAccounts {
  readonly #accounts: Accounts
  readonly #usage: CellUsage
  readonly #sharing: CellSharing
  readonly #recent: RecentAccounts
  readonly #touched = new Map<BinaryHash, WorkingAccount>()
  /** Looked up for what may still happen, each with the cells that were opened for it. */
  readonly #looked = new Map<BinaryHash, LookedUp>()
  /** Nodes of the dictionary of accounts that were opened to write it again. */
  readonly #rewritten = new CellUsage()

  constructor(
    accounts: Accounts,
    usage: CellUsage,
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
    const { account, opened } = this.#looked.get(key) ?? this.#lookUp(key, id)
    this.#usage.include(opened)
    this.#touched.set(key, account)
    return account
  }

  /** The same for an account the block may not touch: what is opened for it is not recorded until it does. */
  look(id: Uint8Array): WorkingAccount {
    const key = hashFromBytes(id)
    const known = this.#touched.get(key) ?? this.#looked.get(key)?.account
    if (known !== undefined) return known
    const looked = this.#lookUp(key, id)
    this.#looked.set(key, looked)
    return looked.account
  }

  #lookUp(key: BinaryHash, id: Uint8Array): LookedUp {
    const opened = new CellUsage()
    const current = opened.run(() => this.#accounts.get(id)) ?? ABSENT
    const account: WorkingAccount = {
      id,
      stored: current.account,
      before: current.account,
      seen: current,
      boc: this.#recent.find(key, current) ?? null,
      unseen: null,
      begun: null,
      transactions: [],
      endLt: 0n,
      isPatched: false,
    }
    return { account, opened }
  }

  /** Takes over what a transaction made of the account. Only the last of several is ever read. */
  record(account: WorkingAccount, transaction: readonly [lt: bigint, cell: Cell], after: string): void {
    account.transactions.push([...transaction])
    account.boc = after
    account.unseen = after
  }

  /** The account as it is now. */
  current(account: WorkingAccount): ShardAccount {
    const { unseen, seen } = account
    return unseen === null ? seen : this.#see(account, fromTvm(unseen), unseen)
  }

  /** Reads a large account in pieces, before `current` is called: data of 60,000 cells takes 70 ms. */
  async #makeCurrent(account: WorkingAccount, pacer: Pacer): Promise<void> {
    const { unseen } = account
    if (unseen === null || unseen.length <= SHORT) return
    const fresh = await pacer.through(readingFromTvm(unseen))
    await pacer.through(hashing(fresh))
    this.#see(account, fresh, unseen)
  }

  #see(account: WorkingAccount, root: Cell, boc: string): ShardAccount {
    const { seen } = account
    const fresh = loadShardAccount(openCell(root))
    const adopted = this.#sharing.adopt(fresh.account, seen.account)
    if (isAbsent(seen.account)) this.#rememberCode(adopted)
    account.seen = { ...fresh, account: adopted }
    account.unseen = null
    this.#recent.keep(hashFromBytes(account.id), account.seen, boc)
    return account.seen
  }

  /** Puts another account in place of the current one, without a transaction. Only before the first. */
  patch(account: WorkingAccount, replaced: ShardAccount): void {
    account.seen = replaced
    account.before = replaced.account
    account.boc = null
    account.unseen = null
    account.isPatched = true
  }

  /** All accounts of the chain after the block; those that have ceased to exist are gone. */
  async writeBack(pacer: Pacer): Promise<Accounts> {
    const changes: [Uint8Array, ShardAccount | null][] = []
    for (const account of this.#touched.values()) {
      if (!isChanged(account)) continue
      await this.#makeCurrent(account, pacer)
      const current = this.current(account)
      this.#recordChange(account.stored, current.account)
      changes.push([account.id, isAbsent(current.account) ? null : current])
      await pacer.restIfDue()
    }
    return this.#usage.run(() => this.#rewritten.run(() => this.#accounts.update(changes)))
  }

  /** Old cells that a reader of the block needs to see what each account was whose entry is another one now. */
  *shown(): Generator<Cell> {
    for (const { before } of this.changed()) {
      yield before
      yield* currenciesOf(before)
    }
    // An account of one cell is written out again where only its place is new: its old place says that it is the same.
    for (const node of this.#rewritten.visited) for (const ref of node.refs) if (ref.refs.length === 0) yield ref
  }

  /** `ShardAccountBlocks` of the block, in pieces. */
  *makingBlocks() {
    const blocks: [Uint8Array, AccountBlock][] = []
    for (const account of this.#touched.values()) {
      const { id, before, transactions } = account
      if (transactions.length === 0) continue
      const stateUpdate = { before: before.hashBytes(), after: this.current(account).account.hashBytes() }
      blocks.push([id, { account: id, transactions: buildDict(accountTransactionsKind, transactions), stateUpdate }])
      yield
    }
    return buildDict(accountBlocksKind, blocks)
  }

  /** Accounts with their cells before and after, as far as they changed. */
  *changed(): Generator<{ id: Uint8Array; before: Cell; after: Cell }> {
    for (const account of this.#touched.values()) {
      const { id, stored } = account
      if (isChanged(account)) yield { id, before: stored, after: this.current(account).account }
    }
  }

  // The update of the state may look for shared cells in those parts of the account and its data that are no longer what
  // they were, but not in its code: one code may stand under thousands of accounts.
  #recordChange(before: Cell, after: Cell): void {
    const { visited } = this.#usage
    const compare = (old: Cell, now: Cell | undefined): void => {
      if (old === now || visited.has(old)) return
      visited.add(old)
      old.refs.forEach((ref, i) => {
        compare(ref, now?.refs[i])
      })
    }
    const code = codeOf(before)
    visited.add(before)
    before.refs.forEach((ref, i) => {
      if (ref !== code) compare(ref, after.refs[i])
    })
  }

  #rememberCode(account: Cell): void {
    const code = codeOf(account)
    if (code !== null) this.#sharing.cache(code)
  }
}

const isChanged = ({ transactions, isPatched }: WorkingAccount): boolean => transactions.length > 0 || isPatched

/** The dictionary of extra currencies of an account, cell by cell. */
function currenciesOf(account: Cell): Cell[] {
  const cells = [loadAccount(openCell(account))?.storage.balance.other.root ?? []].flat()
  for (const cell of cells) cells.push(...cell.refs)
  return cells
}

function codeOf(account: Cell): Cell | null {
  const state = loadAccount(openCell(account))?.storage.state
  return state?.kind === 'active' ? state.init.code : null
}

/** Whether it is written, or is so within a millisecond. */
export const isReady = ({ boc, seen }: WorkingAccount): boolean => boc !== null || !isLargeTree(seen.account)

/** Writes a large one in pieces, before `bocOf`. */
export async function makeReady(account: WorkingAccount, pacer: Pacer): Promise<void> {
  const root = toCell(account.seen, storeShardAccount)
  account.boc = (await pacer.through(writingBoc(root, NO_CRC))).toString('base64')
}

/** The account as the TVM takes it. One that is only changed by hand is never written: data of 20,000 cells takes 12 ms. */
export function bocOf(account: WorkingAccount): string {
  account.boc ??= writeBocText(toCell(account.seen, storeShardAccount), NO_CRC)
  return account.boc
}
