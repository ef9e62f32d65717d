// What a block is about: traces, accounts and blocks, in the order in which they are reported.

import type { Finality } from '../methods/index.ts'
import { rawOfKey, toStateInTransaction } from '../methods/index.ts'
import type { BlockRows, TransactionFound } from '../store/index.ts'
import type { AccountChange, BlockChange } from './notifications/notification.ts'

/** Accounts at the end of a block, in the order of their last transactions; those set by hand come last. */
export function accountsInTrace(rows: BlockRows, finality: Finality): AccountChange[] {
  const last = new Map<string, TransactionFound>()
  for (const one of rows.transactions) {
    const raw = rawOfKey(one.row.account)
    last.delete(raw)
    last.set(raw, one)
  }
  const wallets = new Map(rows.jettonWallets.map((wallet) => [rawOfKey(wallet.account), wallet]))
  const active = [...last].map(
    ([raw, found]): AccountChange => ({
      account: found.row.account,
      raw,
      finality,
      state: toStateInTransaction(found.row.stateAfter, found.after),
      last: found,
      wallet: wallets.get(raw) ?? null,
    }),
  )
  const changed = rows.changed.map(
    (account): AccountChange => ({
      account: account.account,
      raw: rawOfKey(account.account),
      finality,
      state: toStateInTransaction(account.hash, account),
      last: null,
      wallet: null,
    }),
  )
  return [...active, ...changed]
}

export const blocksOf = ({ blocks }: BlockRows, finality: Finality): BlockChange[] =>
  [...blocks]
    .sort((a, b) => a.workchain - b.workchain || Number(a.shard - b.shard) || a.seqno - b.seqno)
    .map((block) => ({ block, finality }))
