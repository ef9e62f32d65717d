// Masterchain blocks that concern some accounts and messages, so that what happened to them is found without reading all blocks.

import type { Sql, SqlText } from '../database.ts'
import { isActionOf } from '../read/actionFilter.ts'
import { LATEST_LT } from '../read/range.ts'
import { MOST_NAMES, readAll, type StoreRead } from '../read/read.ts'
import { equalsHash, isAccount, isOneOfAccounts } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { transactions } from '../tables/chain.ts'
import type { AccountKey } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { demandIndexed } from './blockRowsFeed.ts'

export interface Concerned {
  readonly accounts: readonly AccountKey[]
  /** Of messages from outside, plain or normalised. */
  readonly messages: readonly Uint8Array[]
  /** Whether the accounts are also those of items whose owners change, as their owner or collection. */
  readonly itemOwners?: boolean
  /** Whether every block counts. */
  readonly everyBlock: boolean
  /** Bounds, both included. */
  readonly first: number
  readonly last: number
  readonly limit: number
}

/** Blocks of shards may begin somewhat before the masterchain block that is before the one that commits them. */
const EARLIER_BLOCKS = 64

const decodeSeqno = decoderOf({ mcSeqno: transactions.fields.mcSeqno })

/** No row of a block from the first one on is before this. */
const startLt = (first: number): SqlText => sql`coalesce((select min(b.start_lt) from blocks b
    where b.workchain = -1 and b.seqno >= ${first - EARLIER_BLOCKS} and b.seqno <= ${first}), 0)`

/** No row of a block up to the last one is behind this: the masterchain's block ends behind all that it commits. */
const endLt = (last: number): SqlText =>
  sql`coalesce((select max(b.end_lt) from blocks b where b.mc_seqno = ${last}), ${LATEST_LT}::int8)`

/**
 * Wallets that may have a transaction since a block: of a hundred thousand that were sent unasked, few. One that was written without
 * a transaction has 0.
 */
const isSince = (first: number): SqlText => sql`(w.last_tx_lt >= ${startLt(first)} or w.last_tx_lt = 0)`

/** Blocks of the first look. Of an account with transactions in each, all up to the newest may take longer than a statement may. */
const FIRST_LOOK = 1024
/** How many times as many each look takes as the one before: most accounts have few. */
const LONGER = 4

/** Seqnos, ascending. Rejects with BlockNotIndexed where the index no longer has all of the range. */
export async function readConcerningBlocks(from: Sql, of: Concerned): Promise<number[]> {
  const found: number[] = []
  let first = of.first
  let length = of.everyBlock ? Number.POSITIVE_INFINITY : FIRST_LOOK
  while (first <= of.last && found.length < of.limit) {
    const last = Math.min(of.last, first + length - 1)
    found.push(...(await readConcerning(from, { ...of, first, last, limit: of.limit - found.length })))
    first += length
    length *= LONGER
  }
  // The feed may have cached the first one, so that nothing else notices.
  await demandIndexed(from, of.first)
  return found
}

async function readConcerning(from: Sql, of: Concerned): Promise<readonly number[]> {
  const { limit } = of
  // Of every block there is no need to know what else it has.
  const names = of.everyBlock ? 0 : Math.max(of.accounts.length, of.messages.length)
  let found: readonly number[] = []
  for (let at = 0; at === 0 || at < names; at += MOST_NAMES) {
    const accounts = of.accounts.slice(at, Math.min(names, at + MOST_NAMES))
    const messages = of.messages.slice(at, Math.min(names, at + MOST_NAMES))
    // No more than the limit are found, and the first of them.
    const last = found.length < limit ? of.last : (found.at(-1) ?? of.last)
    const more = await readAll(from, concerningBlocksRead({ ...of, accounts, messages, last }))
    found = [...new Set([...found, ...more])].sort((a, b) => a - b).slice(0, limit)
  }
  return found
}

function concerningBlocksRead(of: Concerned): StoreRead<number> {
  const { accounts, messages, everyBlock, itemOwners = false, first, last, limit } = of
  const isWithin = (lt: SqlText) => sql`${lt} >= ${startLt(first)} and ${lt} <= ${endLt(last)}`
  const isOwn = (column: SqlText) => isOneOfAccounts(column, accounts)
  const parts: SqlText[] = []
  if (everyBlock)
    parts.push(sql`select b.mc_seqno from blocks b where b.workchain = -1
    and b.mc_seqno >= ${first} and b.mc_seqno <= ${last}`)
  if (accounts.length > 0)
    parts.push(
      sql`select t.mc_seqno from transactions t where ${isOwn(sql`t.account`)} and ${isWithin(sql`t.lt`)}`,
      sql`select k.mc_seqno_end from trace_accounts a join traces k on k.trace_id = a.trace_id
        where ${isOwn(sql`a.account`)} and ${isWithin(sql`a.end_lt`)}`,
      sql`select x.trace_mc_seqno_end from action_accounts a
        join actions x on ${isActionOf(sql`x`, sql`a`)}
        where ${isOwn(sql`a.account`)} and ${isWithin(sql`a.trace_end_lt`)}`,
      sql`select t.mc_seqno from jetton_wallets w cross join lateral (
          select t.mc_seqno from transactions t where ${isAccount(sql`t.account`, sql`w.account`)} and ${isWithin(sql`t.lt`)} offset 0) t
        where w.owner = any(${accounts}::bytea[]) and ${isSince(first)}`,
    )
  if (accounts.length > 0 && itemOwners)
    for (const column of ['old_owner', 'new_owner', 'collection'])
      parts.push(sql`select o.mc_seqno from nft_owners o where o.${sql.identifier(column)} = any(${accounts}::bytea[])
        and o.mc_seqno >= ${first} and o.mc_seqno <= ${last}`)
  if (messages.length > 0)
    parts.push(sql`select t.mc_seqno from (
        select distinct x.trace_id from messages m join transactions x on x.in_msg_hash = m.hash
        where m.hash = any(${messages}::bytea[]) or m.hash_norm = any(${messages}::bytea[])) x cross join lateral (
        select t.mc_seqno from transactions t where ${equalsHash(sql`t.trace_id`, sql`x.trace_id`)} offset 0) t`)
  const all = parts.length === 0 ? sql`select 0 as mc_seqno where false` : sql.join(parts, ' union ')
  return {
    statement: sql`select mc_seqno from (${all}) found (mc_seqno)
      where mc_seqno >= ${first} and mc_seqno <= ${last} order by mc_seqno limit ${limit}`,
    toValue: (row) => decodeSeqno(row).mcSeqno,
  }
}
