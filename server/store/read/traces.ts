// Traces that are complete, by what they contain or when they ended.

import type { Row, SqlText } from '../database.ts'
import type { AccountKey, ClassificationState, TraceRow, TraceState } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Read } from './read.ts'

export interface TraceFilter {
  /** With a transaction of this account. */
  readonly account?: AccountKey | undefined
  readonly traceIds?: readonly Uint8Array[] | undefined
  /** With one of these transactions. */
  readonly txHashes?: readonly Uint8Array[] | undefined
  /** With one of these messages, by either of their hashes. */
  readonly msgHashes?: readonly Uint8Array[] | undefined
  /** Ended in this masterchain block. */
  readonly mcSeqno?: number | undefined
  /** When they ended, bounds included. */
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
}

/** Where a trace stands in a list: behind its end, by its id. */
export interface TracePlace {
  /** Its last logical time, or its last second in a list by time. */
  readonly end: bigint
  readonly traceId: Uint8Array
}

export interface TracePage {
  readonly limit: number
  readonly offset: number
  readonly sort: 'asc' | 'desc'
  /** Only what comes behind it. */
  readonly after?: TracePlace | undefined
}

const COLUMNS =
  sql.raw(`k.trace_id, k.external_hash, k.mc_seqno_start, k.mc_seqno_end, k.start_lt, k.start_utime, k.end_lt,
  k.end_utime, k.state, k.pending_edges, k.edges, k.nodes, k.classification`)

// The casts: the columns above are of these types.
const traceOf = (row: Row): TraceRow => ({
  traceId: row.trace_id as Uint8Array,
  externalHash: row.external_hash as Uint8Array | null,
  mcSeqnoStart: row.mc_seqno_start as number,
  mcSeqnoEnd: row.mc_seqno_end as number,
  startLt: row.start_lt as bigint,
  startUtime: Number(row.start_utime),
  endLt: row.end_lt as bigint,
  endUtime: Number(row.end_utime),
  state: row.state as TraceState,
  pendingEdges: row.pending_edges as number,
  edges: row.edges as number,
  nodes: row.nodes as number,
  classification: row.classification as ClassificationState,
})

/** Lists with a bound in seconds are ordered by seconds. */
export const isByTime = ({ startUtime, endUtime }: TraceFilter): boolean =>
  startUtime !== undefined || endUtime !== undefined

/** What bounds the ends of the rows `k`, and where the page begins. */
function bounds(filter: TraceFilter, { after, sort }: TracePage): SqlText[] {
  const { startUtime, endUtime, startLt, endLt } = filter
  const parts: SqlText[] = []
  if (startUtime !== undefined) parts.push(sql`k.end_utime >= ${startUtime}`)
  if (endUtime !== undefined) parts.push(sql`k.end_utime <= ${endUtime}`)
  if (startLt !== undefined) parts.push(sql`k.end_lt >= ${startLt}`)
  if (endLt !== undefined) parts.push(sql`k.end_lt <= ${endLt}`)
  if (after !== undefined) {
    const order = isByTime(filter) ? sql`(k.end_utime, k.trace_id)` : sql`(k.end_lt, k.trace_id)`
    parts.push(sql`${order} ${sql.raw(sort === 'desc' ? '<' : '>')} (${after.end}, ${after.traceId})`)
  }
  return parts
}

function orderOf(filter: TraceFilter, sort: TracePage['sort']): SqlText {
  const [end, dir] = [isByTime(filter) ? sql`k.end_utime` : sql`k.end_lt`, sql.name(sort)]
  return sql`order by ${end} ${dir}, k.trace_id ${dir}`
}

/** An account has an index of its own, in the order of its list: the page is cut there, and only then read. */
function ofAccount(account: AccountKey, filter: TraceFilter, page: TracePage): SqlText {
  const order = orderOf(filter, page.sort)
  const where = sql.join([sql`k.account = ${account}`, ...bounds(filter, page)], ' and ')
  return sql`select ${COLUMNS} from (
      select k.trace_id from trace_accounts k
      where ${where} ${order} limit ${page.limit} offset ${page.offset}
    ) page join traces k on k.trace_id = page.trace_id ${order}`
}

/** By the message's hash, and by the one it has however it was put together. */
const containing = (msgHashes: readonly Uint8Array[]): SqlText => sql`k.trace_id in (
    with named as (
      select hash, out_tx_hash from messages where hash = any(${msgHashes})
      union
      select hash, out_tx_hash from messages where hash_norm = any(${msgHashes})
    )
    select x.trace_id from named n join transactions x on x.in_msg_hash = n.hash
    union
    select x.trace_id from named n join transactions x on x.hash = n.out_tx_hash
  )`

function inGeneral(filter: TraceFilter, page: TracePage): SqlText {
  const { account, traceIds, txHashes, msgHashes, mcSeqno } = filter
  const parts = [sql`k.state = 'complete'`, ...bounds(filter, page)]
  if (mcSeqno !== undefined) parts.push(sql`k.mc_seqno_end = ${mcSeqno}`)
  if (traceIds !== undefined) parts.push(sql`k.trace_id = any(${traceIds})`)
  if (txHashes !== undefined)
    parts.push(sql`k.trace_id in (select x.trace_id from transactions x where x.hash = any(${txHashes}))`)
  if (msgHashes !== undefined) parts.push(containing(msgHashes))
  if (account !== undefined)
    parts.push(sql`exists (select from trace_accounts a where a.account = ${account} and a.trace_id = k.trace_id)`)
  return sql`select ${COLUMNS} from traces k
    where ${sql.join(parts, ' and ')} ${orderOf(filter, page.sort)} limit ${page.limit} offset ${page.offset}`
}

/** A page of complete traces: by their ends, then by their ids. */
export const tracesRead = (filter: TraceFilter, page: TracePage): Read<TraceRow> => ({
  // Few traces end in one masterchain block: those are looked through for the account, not the account's for the block.
  statement:
    filter.account !== undefined && filter.mcSeqno === undefined
      ? ofAccount(filter.account, filter, page)
      : inGeneral(filter, page),
  toValue: traceOf,
})
