// How many bytes a list has together with the names and tokens next to it, of which none is read for it.

import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import type { TransactionRow } from '../tables/chain.ts'
import { type AccountKey, bytea, int8 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type AccountListFilter, listedAccounts } from './accounts.ts'
import { TOKEN_ROWS } from './assets/tokens.ts'
import { bytesKey } from './bytesKey.ts'
import { wholeBag } from './messages.ts'
import { accountsIn, type NamedColumns } from './namedPage.ts'
import { inRounds, readAll } from './read.ts'
import { HELD, type SideWishes } from './sides.ts'

const sizeOf = (bag: 'body' | 'init'): SqlText => sql`coalesce(octet_length(${wholeBag('m', bag)}), 0)`

const decodeBytes = decoderOf({ bytes: int8 })

async function readBytes(from: Sql, statement: SqlText, options?: StatementOptions): Promise<number> {
  const [found] = await readAll(from, { statement, toValue: decodeBytes }, options)
  return Number(found?.bytes ?? 0)
}

/** Of the messages that transactions sent and received. */
export function messageBytesOf(
  from: Sql,
  transactions: readonly TransactionRow[],
  options?: StatementOptions,
): Promise<number> {
  const hashes = transactions.map(({ hash }) => hash)
  const received = transactions.flatMap(({ inMsgHash }) => (inMsgHash === null ? [] : [inMsgHash]))
  const statement =
    sql.steady(sql`select coalesce(sum(${sizeOf('body')} + ${sizeOf('init')}), 0)::int8 as bytes from messages m
      where (m.out_tx_hash = any(${hashes}::bytea[]) and m.out_tx_hash is not null) or m.hash = any(${received}::bytea[])`)
  return readBytes(from, statement, options)
}

/** The same of all transactions of some masterchain blocks; a message between two of them counts twice. */
export function messageBytesOfBlocks(
  from: Sql,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<number> {
  const sizes = sql`select coalesce(sum(${sizeOf('body')} + ${sizeOf('init')}), 0) from messages m`
  const inBlocks = sql`from transactions t where t.mc_seqno >= ${first} and t.mc_seqno <= ${last}`
  return readBytes(
    from,
    sql`select ((${sizes} where m.out_tx_hash = any(array(select t.hash ${inBlocks})) and m.out_tx_hash is not null)
      + (${sizes} where m.hash = any(array(select t.in_msg_hash ${inBlocks}))))::int8 as bytes`,
  )
}

const decodeOwnBytes = decoderOf({ hash: bytea, bytes: int8 })

/** The same of each transaction, by the key of its hash. */
export async function messageBytesOfEach(
  from: Sql,
  transactions: readonly TransactionRow[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = sql`select coalesce(sum(${sizeOf('body')} + ${sizeOf('init')}), 0) from messages m`
  const found = await inRounds(transactions, (some) =>
    readAll(from, {
      statement: sql`select t.hash, ((${sizes} where m.out_tx_hash = t.hash and m.out_tx_hash is not null)
          + (${sizes} where m.hash = t.in_msg_hash))::int8 as bytes
        from transactions t where t.hash = any(${some.map(({ hash }) => hash)}::bytea[])`,
      toValue: decodeOwnBytes,
    }),
  )
  return new Map(found.map(({ hash, bytes }) => [bytesKey(hash), Number(bytes)]))
}

/** Of accounts: their code and data. */
export function accountBytesOf(from: Sql, filter: AccountListFilter, options?: StatementOptions): Promise<number> {
  const size = sql`select coalesce(sum(coalesce(octet_length(a.data), 0) + coalesce(octet_length(c.boc), 0)), 0)::int8 as bytes
      ${listedAccounts(filter)}`
  return readBytes(from, size, options)
}

/** A select, and those of its columns that can be large. */
interface SizedRows {
  /** By the alias `p`. */
  readonly from: SqlText
  readonly columns: NamedColumns['columns']
}

export interface SizedList {
  readonly statement: SqlText
  readonly named: NamedColumns
  /** What is written once for each of its rows, which are `page`. */
  readonly eachWith?: readonly SizedRows[]
}

/** Compressed JSON has at least this part of its length. */
const MOST_COMPRESSED = 256

/** What is read and written of an account in a list, with its name and without. */
const NAMED_BYTES = 500
const BARE_BYTES = 70

type Json = (value: SqlText) => SqlText

/** Of JSON as it is stored, which takes no time, and of the text, which is unpacked for it. */
const stored: Json = (value) => sql`pg_column_size(${value})`
const whole: Json = (value) => sql`octet_length(${value}::text)`

const sumOf = (sizes: readonly SqlText[], from: SqlText): SqlText =>
  sizes.length === 0
    ? sql`0`
    : sql`(select coalesce(sum(${sql.join(
        sizes.map((size) => sql`coalesce(${size}, 0)`),
        ' + ',
      )}), 0) from ${from})`

function sizesOf({ columns }: Pick<SizedRows, 'columns'>, book: boolean, json: Json): SqlText[] {
  const ofList = sql.raw(String(book ? NAMED_BYTES : BARE_BYTES))
  return columns.flatMap(({ name, sqlType, role }) => {
    const value = sql`p.${sql.identifier(name)}`
    if (role === 'search') return []
    if (sqlType === 'json') return [json(value)]
    if (sqlType === 'bytea[]') return [sql`cardinality(${value}) * ${ofList}`]
    return sqlType === 'bytea' || sqlType === 'text' ? [sql`octet_length(${value})`] : []
  })
}

const TOKENS = sql`, ${HELD}, tokens as materialized (${TOKEN_ROWS})`
const TOKEN_COLUMNS = [
  { name: 'content', sqlType: 'json' },
  { name: 'uri', sqlType: 'text' },
  { name: 'json', sqlType: 'json' },
]

/** Above `most` it may be less than there are. */
export function listBytesOf(
  from: Sql,
  list: SizedList,
  { book, tokens, most }: SideWishes & { readonly most: number },
  options?: StatementOptions,
): Promise<number> {
  const withTokens = tokens && list.named.accounts.length > 0
  const all: SizedRows[] = [
    { from: sql`page p`, columns: list.named.columns },
    ...(list.eachWith ?? []),
    ...(withTokens ? [{ from: sql`tokens p`, columns: TOKEN_COLUMNS }] : []),
  ]
  const total = (json: Json) =>
    sql.join(
      all.map((rows) => sumOf(sizesOf(rows, book, json), rows.from)),
      ' + ',
    )
  const mentioned = sql`, mentioned as materialized (
      select distinct m.account from (${accountsIn('page', list.named)}) m where m.account is not null)`
  const size = sql`with page as materialized (${list.statement})${withTokens ? sql`${mentioned}${TOKENS}` : sql.empty},
      stored as materialized (select ${total(stored)} as bytes)
    select (case when s.bytes > ${most} or s.bytes * ${sql.raw(String(MOST_COMPRESSED))} <= ${most} then s.bytes
      else ${total(whole)} end)::int8 as bytes from stored s`
  return readBytes(from, list.statement.isSteady === true ? sql.steady(size) : size, options)
}

/** A list of accounts and nothing else. */
export const accountsAlone = (accounts: readonly AccountKey[]): SizedList => ({
  statement: sql.steady(sql`select a.account from unnest(${accounts}::bytea[]) a (account)`),
  named: { columns: [{ name: 'account', sqlType: 'bytea' }], accounts: ['account'] },
})
