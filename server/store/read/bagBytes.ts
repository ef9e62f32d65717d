// How many bytes of bags of cells a list has, of which none is read for it.

import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import type { TransactionRow } from '../tables/chain.ts'
import { int8 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type AccountListFilter, listedAccounts } from './accounts.ts'
import { type messagesRead, wholeBag } from './messages.ts'
import { readAll } from './read.ts'

const sizeOf = (bag: 'body' | 'init'): SqlText => sql`coalesce(octet_length(${wholeBag('m', bag)}), 0)`

const decodeBytes = decoderOf({ bytes: int8 })

/** Of the messages that transactions sent and received. */
export async function messageBytesOf(
  from: Sql,
  transactions: readonly TransactionRow[],
  options?: StatementOptions,
): Promise<number> {
  const hashes = transactions.map(({ hash }) => hash)
  const received = transactions.flatMap(({ inMsgHash }) => (inMsgHash === null ? [] : [inMsgHash]))
  const statement =
    sql.steady(sql`select coalesce(sum(${sizeOf('body')} + ${sizeOf('init')}), 0)::int8 as bytes from messages m
      where (m.out_tx_hash = any(${hashes}::bytea[]) and m.out_tx_hash is not null) or m.hash = any(${received}::bytea[])`)
  const [found] = await readAll(from, { statement, toValue: decodeBytes }, options)
  return Number(found?.bytes ?? 0)
}

/** Of a page of messages. */
export async function pageBytesOf(
  from: Sql,
  { statement }: Pick<ReturnType<typeof messagesRead>, 'statement'>,
  options?: StatementOptions,
): Promise<number> {
  const size = sql`select coalesce(sum(coalesce(octet_length(p.body), 0) + coalesce(octet_length(p.init), 0)), 0)::int8 as bytes
      from (${statement}) p`
  const [found] = await readAll(from, { statement: size, toValue: decodeBytes }, options)
  return Number(found?.bytes ?? 0)
}

/** Of accounts: their code and data. */
export async function accountBytesOf(
  from: Sql,
  filter: AccountListFilter,
  options?: StatementOptions,
): Promise<number> {
  const size = sql`select coalesce(sum(coalesce(octet_length(a.data), 0) + coalesce(octet_length(c.boc), 0)), 0)::int8 as bytes
      ${listedAccounts(filter)}`
  const [found] = await readAll(from, { statement: size, toValue: decodeBytes }, options)
  return Number(found?.bytes ?? 0)
}
