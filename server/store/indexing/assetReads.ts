// What the indexer reads of contracts that are indexed already.

import type { Sql, SqlText } from '../database.ts'
import { wholeBag } from '../read/messages.ts'
import { inRounds, readAll } from '../read/read.ts'
import { isAlong, shortKey } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { codes } from '../tables/accounts.ts'
import { messages, transactions } from '../tables/chain.ts'
import { type AccountKey, account, int4, nullable, oneOf } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'

/** `of` is the contract that confirms it: its jetton or its collection; null for an item without one. */
const decodeToken = decoderOf({ account, kind: oneOf('jettonWallet', 'nftItem'), of: nullable(account) })

/** A contract whose transactions are events. */
export type KnownToken = ReturnType<typeof decodeToken>

/** Those of these accounts that are jetton wallets or items. */
export const readKnownTokens = (from: Sql, accounts: readonly AccountKey[]): Promise<readonly KnownToken[]> =>
  inRounds(accounts, (some) =>
    readAll(from, {
      statement: sql`select account, 'jettonWallet' as kind, jetton as of from jetton_wallets where account = any(${some}::bytea[])
      union all
      select account, 'nftItem' as kind, collection as of from nft_items where account = any(${some}::bytea[])`,
      toValue: decodeToken,
    }),
  )

const { hash, boc } = codes.fields
const decodeCode = decoderOf({ hash, boc })

export type KnownCode = ReturnType<typeof decodeCode>

/** The code of these hashes; code that is not indexed is left out. */
export const readCodes = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly KnownCode[]> =>
  inRounds(hashes, (some) =>
    readAll(from, {
      statement: sql`select hash, boc from codes where hash = any(${some}::bytea[])`,
      toValue: decodeCode,
    }),
  )

const { lt, now, description, traceId } = transactions.fields
const { body } = messages.fields
const decodeOld = decoderOf({ hash, account, lt, now, description, traceId, source: account, opcode: int4, body })

/** A transaction with what is needed of the message it received. */
export type OldTransaction = ReturnType<typeof decodeOld>

export interface OldTransactionsFilter {
  /** Accounts, each with the logical time after which its transactions are wanted. */
  readonly accounts: readonly { readonly account: AccountKey; readonly after: bigint }[]
  readonly opcodes: readonly number[]
  readonly most: number
}

/** As many transactions are looked at for each that is wanted, newest first: anybody can send an address any number of other messages. */
const LOOKED_AT = 10

const ACTIVE = sql`array['active', 'a']`

/**
 * Transactions of accounts that were active before or after them, whose message has one of these opcodes, none from before
 * the account last became active; newest first. Each account has the same share of those that are looked at.
 */
export function readTransactionsOf(
  from: Sql,
  { accounts, opcodes, most }: OldTransactionsFilter,
): Promise<readonly OldTransaction[]> {
  const newest = (columns: SqlText) => sql`select ${columns} from transactions one
    where ${isAlong(sql`one.account`, sql`own.account`)} and one.lt > own.after
    order by ${shortKey(sql`one.account`)} desc, one.lt desc limit ${Math.ceil((LOOKED_AT * most) / accounts.length)}`
  return readAll(from, {
    statement: sql`select t.hash, t.account, t.lt, t.now, t.description, t.trace_id, m.source, m.opcode, ${wholeBag('m', 'body')} as body
    from (select account, min(after) as after
        from unnest(${accounts.map(({ account }) => account)}::bytea[], ${accounts.map(({ after }) => after)}::int8[])
          one (account, after) group by account) own
      cross join lateral (select coalesce(max(life.lt), 0) as begin
        from (${newest(sql`one.lt, one.orig_status, one.end_status`)}) life
        where life.orig_status <> all(${ACTIVE}) and life.end_status = any(${ACTIVE})) life
      cross join lateral (${newest(sql`*`)}) t
      cross join lateral (select * from messages one where one.hash = t.in_msg_hash offset 0) m
    where t.lt >= life.begin and ${ACTIVE} && array[t.orig_status, t.end_status]
      and m.source is not null and m.opcode = any(${opcodes}::int4[])
    order by t.lt desc, t.hash limit ${most}`,
    toValue: decodeOld,
  })
}
