// Accounts as they are now, with what is known of their code.

import type { Row } from '../database.ts'
import type { AccountKey, AccountRow, AccountStatus, CodeRow, ExtraCurrencies } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Read } from './read.ts'

export interface AccountFound extends AccountRow {
  /** Of its code, when it has one and that was read. */
  readonly code: Uint8Array | null
  readonly methods: CodeRow['methods']
  readonly interfaces: CodeRow['interfaces']
}

export interface AccountFilter {
  readonly accounts: readonly AccountKey[]
  /** Only those whose code is one of these. */
  readonly codeHashes?: readonly Uint8Array[] | undefined
  /** Read the bags of code and data too; they are most of a row. */
  readonly bags: boolean
}

// The casts, here and below: the statement beside each names columns of these types.
const accountOf = (row: Row): AccountFound => ({
  account: row.account as AccountKey,
  hash: row.hash as Uint8Array,
  balance: row.balance as bigint,
  extra: JSON.parse(row.extra as string) as ExtraCurrencies,
  status: row.status as AccountStatus,
  frozenHash: row.frozen_hash as Uint8Array | null,
  dataHash: row.data_hash as Uint8Array | null,
  codeHash: row.code_hash as Uint8Array | null,
  lastTxHash: row.last_tx_hash as Uint8Array,
  lastTxLt: row.last_tx_lt as bigint,
  data: row.data as Uint8Array | null,
  mcSeqno: row.mc_seqno as number,
  code: row.code as Uint8Array | null,
  methods: row.methods as readonly number[] | null,
  interfaces: (row.interfaces as readonly string[] | null) ?? [],
})

/** Those of the accounts that are stored, in no order. */
export function accountsRead({ accounts, codeHashes, bags }: AccountFilter): Read<AccountFound> {
  const heavy = bags ? sql`a.data, c.boc as code` : sql`null::bytea as data, null::bytea as code`
  const ofCode = codeHashes === undefined ? sql.empty : sql`and a.code_hash = any(${codeHashes})`
  return {
    statement: sql`select a.account, a.hash, a.balance, a.extra, a.status, a.frozen_hash, a.data_hash, a.code_hash,
        a.last_tx_hash, a.last_tx_lt, a.mc_seqno, c.methods, c.interfaces, ${heavy}
      from accounts a left join codes c on c.hash = a.code_hash
      where a.account = any(${accounts}) ${ofCode}`,
    toValue: accountOf,
  }
}

/** What an address book says of an account. */
export interface BookRow {
  readonly account: AccountKey
  readonly codeHash: Uint8Array | null
  readonly interfaces: readonly string[]
  /** The shortest name that belongs to it and leads to it. */
  readonly domain: string | null
}

/** Those of the accounts that are stored, in no order. */
export const bookRead = (accounts: readonly AccountKey[]): Read<BookRow> => ({
  statement: sql.steady(sql`select a.account, a.code_hash, c.interfaces, (
      select d.domain from dns_records d where d.owner = a.account and d.owner = d.wallet
      order by d.domain_length, d.domain limit 1
    ) as domain
    from accounts a left join codes c on c.hash = a.code_hash
    where a.account = any(${accounts})`),
  toValue: (row) => ({
    account: row.account as AccountKey,
    codeHash: row.code_hash as Uint8Array | null,
    interfaces: (row.interfaces as readonly string[] | null) ?? [],
    domain: row.domain as string | null,
  }),
})

export interface AccountBalance {
  readonly account: AccountKey
  readonly balance: bigint
}

export interface TopPage {
  readonly limit: number
  readonly offset: number
}

/** The richest first; among equals by account. */
export const topAccountsRead = ({ limit, offset }: TopPage): Read<AccountBalance> => ({
  statement: sql`select account, balance from accounts
    order by balance desc, account limit ${limit} offset ${offset}`,
  toValue: (row) => ({ account: row.account as AccountKey, balance: row.balance as bigint }),
})
