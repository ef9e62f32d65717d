// What one masterchain block brought, as those that follow the index get it: read from the tables, or made of the rows that
// this process has just written.

import { goingThrough, sorting } from '../../fairness/index.ts'
import { groupBy, grouping } from '../groupBy.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { JoinedMessages, type TransactionFound } from '../read/transactionParts.ts'
import type { AccountRow, AccountStateRow } from '../tables/accounts.ts'
import type { ActionRow } from '../tables/actions.ts'
import type { BlockRow } from '../tables/chain.ts'
import type { JettonWalletRow } from '../tables/contracts.ts'
import type { NftOwnersRow } from '../tables/events.ts'
import type { TraceRow } from '../tables/traces.ts'
import type { ActionWrites } from '../write/actions.ts'
import type { MasterBlockRows } from '../write/masterBlocks.ts'

/** With what is read when it is wanted. */
export interface BlockRows extends ReadBlockRows {
  /**
   * Owners of items before the block and after it, by the last transactions of the items in it. Rejects with StoreError, and with
   * BlockNotIndexed once the block was removed.
   */
  itemOwners(): Promise<readonly NftOwnersRow[]>
}

export interface ReadBlockRows {
  readonly mcSeqno: number
  /** Hash of the masterchain block. */
  readonly rootHash: Uint8Array
  readonly utime: number
  /** The masterchain block and the blocks it committed. */
  readonly blocks: readonly BlockRow[]
  /** By logical time, then by account. */
  readonly transactions: readonly TransactionFound[]
  /** Traces with one of the transactions, as they are in the index now: they may have ended in a later block. */
  readonly traces: readonly TraceRow[]
  /** All actions of the traces that ended in this block. */
  readonly actions: readonly ActionRow[]
  /** Jetton wallets among the accounts, while they have the data they had after this block. */
  readonly jettonWallets: readonly JettonWalletRow[]
  /** Accounts that were set by hand, without a transaction: known only to the process that wrote the block. */
  readonly changed: readonly AccountRow[]
}

const MASTERCHAIN = -1

/** The last row of each key. */
export function* keying<T>(rows: Iterable<T>, keyOf: (row: T) => Uint8Array): Generator<void, Map<string, T>> {
  const byKey = new Map<string, T>()
  yield* goingThrough(rows, (row) => byKey.set(bytesKey(keyOf(row)), row))
  return byKey
}

export const masterBlockOf = (blocks: readonly BlockRow[]): BlockRow | undefined =>
  blocks.find(({ workchain }) => workchain === MASTERCHAIN)

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/** Jetton wallets by their accounts, as they were found last. */
type Wallets = Pick<ReadonlyMap<string, JettonWalletRow>, 'get'>

/** Those of the wallets that have the data they had after the last of these transactions. */
export function* currentWallets(
  wallets: Wallets,
  transactions: readonly TransactionFound[],
): Generator<void, JettonWalletRow[]> {
  const current: JettonWalletRow[] = []
  const last = yield* keying(transactions, ({ row }) => row.account)
  yield* goingThrough(last, ([account, { after }]) => {
    const wallet = wallets.get(account)
    if (wallet !== undefined && after !== null && isSame(after.dataHash, wallet.dataHash)) current.push(wallet)
  })
  return current
}

/** Rows of several masterchain blocks. */
interface RowsOfBlocks {
  /** By masterchain block, by logical time, then by account. */
  readonly transactions: ReadonlyMap<number, readonly TransactionFound[]>
  /** By their ids. */
  readonly traces: ReadonlyMap<string, TraceRow>
  /** By the ids of their traces. */
  readonly actions: ReadonlyMap<string, readonly ActionRow[]>
  readonly wallets: Wallets
}

/** Those of one, which has these blocks; null without the block of the masterchain. */
export function* makingRowsOfBlock(
  blocks: readonly BlockRow[],
  of: RowsOfBlocks,
): Generator<void, ReadBlockRows | null> {
  const master = masterBlockOf(blocks)
  if (master === undefined) return null
  const { mcSeqno, rootHash, genUtime: utime } = master
  const transactions = of.transactions.get(mcSeqno) ?? []
  const traces: TraceRow[] = []
  const actions: ActionRow[] = []
  // In the order of their first transactions here.
  yield* goingThrough(yield* keying(transactions, ({ row }) => row.traceId), ([id]) => {
    const trace = of.traces.get(id)
    if (trace === undefined) return
    traces.push(trace)
    if (trace.mcSeqnoEnd === mcSeqno) for (const action of of.actions.get(id) ?? []) actions.push(action)
  })
  const jettonWallets = yield* currentWallets(of.wallets, transactions)
  yield
  return { mcSeqno, rootHash, utime, blocks, transactions, traces, actions, jettonWallets, changed: [] }
}

const inOrder = ({ row: a }: TransactionFound, { row: b }: TransactionFound): number =>
  a.lt === b.lt ? Buffer.compare(a.account, b.account) : a.lt < b.lt ? -1 : 1

/** States by their hashes. */
export interface KnownStates {
  get(hash: string): AccountStateRow | undefined
  set(hash: string, state: AccountStateRow): unknown
}

/** The transactions of a batch with all their parts. Notes its states; those that are not known are null. */
function* makingTransactions(
  batch: MasterBlockRows,
  states: KnownStates,
): Generator<void, readonly TransactionFound[]> {
  yield* goingThrough(batch.accountStates, (state) => states.set(bytesKey(state.hash), state))
  const written = yield* keying(batch.accountStates, ({ hash }) => hash)
  const stateOf = (hash: Uint8Array) => written.get(bytesKey(hash)) ?? states.get(bytesKey(hash)) ?? null
  const ends = new JoinedMessages()
  yield* goingThrough(batch.messages, (message) => ends.add(message))
  const found: TransactionFound[] = []
  yield* goingThrough(batch.transactions, (row) =>
    found.push({ ...ends.of(row), before: stateOf(row.stateBefore), after: stateOf(row.stateAfter) }),
  )
  return yield* sorting(found, inOrder)
}

/** The blocks of a batch that is written as one, in their order. */
export function* makingRowsOfBatch(
  batch: MasterBlockRows,
  actions: Pick<ActionWrites, 'actions'>,
  states: KnownStates,
): Generator<void, ReadBlockRows[]> {
  const transactions = yield* makingTransactions(batch, states)
  const all: RowsOfBlocks = {
    transactions: yield* grouping(transactions, ({ row }) => row.mcSeqno),
    traces: yield* keying(batch.traces, ({ traceId }) => traceId),
    actions: yield* grouping(actions.actions, ({ traceId }) => bytesKey(traceId)),
    wallets: yield* keying(batch.assets?.found.jettonWallets ?? [], ({ account }) => account),
  }
  const accounts = yield* grouping(batch.accounts, ({ mcSeqno }) => mcSeqno)
  const made: ReadBlockRows[] = []
  for (const [mcSeqno, blocks] of groupBy(batch.blocks, (block) => block.mcSeqno)) {
    const rows = yield* makingRowsOfBlock(blocks, all)
    if (rows === null) continue
    const active = yield* keying(rows.transactions, ({ row }) => row.account)
    const changed: AccountRow[] = []
    if (batch.previous !== null)
      yield* goingThrough(accounts.get(mcSeqno) ?? [], (one) => {
        if (!active.has(bytesKey(one.account))) changed.push(one)
      })
    made.push({ ...rows, changed })
  }
  return made
}
