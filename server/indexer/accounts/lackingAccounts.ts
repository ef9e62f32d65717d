// Accounts of which the block shows too little and whose state after it no server has any more. They are indexed with what
// is known, and the rest is looked for in the newest state, where it mostly is unchanged, while the index goes on.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes, sameBytes } from '../../cell/index.ts'
import { rawAddress } from '../../facts/index.ts'
import { type AccountId, type Chain, LiteError, ProofError, type VerifiedAccount } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import type { AccountKey, AccountRow } from '../../store/index.ts'
import { type Asking, askNode } from '../chain/asking.ts'
import { upTo } from '../upTo.ts'
import { accountContent } from './accountContent.ts'
import { accountIdOf } from './accountIdOf.ts'

export interface NewestReads extends Asking {
  readonly chain: Pick<Chain, 'account' | 'head'>
}

export interface LackingParts extends NewestReads {
  readonly log: Pick<Log, 'warn'>
}

export interface Lacking {
  /** As it is indexed: without data when that is what lacks. */
  readonly row: AccountRow
  readonly lacksCode: boolean
}

/** What was found of one afterwards. */
export interface RecoveredAccounts {
  readonly row: AccountRow
  readonly code: Cell | null
}

interface Entry extends Lacking {
  tries: number
  recovered: RecoveredAccounts | null
}

interface TakenEntry {
  readonly seqno: number
  readonly found: readonly [BinaryHash, Entry]
}

/** Those beyond it are found again when a block touches them. */
const MOST_KEPT = 10_000
const MOST_TRIES = 5
const AT_ONCE = 4
const KEPT_TOUCHES = 50_000

export const sameHashOrNone = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : sameBytes(a, b)

/** An account as of the newest block. Rejects as the chain does. */
export const newestAccount = (reads: NewestReads, account: AccountId): Promise<VerifiedAccount> =>
  askNode(reads, async (options) => reads.chain.account((await reads.chain.head(options)).id, account, options))

export class LackingAccounts {
  readonly #parts: LackingParts
  readonly #entries = new Map<BinaryHash, Entry>()
  readonly #touched = new LRUCache<BinaryHash, number>(upTo(KEPT_TOUCHES))
  /** Steps are begun in any order; all before this one have been. */
  #next: number
  readonly #begun = new Set<number>()
  /** Their rows are with steps that are not written yet. */
  #taken: TakenEntry[] = []
  #isLooking = false
  /** Accounts whose newest state is left out, with the step that left it. */
  readonly #leftOut = new Map<BinaryHash, number>()

  /** Goes on where `before` was interrupted: steps before the first are written, the others are done again. */
  constructor(
    parts: LackingParts,
    { firstSeqno, before }: { readonly firstSeqno: number; readonly before: LackingAccounts | null },
  ) {
    this.#parts = parts
    this.#next = firstSeqno
    if (before === null) return
    before.written(firstSeqno - 1)
    for (const [key, seqno] of before.#leftOut) if (seqno < firstSeqno) this.#leftOut.set(key, seqno)
    for (const [key, entry] of [...before.#entries, ...before.#taken.map(({ found }) => found)])
      if (entry.row.mcSeqno < firstSeqno) this.#entries.set(key, entry)
  }

  get count(): number {
    return this.#entries.size + this.#leftOut.size
  }

  /** Which states of a step have a row, in the order of its blocks. */
  found(seqno: number, states: readonly (readonly [account: AccountKey, hasRow: boolean])[]): void {
    const last = new Map(states.map((state) => [hashFromBytes(state[0]), state]))
    for (const [account, hasRow] of last.values()) if (!hasRow) this.leaveOut(account, seqno)
  }

  /** Not even a row can be made of the state that a step left: the row of the account stays as it was before. */
  leaveOut(account: AccountKey, seqno: number): void {
    const key = hashFromBytes(account)
    if ((this.#touched.get(key) ?? 0) > seqno) return
    this.#entries.delete(key)
    if (this.#leftOut.size < MOST_KEPT) this.#leftOut.set(key, seqno)
  }

  /** All steps up to this one are in the store. */
  written(seqno: number): void {
    this.#taken = this.#taken.filter((one) => one.seqno > seqno)
  }

  /** A step begins, which touches these accounts. Returns what was found of others and belongs into its rows. */
  begin(seqno: number, accounts: readonly AccountKey[]): readonly RecoveredAccounts[] {
    for (const account of accounts) {
      const key = hashFromBytes(account)
      this.#touched.set(key, Math.max(seqno, this.#touched.get(key) ?? 0))
      if ((this.#entries.get(key)?.row.mcSeqno ?? seqno) < seqno) this.#entries.delete(key)
      if ((this.#leftOut.get(key) ?? seqno) < seqno) this.#leftOut.delete(key)
    }
    this.#begun.add(seqno)
    while (this.#begun.delete(this.#next)) this.#next++
    // A step before this one may still touch them.
    return this.#next > seqno ? this.#take(seqno) : []
  }

  add(lacking: Lacking): void {
    const key = hashFromBytes(lacking.row.account)
    if ((this.#touched.get(key) ?? 0) > lacking.row.mcSeqno || this.#leftOut.has(key)) return
    if (this.#entries.size < MOST_KEPT) this.#entries.set(key, { ...lacking, tries: 0, recovered: null })
  }

  #take(seqno: number): readonly RecoveredAccounts[] {
    const found: RecoveredAccounts[] = []
    for (const [key, entry] of this.#entries) {
      const { row, recovered } = entry
      if (recovered === null || row.mcSeqno >= seqno) continue
      this.#entries.delete(key)
      this.#taken.push({ seqno, found: [key, entry] })
      found.push(recovered)
    }
    return found
  }

  /** Looks for a few in the newest state, unless that is being done. */
  look(): void {
    if (this.#isLooking || this.#entries.size === 0) return
    const some: [BinaryHash, Entry][] = []
    for (const [key, entry] of this.#entries) {
      if (entry.recovered === null) some.push([key, entry])
      if (some.length === AT_ONCE) break
    }
    this.#isLooking = true
    void Promise.all(some.map(([key, entry]) => this.#lookFor(key, entry))).then(() => {
      this.#isLooking = false
    })
  }

  /** Never rejects. */
  async #lookFor(key: BinaryHash, entry: Entry): Promise<void> {
    // Behind the others.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const { row, lacksCode } = entry
    try {
      const { account, shardAccount } = await newestAccount(this.#parts, accountIdOf(row.account))
      const content = account === null || shardAccount === null ? null : await accountContent(shardAccount.account)
      const data = content !== null && sameHashOrNone(content.state.dataHash, row.dataHash) ? content.data : null
      const code = content !== null && sameHashOrNone(content.state.codeHash, row.codeHash) ? content.code : null
      const hasData = row.dataHash === null || row.data !== null || data !== null
      if (hasData && (!lacksCode || code !== null)) entry.recovered = { row: { ...row, data: row.data ?? data }, code }
      else if (++entry.tries === MOST_TRIES) this.#entries.delete(key)
    } catch (err) {
      if (err instanceof LiteError || err instanceof ProofError) return
      // Another try would read the same state, and fail again.
      this.#entries.delete(key)
      this.#parts.log.warn({ err, account: rawAddress(row.account) }, 'newest state of an account cannot be read')
    }
  }
}
