// What the indexer has to know of contracts it looked at before.

import type { Sql } from '../database.ts'
import type { AccountKey } from '../rows.ts'
import { sql } from '../sql.ts'

/** A contract whose transactions are events, and who confirms it. */
export interface KnownToken {
  readonly account: AccountKey
  readonly kind: 'jettonWallet' | 'nftItem'
  /** Its jetton or its collection; null for an item without one. */
  readonly of: AccountKey | null
}

/** Those of these accounts that are jetton wallets or items. */
export async function readKnownTokens(from: Sql, accounts: readonly AccountKey[]): Promise<readonly KnownToken[]> {
  return await from.query<{ account: Uint8Array; kind: KnownToken['kind']; of: Uint8Array | null }>(
    sql`select account, 'jettonWallet' as kind, jetton as of from jetton_wallets where account = any(${accounts}::bytea[])
      union all
      select account, 'nftItem' as kind, collection as of from nft_items where account = any(${accounts}::bytea[])`,
  )
}

export interface KnownCode {
  readonly hash: Uint8Array
  readonly boc: Uint8Array
}

/** The code behind these hashes, as far as it was seen. */
export const readCodes = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly KnownCode[]> =>
  from.query<{ hash: Uint8Array; boc: Uint8Array }>(
    sql`select hash, boc from codes where hash = any(${hashes}::bytea[])`,
  )

/** A transaction with what is needed of the message it took in. */
export interface OldTransaction {
  readonly hash: Uint8Array
  readonly account: AccountKey
  readonly lt: bigint
  readonly now: number
  readonly description: string
  readonly traceId: Uint8Array
  readonly source: AccountKey
  readonly opcode: number
  readonly body: Uint8Array
}

export interface OldTransactionsAsk {
  readonly accounts: readonly AccountKey[]
  readonly opcodes: readonly number[]
  readonly most: number
}

/** Transactions of accounts that were active before or after them, whose message began with one of these operations; newest first. */
export async function readTransactionsOf(
  from: Sql,
  { accounts, opcodes, most }: OldTransactionsAsk,
): Promise<readonly OldTransaction[]> {
  const rows = await from.query<{
    hash: Uint8Array
    account: Uint8Array
    lt: bigint
    now: bigint
    description: string
    trace_id: Uint8Array
    source: Uint8Array
    opcode: number
    body: Uint8Array
  }>(sql`select transactions.hash, transactions.account, transactions.lt, transactions.now, transactions.description,
      transactions.trace_id, messages.source, messages.opcode, messages.body
    from transactions join messages on messages.hash = transactions.in_msg_hash
    where transactions.account = any(${accounts}::bytea[]) and 'active' in (transactions.orig_status, transactions.end_status)
      and messages.source is not null and messages.opcode = any(${opcodes}::int4[])
    order by transactions.lt desc, transactions.hash limit ${most}`)
  return rows.map(({ trace_id, now, ...row }) => ({ now: Number(now), traceId: trace_id, ...row }))
}
