// Accounts, their states and their code.

import { sql } from '../sql.ts'
import { accountStatus } from './chain.ts'
import { account, bytea, extraCurrencies, int4, int4List, int8, nullable, numeric, textList } from './column.ts'
import { type RowFrom, table } from './table.ts'

const stateFields = {
  hash: bytea,
  balance: numeric,
  extra: extraCurrencies,
  status: accountStatus,
  frozenHash: nullable(bytea),
  dataHash: nullable(bytea),
  codeHash: nullable(bytea),
}

/** State of an account after a transaction, by the hash of its cell: equal hashes mean equal states. */
export const accountStates = table('account_states', stateFields, { onConflict: 'keep' })

export type AccountStateRow = RowFrom<typeof accountStates>

/** Newest state of an account. */
export const accounts = table(
  'accounts',
  {
    account,
    ...stateFields,
    lastTxHash: bytea,
    lastTxLt: int8,
    /** Bag of cells without CRC. */
    data: nullable(bytea),
    /** Masterchain block whose state had this account state. */
    mcSeqno: int4,
  },
  {
    // Compares blocks first: an account that was deleted and then set by `dev.setAccount` has lt 0.
    onConflict: {
      key: 'account',
      where: sql`(accounts.mc_seqno, accounts.last_tx_lt) <= (excluded.mc_seqno, excluded.last_tx_lt)`,
    },
    undo: { above: 'mcSeqno' },
  },
)

export type AccountRow = RowFrom<typeof accounts>

/** Last transactions of deleted accounts that `--keep` has removed; the accounts may have been created again since. */
export const goneAccounts = table(
  'gone_accounts',
  {
    account,
    /** Hash of the state after it. */
    hash: bytea,
    lastTxHash: bytea,
    lastTxLt: int8,
    /** Masterchain block of that transaction. */
    mcSeqno: int4,
  },
  { undo: { above: 'mcSeqno' } },
)

export const codes = table(
  'codes',
  {
    hash: bytea,
    /** Bag of cells without CRC. */
    boc: bytea,
    /** Ids of its get-methods, ascending; null when it has no table of methods. */
    methods: nullable(int4List),
    interfaces: textList,
  },
  { onConflict: 'keep' },
)

export type CodeRow = RowFrom<typeof codes>
