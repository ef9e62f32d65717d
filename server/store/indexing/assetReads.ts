// What the indexer reads of contracts that are indexed already.

import type { Sql } from '../database.ts'
import { wholeBag } from '../read/messages.ts'
import { readAll } from '../read/read.ts'
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
  readAll(from, {
    statement: sql`select account, 'jettonWallet' as kind, jetton as of from jetton_wallets where account = any(${accounts}::bytea[])
      union all
      select account, 'nftItem' as kind, collection as of from nft_items where account = any(${accounts}::bytea[])`,
    toValue: decodeToken,
  })

const { hash, boc } = codes.fields
const decodeCode = decoderOf({ hash, boc })

export type KnownCode = ReturnType<typeof decodeCode>

/** The code of these hashes; code that is not indexed is left out. */
export const readCodes = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly KnownCode[]> =>
  readAll(from, {
    statement: sql`select hash, boc from codes where hash = any(${hashes}::bytea[])`,
    toValue: decodeCode,
  })

const { lt, now, description, traceId } = transactions.fields
const { body } = messages.fields
const decodeOld = decoderOf({ hash, account, lt, now, description, traceId, source: account, opcode: int4, body })

/** A transaction with what is needed of the message it received. */
export type OldTransaction = ReturnType<typeof decodeOld>

export interface OldTransactionsFilter {
  readonly accounts: readonly AccountKey[]
  readonly opcodes: readonly number[]
  readonly most: number
}

/** As many transactions are looked at for each that is wanted, newest first: anybody can send an address any number of other messages. */
const LOOKED_AT = 10

/**
 * Transactions of accounts that were active before or after them, whose message has one of these opcodes; newest first. Each account has
 * the same share of those that are looked at.
 */
export const readTransactionsOf = (
  from: Sql,
  { accounts, opcodes, most }: OldTransactionsFilter,
): Promise<readonly OldTransaction[]> =>
  readAll(from, {
    statement: sql`select t.hash, t.account, t.lt, t.now, t.description, t.trace_id, m.source, m.opcode, ${wholeBag('m', 'body')} as body
    from (select distinct account from unnest(${accounts}::bytea[]) one (account)) own cross join lateral (
        select * from transactions one where ${isAlong(sql`one.account`, sql`own.account`)}
        order by ${shortKey(sql`one.account`)} desc, one.lt desc limit ${Math.ceil((LOOKED_AT * most) / accounts.length)}) t
      cross join lateral (select * from messages one where one.hash = t.in_msg_hash offset 0) m
    where array['active', 'a'] && array[t.orig_status, t.end_status] and m.source is not null and m.opcode = any(${opcodes}::int4[])
    order by t.lt desc, t.hash limit ${most}`,
    toValue: decodeOld,
  })
