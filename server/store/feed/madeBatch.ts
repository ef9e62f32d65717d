// What streams and webhooks get of a batch, made in pieces of the rows that this process writes.

import { goingThrough } from '../../fairness/index.ts'
import { bytesKey } from '../read/bytesKey.ts'
import type { TransactionFound } from '../read/transactionParts.ts'
import type { AccountStateRow } from '../tables/accounts.ts'
import type { JettonWalletRow } from '../tables/contracts.ts'
import type { ActionWrites } from '../write/actions.ts'
import type { MasterBlockRows } from '../write/masterBlocks.ts'
import { currentWallets, type KnownStates, keying, makingRowsOfBatch, type ReadBlockRows } from './blockRows.ts'

export type WrittenBatch = readonly [rows: MasterBlockRows, actions: Pick<ActionWrites, 'actions'>]

export interface MadeBatch {
  readonly rows: readonly ReadBlockRows[]
  /** Accounts of which the batch has every row that the tables have: all when contracts are classified, else none. */
  readonly examined: Pick<ReadonlyMap<string, unknown>, 'has'>
  /** By their accounts. */
  readonly wallets: ReadonlyMap<string, JettonWalletRow>
}

/** What a batch brings, in pieces: of ten thousand transactions it takes a hundred milliseconds. */
export function* makingBatch([of, actions]: WrittenBatch, states: KnownStates): Generator<void, MadeBatch> {
  const { accounts, assets } = of
  return {
    rows: yield* makingRowsOfBatch(of, actions, states),
    examined: yield* keying(assets === undefined ? [] : accounts, ({ account }) => account),
    wallets: yield* keying(assets?.found.jettonWallets ?? [], ({ account }) => account),
  }
}

interface Read {
  readonly states: readonly AccountStateRow[]
  readonly wallets: readonly JettonWalletRow[]
  /** Those that its batch has. */
  readonly examined: MadeBatch['wallets']
}

/** The same block with states and wallets that were read. */
export function* completing(rows: ReadBlockRows, { examined, ...read }: Read): Generator<void, ReadBlockRows> {
  const states = yield* keying(read.states, ({ hash }) => hash)
  const transactions: TransactionFound[] = []
  yield* goingThrough(rows.transactions, (one) =>
    transactions.push({
      ...one,
      before: one.before ?? states.get(bytesKey(one.row.stateBefore)) ?? null,
      after: one.after ?? states.get(bytesKey(one.row.stateAfter)) ?? null,
    }),
  )
  const wallets = yield* keying(read.wallets, ({ account }) => account)
  const wallet = { get: (account: string) => wallets.get(account) ?? examined.get(account) }
  return { ...rows, transactions, jettonWallets: yield* currentWallets(wallet, transactions) }
}
