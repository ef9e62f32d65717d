// Finished texts of transactions that are indexed. A rollback locks the row of the progress first, as every write here does:
// so no text outlives its transaction, and none is written for a transaction that has moved to another block.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { TransactionRow } from '../tables/chain.ts'
import type { BlockRange, TextProgressRow, TransactionTextRow } from '../tables/texts.ts'

export interface MadeText extends Omit<TransactionTextRow, 'version' | 'hash'> {
  /** The transaction it was made of. */
  readonly row: Pick<TransactionRow, 'hash' | 'mcSeqno' | 'block' | 'traceId'>
}

/** Begins after a block; texts of another version are made again from there. */
export async function beginTexts(to: Sql, version: number, { last }: Pick<BlockRange, 'last'>): Promise<void> {
  await to.query(sql`insert into text_progress as own (version, first_mc_seqno, last_mc_seqno)
    values (${version}::int2, ${last + 1}::int4, ${last}::int4)
    on conflict (only_row) do update set version = excluded.version,
      first_mc_seqno = excluded.first_mc_seqno, last_mc_seqno = excluded.last_mc_seqno
    where own.version <> excluded.version`)
}

/** Writes texts of some transactions, without those that have changed since they were read. */
export async function writeTexts(to: Sql, version: number, texts: readonly MadeText[]): Promise<void> {
  // Two writers come one after the other: the second replaces the texts of the first.
  await to.query(sql`select version from text_progress for update`)
  await to.query(sql`delete from transaction_texts where hash = any(${texts.map(({ row }) => row.hash)}::bytea[])`)
  await to.query(sql`insert into transaction_texts (hash, version, lacks, accounts, text, bags, shared)
    select made.hash, ${version}::int2, made.lacks, made.accounts, made.text, made.bags, made.shared from unnest(
        ${texts.map(({ row }) => row.hash)}::bytea[], ${texts.map(({ row }) => row.mcSeqno)}::int4[],
        ${texts.map(({ row }) => row.block.shard)}::int8[], ${texts.map(({ row }) => row.block.seqno)}::int4[],
        ${texts.map(({ row }) => row.traceId)}::bytea[], ${texts.map(({ lacks }) => lacks)}::int2[],
        ${texts.map(({ accounts }) => accounts)}::bytea[], ${texts.map(({ text }) => text)}::text[],
        ${texts.map(({ bags }) => bags)}::bytea[], ${texts.map(({ shared }) => shared)}::bytea[]
      ) as made (hash, mc_seqno, shard, seqno, trace_id, lacks, accounts, text, bags, shared)
      join transactions t on t.hash = made.hash and t.mc_seqno = made.mc_seqno and t.shard = made.shard
        and t.seqno = made.seqno and t.trace_id = made.trace_id`)
}

/** Records that all transactions of some blocks have texts; false when one has none, or the progress has changed. */
export async function advanceTexts(to: Sql, was: TextProgressRow, { first, last }: BlockRange): Promise<boolean> {
  const rows = await to.query(sql`update text_progress p set
      first_mc_seqno = least(p.first_mc_seqno, ${first}::int4), last_mc_seqno = greatest(p.last_mc_seqno, ${last}::int4)
    where p.version = ${was.version} and p.first_mc_seqno = ${was.firstMcSeqno} and p.last_mc_seqno = ${was.lastMcSeqno}
      and not exists (select from transactions t left join transaction_texts x
          on x.hash = t.hash and x.version = p.version
        where t.mc_seqno between ${first} and ${last} and x.hash is null)
    returning p.version`)
  return rows.length === 1
}

/** Deletes the texts of transactions above a masterchain block, before these are deleted themselves. */
export async function forgetTexts(on: Sql, mcSeqno: number): Promise<void> {
  await on.query(sql`update text_progress set last_mc_seqno = least(last_mc_seqno, ${mcSeqno}::int4),
    first_mc_seqno = least(first_mc_seqno, ${mcSeqno + 1}::int4)`)
  await on.query(sql`delete from transaction_texts x using transactions t
    where t.mc_seqno > ${mcSeqno} and x.hash = t.hash`)
}
