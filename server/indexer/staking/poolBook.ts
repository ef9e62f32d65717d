// Nominator pools as steps leave them, and what happened on their ledgers. A pool of the public code is what its storage says;
// of any other code it is one as long as its storage follows the rules.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes, MAX_DEPTH, orNull, readBoc, sameBytes } from '../../cell/index.ts'
import {
  emptied,
  type Ledger,
  ledgerAfter,
  ledgerOf,
  poolEvents,
  sameLedger,
  type TransactionFacts,
} from '../../facts/index.ts'
import { inPieces } from '../../fairness/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import { type AccountKey, type AccountRow, readIndexedPool, readPoolAccounts } from '../../store/index.ts'
import { fromCell, loadPoolData, loadStateInit, type PoolData } from '../../tlb/index.ts'
import { accountContent } from '../accounts/accountContent.ts'
import { accountIdOf } from '../accounts/accountIdOf.ts'
import { askNode, ifThere } from '../chain/asking.ts'
import type { StakingCollector } from './collector.ts'
import { collectNominators, type KnownPool, knownPool, readingPoolData, stakingPoolRow } from './poolRows.ts'
import { isPublicCode, type Recognition, type Sight } from './recognition.ts'
import type { StakingParts } from './stakingParts.ts'

/** Accounts of pools known by heart; with more, each account that is no known pool is looked up. */
const MOST_ACCOUNTS = 200_000
/** Nominators in memory. */
const KEPT_NOMINATORS = 200_000
const KEPT_OTHERS = 10_000

/** A step as pools see it. */
interface PoolStep extends Sight {
  /** Masterchain blocks before it. */
  readonly previous: readonly BlockIdExt[]
  readonly elector: AccountKey
  readonly to: StakingCollector
  /** The index goes back to this block: all of each pool is written, and what came later does not count. */
  readonly isRestored?: boolean
}

type ActiveRow = AccountRow & { readonly codeHash: Uint8Array }

interface Seen {
  readonly row: ActiveRow
  readonly data: PoolData
  readonly known: KnownPool | null
  /** Of the account in this step, in their order. */
  readonly transactions: readonly TransactionFacts[]
}

export class PoolBook {
  readonly #parts: StakingParts
  readonly #recognition: Pick<Recognition, 'isPool'>
  readonly #kept = new LRUCache<BinaryHash, KnownPool>({
    maxSize: KEPT_NOMINATORS,
    sizeCalculation: ({ ledger }) => ledger.nominators.size + 1,
  })
  /** Accounts the tables have a pool of; null when they are too many. */
  #accounts: Set<BinaryHash> | null = null
  /** Code and data of accounts that were found to be no pools: of a large contract, looking again costs milliseconds. */
  readonly #others = new LRUCache<BinaryHash, string>({ max: KEPT_OTHERS })

  constructor(parts: StakingParts, recognition: Pick<Recognition, 'isPool'>) {
    this.#parts = parts
    this.#recognition = recognition
  }

  async begin(): Promise<void> {
    const found = await this.#parts.database.transaction((sql) => readPoolAccounts(sql, MOST_ACCOUNTS))
    this.#accounts = found.length < MOST_ACCOUNTS ? new Set(found.map(hashFromBytes)) : null
  }

  /** An account of the masterchain as a step left it. */
  async see(row: AccountRow, transactions: readonly TransactionFacts[], step: PoolStep): Promise<void> {
    const known = await this.#knownPool(row.account)
    const { codeHash } = row
    const isSameCode = known !== null && codeHash !== null && sameBytes(known.row.codeHash, codeHash)
    if (isSameCode && isBroken(known, step)) return
    // Data that no server has any more: what is known stays, and the next transaction finds that it is old.
    if (isSameCode && row.status === 'active' && row.data === null) return
    if (known === null && this.#others.get(hashFromBytes(row.account)) === nameOfCode(row)) return
    const data = await inPieces(readingPoolData(row), { signal: this.#parts.signal })
    const isPool = data !== null && (isSameCode || (await this.#recognition.isPool(row, data, step)))
    if (data === null || codeHash === null || !isPool) return this.#leaveOut(row, known, step)
    // With other code it is another pool: nominators of the one before do not stay.
    if (known !== null && !isSameCode) step.to.poolGone(row.account)
    await this.#change({ row: { ...row, codeHash }, data, known: isSameCode ? known : null, transactions }, step)
  }

  async #change(seen: Seen, step: PoolStep): Promise<void> {
    const { row, data, known, transactions } = seen
    const { to } = step
    const key = hashFromBytes(row.account)
    const mcSeqno = step.id.seqno
    const after = ledgerOf(data)
    const before = await this.#before(seen, step)
    const states =
      before === null ? [] : this.#states({ before, after, transactions }, step, isPublicCode(row.codeHash))
    // A pool restored by a revert begins at its last change, not at the revert: the next revert then reads the account again.
    const first = Math.min(known?.row.firstMcSeqno ?? row.mcSeqno, row.mcSeqno)
    if (states === null) {
      const broken = stakingPoolRow(row, data, { firstMcSeqno: first, brokenMcSeqno: mcSeqno })
      to.pool(broken)
      this.#keep(key, { row: broken, ledger: after })
      return
    }
    states.forEach((state, i) => {
      const transaction = transactions[i]
      const was = i === 0 ? before : states[i - 1]
      if (transaction === undefined || was === undefined || was === null) return
      to.poolEvents(poolEvents({ transaction, elector: step.elector, before: was, after: state }))
    })
    const now = stakingPoolRow(row, data, { firstMcSeqno: first, brokenMcSeqno: null })
    to.pool(now)
    const written = step.isRestored === true ? null : (known?.ledger ?? null)
    collectNominators(row.account, { before: written, after }, to)
    this.#keep(key, { row: now, ledger: after })
  }

  /** The ledger after each transaction; null for a contract that does not keep the rules. */
  #states(
    { before, after, transactions }: { before: Ledger; after: Ledger; transactions: readonly TransactionFacts[] },
    { elector }: PoolStep,
    isPublic: boolean,
  ): readonly Ledger[] | null {
    let states: Ledger[] = []
    for (const paysSmall of [true, false]) {
      let ledger = before
      states = transactions.map((transaction) => {
        ledger = ledgerAfter(ledger, transaction, { elector, paysSmall })
        return ledger
      })
      if (sameLedger(ledger, after)) return states
    }
    return isPublic ? [...states.slice(0, -1), after] : null
  }

  /** The ledger before the first transaction; null when it is unknown, or the state is not what transactions left. */
  async #before({ row, data, known, transactions }: Seen, step: PoolStep): Promise<Ledger | null> {
    const first = transactions[0]
    const last = transactions.at(-1)
    if (first === undefined || last === undefined || !sameBytes(last.stateAfter, row.hash)) return null
    if (known !== null && sameBytes(known.row.stateHash, first.stateBefore)) return known.ledger
    if (first.origStatus !== 'active') return deployed(first) ?? emptied(ledgerOf(data))
    return await this.#ledgerAt(row.account, first.stateBefore, step)
  }

  async #ledgerAt(account: AccountKey, stateHash: Uint8Array, { previous }: PoolStep): Promise<Ledger | null> {
    const { chain, signal } = this.#parts
    const [block] = previous
    if (block === undefined || block.seqno === 0) return null
    return await ifThere(async () => {
      const { shardAccount } = await askNode(this.#parts, (options) =>
        chain.account(block, accountIdOf(account), options),
      )
      const cell = shardAccount?.account ?? null
      if (cell === null || !sameBytes(cell.hashBytes(), stateHash)) return null
      const { state, data } = await accountContent(cell, { signal })
      const found = await inPieces(readingPoolData({ status: state.status, data }), { signal })
      return found === null ? null : ledgerOf(found)
    })
  }

  /** Accounts that are no pool, or no longer one. */
  #leaveOut(row: AccountRow, known: KnownPool | null, { to }: PoolStep): void {
    const { account } = row
    // Data that lacks now may be found later.
    if (row.data !== null || row.dataHash === null) this.#others.set(hashFromBytes(account), nameOfCode(row))
    if (known === null) return
    to.poolGone(account)
    this.#kept.delete(hashFromBytes(account))
    this.#accounts?.delete(hashFromBytes(account))
  }

  #keep(key: BinaryHash, pool: KnownPool): void {
    this.#kept.set(key, pool)
    this.#accounts?.add(key)
  }

  async #knownPool(account: AccountKey): Promise<KnownPool | null> {
    const key = hashFromBytes(account)
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    if (this.#accounts?.has(key) === false) return null
    const found = await this.#parts.database.transaction((sql) => readIndexedPool(sql, account))
    if (found === null) return null
    const pool = knownPool(found)
    this.#kept.set(key, pool)
    return pool
  }
}

const nameOfCode = ({ status, codeHash, dataHash }: AccountRow): string =>
  `${status} ${codeHash === null ? '' : hashFromBytes(codeHash)} ${dataHash === null ? '' : hashFromBytes(dataHash)}`

const isBroken = ({ row }: KnownPool, { id, isRestored = false }: PoolStep): boolean =>
  row.brokenMcSeqno !== null && !(isRestored && row.brokenMcSeqno > id.seqno)

/** What a pool began with, where the message that deployed it shows that. */
function deployed({ inMessage }: TransactionFacts): Ledger | null {
  const init = inMessage?.init ?? null
  if (init === null) return null
  return orNull(() => {
    const { data } = fromCell(readBoc(init, { maxDepth: MAX_DEPTH }), loadStateInit)
    return data === null ? null : ledgerOf(loadPoolData(data))
  })
}
