// Pages of traces with the finished texts of their transactions, and names and tokens of the accounts in them: one statement.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { type ByteSpan, spanOf } from '../span.ts'
import { sql } from '../sql.ts'
import type { TransactionRow } from '../tables/chain.ts'
import { int4 } from '../tables/column.ts'
import { type TraceRow, traces } from '../tables/traces.ts'
import { MadeStatements } from './madeStatements.ts'
import { orderBy } from './order.ts'
import { type Page, type PagedRead, pageIn } from './page.ts'
import type { StoreRead } from './read.ts'
import { hashStart } from './shortKey.ts'
import { byPosition, isPart, ofAlias, RowKinds, type Sides, type SideWishes, sidesIn } from './sides.ts'
import {
  bagsIn,
  FROM_BAGS,
  foundIn,
  keysIn,
  OF_BAG,
  PARTS,
  placeIn,
  type StoredText,
  storedOf,
  TEXT_SPANS,
  type TransactionPlace,
} from './texts.ts'
import { byLt, SELECT_TRANSACTIONS } from './transactions.ts'

/** A transaction of a trace, with what decides its position there. */
export interface TraceText {
  readonly hash: ByteSpan
  readonly inMsgHash: ByteSpan | null
  readonly traceId: ByteSpan
  /** Or where it is, when none is stored. */
  readonly stored: StoredText | TransactionPlace
}

/** With names and tokens of the accounts in stored texts. */
export interface TraceTexts extends Sides {
  /** In the order they happened. */
  readonly found: readonly TraceText[]
}

export type PageOfTraces = TraceTexts & Page<TraceRow>

export interface TextWishes extends SideWishes {
  readonly version: number
}

/** Larger traces come without transactions; and so do all when these have more together. */
export interface MostTransactions {
  readonly ofTrace: number
  readonly ofPage: number
}

/** What a row is; its columns are those of its kind. */
const PART = { transaction: 0, trace: 4 } as const

const KINDS = new RowKinds({
  hash: 'bytea',
  mc_seqno: 'int4',
  workchain: 'int2',
  shard: 'int8',
  seqno: 'int4',
  in_msg_hash: 'bytea',
  of_trace: 'bytea',
  text: 'text',
  description: 'text',
  hashes: 'bytea',
  bags: 'bytea',
  digits: 'text',
  shared: 'bytea',
  ...Object.fromEntries(traces.columns.map(({ name, sqlType }) => [name, sqlType])),
})

const columnsOf = (part: keyof typeof PART, own: Readonly<Record<string, SqlText>>): SqlText =>
  KINDS.columns(PART[part], own)

const OF_PLACE = ['position', 'hash', 'mc_seqno', 'workchain', 'shard', 'seqno', 'in_msg_hash', 'trace_id']
const HASHES = ['hash', 'in_msg_hash', 'of_trace']

const TRANSACTIONS = sql`select ${columnsOf('transaction', {
  ...ofAlias('f', [...OF_PLACE.slice(0, -1), ...TEXT_SPANS]),
  of_trace: sql`f.trace_id`,
})}
  from (select ${sql.raw(OF_PLACE.map((name) => `f.${name}`).join(', '))}, ${PARTS} from found f) f`

const BAGS = sql`select ${columnsOf('transaction', {
  position: sql.raw(`${OF_BAG}::int4`),
  hash: sql`b.hash`,
  bags: sql`b.bag`,
})} ${FROM_BAGS}`

/** The accounts of all texts. */
const MENTIONED = sql`mentioned as materialized (
  select distinct on (1) k.key as account from (select ${keysIn(sql`f.accounts`, 33, sql`where f.text is not null`)}) k)`

const TRACES = sql`select ${columnsOf('trace', ofAlias('k', ['position', ...traces.columns.map(({ name }) => name)]))}
  from listed k`

/** What comes in front of the statement and behind it. */
interface Around {
  readonly before?: SqlText
  readonly rows?: SqlText
}

function textsOf(
  statement: SqlText,
  parts: TextWishes,
  { before = sql.empty, rows = sql.empty }: Around = {},
): SqlText {
  const { version, book, tokens } = parts
  const sides = KINDS.sides(parts)
  return sql.withSpans(
    sql`with ${before}${foundIn(statement, version)}${book || tokens ? sql`, ${MENTIONED}` : sql.empty}${sides.parts}
      ${TRANSACTIONS} union all ${BAGS} ${sides.rows} ${rows}`,
    [...TEXT_SPANS, ...HASHES],
  )
}

/** Rows come in any order. */
function textsIn(rows: readonly SqlRow[]): TraceTexts {
  const found: TraceText[] = []
  const own = rows.filter(isPart(PART.transaction))
  const bags = bagsIn(own)
  for (const row of own) {
    const position = int4.decode(row.position)
    if (position === OF_BAG) continue
    found[position - 1] = {
      hash: spanOf(row.hash),
      inMsgHash: row.in_msg_hash === null ? null : spanOf(row.in_msg_hash),
      traceId: spanOf(row.of_trace),
      stored: storedOf(row, bags) ?? placeIn(row),
    }
  }
  return { found, ...sidesIn(rows) }
}

/** Transactions of traces, in the order of the read. */
export async function readTraceTexts(
  from: Sql,
  { statement }: StoreRead<TransactionRow>,
  parts: TextWishes,
  options?: StatementOptions,
): Promise<TraceTexts> {
  return textsIn(await from.query(textsOf(statement, parts), options))
}

const made = new MadeStatements()

function makePageStatement(
  { statement, limit }: PagedRead<TraceRow>,
  { most, ...parts }: TextWishes & { readonly most: MostTransactions },
): SqlText {
  const listed = sql`listed as materialized (select k.*, (row_number() over ())::int4 as position from (${statement}) k),
    shown as materialized (select k.trace_id, k.nodes from listed k
      where k.position <= ${limit}::int4 and k.nodes <= ${most.ofTrace}::int4), `
  const transactionsOfPage = sql`${SELECT_TRANSACTIONS} where ${hashStart(sql`t.trace_id`)} = any(array(
      select ${hashStart(sql`s.trace_id`)} from shown s where (select sum(s.nodes) from shown s) <= ${most.ofPage}::int4))
    and coalesce(t.trace_id in (select s.trace_id from shown s), false) ${orderBy(byLt('asc'), sql`t`)}`
  const whole = textsOf(transactionsOfPage, parts, { before: listed, rows: sql`union all ${TRACES}` })
  return statement.isSteady === true ? sql.steady(whole) : whole
}

/** A page of traces with all transactions of those that are not too large. */
export async function readTracePage(
  from: Sql,
  read: PagedRead<TraceRow>,
  parts: TextWishes & { readonly most: MostTransactions },
  options?: StatementOptions,
): Promise<PageOfTraces> {
  const { statement, limit } = read
  const { version, book, tokens, most } = parts
  const values = [...statement.values, limit, most.ofTrace, most.ofPage, version]
  const whole = made.of(statement, [book, tokens], values, () => makePageStatement(read, parts))
  const rows = await from.query(whole, options)
  return { ...textsIn(rows), ...pageIn(read, rows.filter(isPart(PART.trace)).sort(byPosition)) }
}
