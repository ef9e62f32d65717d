// What one masterchain block brought, as those that follow the index get it: read from the tables, or made of the rows that
// this process has just written.

import { bytesKey, distinctValues } from '../read/bytesKey.ts'
import { type TransactionFound, withMessages } from '../read/transactionParts.ts'
import type { AccountRow, AccountStateRow } from '../tables/accounts.ts'
import type { ActionRow } from '../tables/actions.ts'
import type { BlockRow } from '../tables/chain.ts'
import type { JettonWalletRow } from '../tables/contracts.ts'
import type { TraceRow } from '../tables/traces.ts'
import type { ActionWrites } from '../write/actions.ts'
import type { MasterBlockRows } from '../write/masterBlocks.ts'

export interface BlockRows {
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

/** The rows of each key, in their order. */
export function groupBy<K, T>(rows: readonly T[], keyOf: (row: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

export const masterBlockOf = (blocks: readonly BlockRow[]): BlockRow | undefined =>
  blocks.find(({ workchain }) => workchain === MASTERCHAIN)

/** The last transaction of each account, by the account. */
function lastOfAccounts(transactions: readonly TransactionFound[]): ReadonlyMap<string, TransactionFound> {
  return new Map(transactions.map((one) => [bytesKey(one.row.account), one]))
}

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/** Those of the wallets that have the data they had after the last of these transactions. */
export function currentWallets(
  wallets: readonly JettonWalletRow[],
  transactions: readonly TransactionFound[],
): JettonWalletRow[] {
  const last = lastOfAccounts(transactions)
  return wallets.filter(({ account, dataHash }) => {
    const state = last.get(bytesKey(account))?.after
    return state !== null && state !== undefined && isSame(state.dataHash, dataHash)
  })
}

/** The traces of some transactions, each once, in the order of their first transactions here. */
const traceIdsOf = (transactions: readonly TransactionFound[]): Uint8Array[] =>
  distinctValues(transactions.map(({ row }) => row.traceId))

/** Rows of several masterchain blocks. */
interface RowsOfBlocks {
  /** By masterchain block, by logical time, then by account. */
  readonly transactions: ReadonlyMap<number, readonly TransactionFound[]>
  /** By their ids. */
  readonly traces: ReadonlyMap<string, TraceRow>
  /** By the ids of their traces. */
  readonly actions: ReadonlyMap<string, readonly ActionRow[]>
  readonly wallets: readonly JettonWalletRow[]
}

/** Those of one, which has these blocks; null without the block of the masterchain. */
export function rowsOfBlock(blocks: readonly BlockRow[], of: RowsOfBlocks): BlockRows | null {
  const master = masterBlockOf(blocks)
  if (master === undefined) return null
  const { mcSeqno, rootHash, genUtime: utime } = master
  const transactions = of.transactions.get(mcSeqno) ?? []
  const traces = traceIdsOf(transactions).flatMap((id) => of.traces.get(bytesKey(id)) ?? [])
  const ended = traces.filter(({ mcSeqnoEnd }) => mcSeqnoEnd === mcSeqno)
  const actions = ended.flatMap(({ traceId }) => of.actions.get(bytesKey(traceId)) ?? [])
  const jettonWallets = currentWallets(of.wallets, transactions)
  return { mcSeqno, rootHash, utime, blocks, transactions, traces, actions, jettonWallets, changed: [] }
}

const inOrder = ({ row: a }: TransactionFound, { row: b }: TransactionFound): number =>
  a.lt === b.lt ? Buffer.compare(a.account, b.account) : a.lt < b.lt ? -1 : 1

/** The blocks of a batch that is written as one, in their order. States that `known` has not are null. */
export function rowsOfBatch(
  batch: MasterBlockRows,
  actions: Pick<ActionWrites, 'actions'>,
  known: (hash: Uint8Array) => AccountStateRow | undefined,
): BlockRows[] {
  const written = new Map(batch.accountStates.map((state) => [bytesKey(state.hash), state]))
  const stateOf = (hash: Uint8Array) => written.get(bytesKey(hash)) ?? known(hash) ?? null
  const found = withMessages(batch.transactions, batch.messages).map(
    (parts): TransactionFound => ({
      ...parts,
      before: stateOf(parts.row.stateBefore),
      after: stateOf(parts.row.stateAfter),
    }),
  )
  const all: RowsOfBlocks = {
    transactions: groupBy(found.sort(inOrder), ({ row }) => row.mcSeqno),
    traces: new Map(batch.traces.map((trace) => [bytesKey(trace.traceId), trace])),
    actions: groupBy(actions.actions, ({ traceId }) => bytesKey(traceId)),
    wallets: batch.assets?.found.jettonWallets ?? [],
  }
  return [...groupBy(batch.blocks, ({ mcSeqno }) => mcSeqno).values()].flatMap((blocks) => {
    const rows = rowsOfBlock(blocks, all)
    if (rows === null) return []
    const active = lastOfAccounts(rows.transactions)
    const isChanged = ({ account, mcSeqno }: AccountRow) =>
      mcSeqno === rows.mcSeqno && batch.previous !== null && !active.has(bytesKey(account))
    return { ...rows, changed: batch.accounts.filter(isChanged) }
  })
}
