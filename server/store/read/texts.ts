// Pages of transactions by their finished texts, and the names of accounts in them: one statement, whatever the filter.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { type ByteSpan, charsOfSpan, spanOf } from '../span.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { int4 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type BlockRange, LACKS, type TextProgressRow, textProgress } from '../tables/texts.ts'
import { BOOK_DOMAIN, decodeNamed, type NamedAccount } from './accounts.ts'
import { bytesKey } from './bytesKey.ts'
import { MadeStatements } from './madeStatements.ts'
import { type PageKey, pageKeyOf, type RowOrder } from './order.ts'
import type { StoreRead } from './read.ts'
import { SELECT_TRANSACTIONS } from './transactions.ts'

const { block, mcSeqno } = transactions.fields

/** Where a transaction without a text is. */
export type TransactionPlace = Pick<TransactionRow, 'hash' | 'mcSeqno' | 'block'>

export interface StoredText {
  readonly text: ByteSpan
  /** Keys of the accounts whose names are listed next to it, one after the other. */
  readonly accounts: ByteSpan
  /** What the text leaves out: the description, and hashes of the row and its numbers, see `hashesOfRow` and `numbersOfRow`. */
  readonly description: ByteSpan
  readonly hashes: ByteSpan
  /** In digits, with spaces between them. */
  readonly digits: ByteSpan
  /** One after the other. */
  readonly bags: ByteSpan
  /** Bags that are stored apart. */
  readonly shared: readonly ByteSpan[]
}

/** Hashes that the text of a transaction leaves out, in the order the database has them in. */
export const hashesOfRow = (row: TransactionRow): Uint8Array[] =>
  [
    row.hash,
    row.prevHash,
    row.stateBefore,
    row.stateAfter,
    row.traceId,
    row.inMsgHash,
    row.inBodyHash,
    row.traceExternalHash,
  ].filter((one) => one !== null)

const HASHES = sql`p.hash || p.prev_hash || p.state_before || p.state_after || p.trace_id
  || coalesce(p.in_msg_hash, '') || coalesce(p.in_body_hash, '') || coalesce(p.trace_external_hash, '')`

/** In digits: the first of `numbersOfRow`. */
const NUMBERS = sql`concat_ws(' ', p.lt, p.prev_lt, p.now, p.mc_seqno, p.seqno, p.total_fees)`

export interface TextPage {
  /** In the order of the list. */
  readonly found: readonly (StoredText | TransactionPlace)[]
  readonly book: readonly NamedAccount[]
  readonly next: PageKey | null
}

export interface TextParts {
  readonly version: number
  /** Whether names of accounts are read. */
  readonly book: boolean
}

/** A list of transactions, or a page of one. */
export interface TextSource extends StoreRead<TransactionRow> {
  readonly order?: RowOrder
  readonly limit?: number
}

/** True for a state that a text lacks, by this bit, and that is indexed now: one look-up in the index, where a list of both needs a bitmap. */
const isKnownNow = (bit: number, hash: SqlText): SqlText =>
  sql`x.lacks & ${sql.raw(String(bit))} <> 0 and (select s.hash from account_states s where s.hash = ${hash} limit 1) is not null`

/** True for a text that was made before a state that it would show was indexed. */
const OUTDATED = sql`x.lacks <> 0 and (${isKnownNow(LACKS.stateBefore, sql`p.state_before`)}
  or ${isKnownNow(LACKS.stateAfter, sql`p.state_after`)})`

/** Of rows with a text only the last one's columns are needed, for the cursor. */
const PLACE = ['hash', 'mc_seqno', 'workchain', 'shard', 'seqno', 'lt', 'now', 'account']

const PLACE_COLUMNS = sql.join(
  PLACE.map((name) => {
    const column = sql.identifier(name)
    return sql`case when f.text is null or f.is_last then f.${column} end as ${column}`
  }),
)

const NO_PLACE = sql`null::bytea, null::int4, null::int2, null::int8, null::int4, null::int8, null::int8, null::bytea`

/** Keys of one size, cut out of all values of a column joined: a function for each row takes longer. */
export const keysIn = (column: SqlText, bytes: number, where: SqlText = sql.empty): SqlText => {
  const size = sql.raw(String(bytes))
  return sql`substring(f.keys from ${size} * i + 1 for ${size}) as key
    from (select string_agg(${column}, ''::bytea) as keys from found f ${where}) f
    cross join lateral generate_series(0, octet_length(f.keys) / ${size} - 1) i`
}

/** The accounts of all texts. As an array, so that they are looked up by it whatever number of them the planner expects. */
const ACCOUNTS = sql`any(array(select ${keysIn(sql`f.accounts`, 33)}))`

const BOOK = sql`select null::int4, ${NO_PLACE}, null::text, a.account, null::text, null::bytea, null::bytea,
    null::text, null::bytea, a.code_hash, c.interfaces, ${BOOK_DOMAIN}
  from accounts a left join codes c on c.hash = a.code_hash where a.account = ${ACCOUNTS}`

/** The position of rows that are no transactions: bags that the texts have in common. */
export const OF_BAG = -1
const BAG_POSITION = sql.raw(`${OF_BAG}::int4`)

const BAG_PARTS = sql`null::text, null::bytea, null::text, null::bytea, b.bag, null::text, null::bytea`

export const FROM_BAGS = sql`from shared_bags b
  where b.hash = any(array(select distinct on (1) ${keysIn(sql`f.shared`, 32, sql`where f.text is not null`)}))`

/** With the hash where a transaction has its own. */
const BAGS = sql`select ${BAG_POSITION}, b.hash, null::int4, null::int2, null::int8, null::int4, null::int8, null::int8,
  null::bytea, ${BAG_PARTS}, null::bytea, null::text[], null::text ${FROM_BAGS}`

/**
 * The rows of a list as `found`, with their positions in it and their texts. Each text by itself along the index: joined, the planner
 * reads all texts when it expects a long page, which it does without statistics or without the values. The page is materialized: as a
 * part of `found`, it was read by parallel workers, whose rows the planner counts too low, and along the order of all transactions.
 */
export const foundIn = (statement: SqlText, version: number): SqlText => sql`page as materialized (
      select p.hash, p.mc_seqno, p.workchain, p.shard, p.seqno, p.lt, p.now, p.account, p.state_before, p.state_after,
        p.in_msg_hash, p.trace_id, p.description, ${HASHES} as hashes, ${NUMBERS} as digits,
        (row_number() over ())::int4 as position
      from (${statement}) p
    ), found as materialized (
      select p.position, p.hash, p.mc_seqno, p.workchain, p.shard, p.seqno, p.lt, p.now, p.account, p.in_msg_hash,
        p.trace_id, p.description, p.hashes, p.digits, p.account || x.accounts as accounts, x.bags, x.shared,
        case when x.text <> '' and not (${OUTDATED}) then x.text end as text
      from page p left join lateral (select * from transaction_texts x
        where x.hash = p.hash and x.version = ${version}::int2 limit 1) x on true
    )`

/** Columns that complete a text; null for a transaction without one. */
export const PARTS = sql`f.text, case when f.text is not null then f.accounts end as accounts,
  case when f.text is not null then f.description end as description,
  case when f.text is not null then f.hashes end as hashes, case when f.text is not null then f.bags end as bags,
  case when f.text is not null then f.digits end as digits,
  case when f.text is not null then f.shared end as shared`

/** Columns of texts, which become bytes of an answer. Those of `PARTS`, but for the key of an account in a row of the book. */
export const TEXT_SPANS = ['text', 'accounts', 'description', 'hashes', 'bags', 'digits', 'shared']

const made = new MadeStatements()

/** The statement of such a page: a row of each transaction, then one of each account. */
function makeTextStatement({ statement, limit = 0 }: TextSource, { version, book }: TextParts): SqlText {
  const whole = sql`with ${foundIn(statement, version)}
    select f.position, ${PLACE_COLUMNS}, ${PARTS},
      null::bytea as code_hash, null::text[] as interfaces, null::text as domain
    from (select *, position = ${limit}::int4 as is_last from found) f
      union all ${BAGS} ${book ? sql`union all ${BOOK}` : sql.empty}`
  return sql.withSpans(statement.isSteady === true ? sql.steady(whole) : whole, TEXT_SPANS)
}

function textStatement(source: TextSource, parts: TextParts): SqlText {
  const { statement, limit = 0 } = source
  const values = [...statement.values, parts.version, limit]
  return made.of(statement, [parts.book], values, () => makeTextStatement(source, parts))
}

const decodeBlock = decoderOf({ mcSeqno, block })

export function placeIn(row: SqlRow): TransactionPlace {
  const { source, at, end } = spanOf(row.hash)
  return { hash: source.slice(at, end), ...decodeBlock(row) }
}

/** By the hash, the bags of a page. */
export function bagsIn(rows: readonly SqlRow[]): ReadonlyMap<string, ByteSpan> {
  const found = rows.filter(({ position }) => position === OF_BAG)
  return new Map(found.map((row) => [charsOfSpan(spanOf(row.hash)), spanOf(row.bags)]))
}

const HASH_BYTES = 32
const NO_BAGS: readonly ByteSpan[] = []

function sharedBy({ source, at, end }: ByteSpan, bags: ReadonlyMap<string, ByteSpan>): readonly ByteSpan[] {
  if (at === end) return NO_BAGS
  return Array.from({ length: (end - at) / HASH_BYTES }, (_, i) => {
    const from = at + i * HASH_BYTES
    const bag = bags.get(bytesKey(source.subarray(from, from + HASH_BYTES)))
    if (bag === undefined) throw new Error('A stored text without a bag of cells that it has')
    return bag
  })
}

export function storedOf(row: SqlRow, bagsOfPage: ReadonlyMap<string, ByteSpan>): StoredText | null {
  if (row.text === null) return null
  return {
    text: spanOf(row.text),
    accounts: spanOf(row.accounts),
    description: spanOf(row.description),
    hashes: spanOf(row.hashes),
    bags: spanOf(row.bags),
    digits: spanOf(row.digits),
    shared: sharedBy(spanOf(row.shared), bagsOfPage),
  }
}

export async function readTexts(
  from: Sql,
  source: TextSource,
  parts: TextParts,
  options?: StatementOptions,
): Promise<TextPage> {
  const found: (StoredText | TransactionPlace)[] = []
  const book: NamedAccount[] = []
  const { order = [], limit = Number.POSITIVE_INFINITY } = source
  let last: SqlRow | null = null
  let count = 0
  const rows = await from.query(textStatement(source, parts), options)
  const bags = bagsIn(rows)
  for (const row of rows) {
    if (row.position === null) {
      book.push(decodeNamed(row))
      continue
    }
    const position = int4.decode(row.position)
    if (position === OF_BAG) continue
    count++
    if (position === limit) last = row
    // Rows come in any order: the list's own is in their positions.
    if (position <= limit) found[position - 1] = storedOf(row, bags) ?? placeIn(row)
  }
  return { found, book, next: last !== null && count > limit ? pageKeyOf(order, last) : null }
}

/** Progress of the texts; null before the first one. */
export async function readTextProgress(from: Sql): Promise<TextProgressRow | null> {
  const [row] = await from.query(sql`select ${textProgress.select('p')} from text_progress p`)
  return row === undefined ? null : textProgress.decode(row)
}

/** Transactions of some masterchain blocks in the order of these, or backwards. */
export const rowsToWriteRead = (
  { first, last }: BlockRange,
  direction: 'asc' | 'desc',
  limit: number | null,
): StoreRead<TransactionRow> => {
  const to = sql.identifier(direction)
  return {
    statement: sql`${SELECT_TRANSACTIONS} where t.mc_seqno between ${first} and ${last}
      order by t.mc_seqno ${to}, t.lt ${to}, t.account ${to} ${limit === null ? sql.empty : sql`limit ${limit}`}`,
    toValue: transactions.decode,
  }
}
