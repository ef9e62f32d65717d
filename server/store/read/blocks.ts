// Blocks with their full headers.

import type { Row, SqlText } from '../database.ts'
import type { BlockKey, BlockRow } from '../rows.ts'
import { sql } from '../sql.ts'
import { behind, byNumber, type Direction, type Order, orderBy } from './order.ts'
import { bounds, type PageAsk, type PagedRead } from './page.ts'
import type { Read } from './read.ts'

export interface BlockFilter {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly rootHash?: Uint8Array | undefined
  readonly fileHash?: Uint8Array | undefined
  /** Committed by this masterchain block. */
  readonly mcSeqno?: number | undefined
  /** When they were made, bounds included. */
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  /** Where they begin, bounds included. */
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
}

/** The shard of the masterchain, and of a workchain that is not split. */
export const WHOLE = -(2n ** 63n)

const COLUMNS = sql.raw(`b.workchain, b.shard, b.seqno, b.root_hash, b.file_hash, b.mc_seqno, b.global_id, b.version,
  b.flags, b.after_merge, b.before_split, b.after_split, b.want_merge, b.want_split, b.key_block, b.vert_seqno_incr,
  b.vert_seqno, b.gen_utime, b.start_lt, b.end_lt, b.validator_list_hash_short, b.gen_catchain_seqno,
  b.min_ref_mc_seqno, b.prev_key_block_seqno, b.master_ref_seqno, b.rand_seed, b.created_by, b.tx_count, b.prev_blocks`)

interface PreviousJson {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
}

// The casts, here and below: it was written from such a list.
const previousOf = (json: string): BlockKey[] =>
  (JSON.parse(json) as PreviousJson[]).map(({ workchain, shard, seqno }) => ({
    workchain,
    shard: BigInt(shard),
    seqno,
  }))

const blockOf = (row: Row): BlockRow => ({
  workchain: row.workchain as number,
  shard: row.shard as bigint,
  seqno: row.seqno as number,
  rootHash: row.root_hash as Uint8Array,
  fileHash: row.file_hash as Uint8Array,
  mcSeqno: row.mc_seqno as number,
  globalId: row.global_id as number,
  version: Number(row.version),
  flags: row.flags as number,
  afterMerge: row.after_merge as boolean,
  beforeSplit: row.before_split as boolean,
  afterSplit: row.after_split as boolean,
  wantMerge: row.want_merge as boolean,
  wantSplit: row.want_split as boolean,
  keyBlock: row.key_block as boolean,
  vertSeqnoIncr: row.vert_seqno_incr as boolean,
  vertSeqno: Number(row.vert_seqno),
  genUtime: Number(row.gen_utime),
  startLt: row.start_lt as bigint,
  endLt: row.end_lt as bigint,
  validatorListHashShort: row.validator_list_hash_short as number,
  genCatchainSeqno: Number(row.gen_catchain_seqno),
  minRefMcSeqno: row.min_ref_mc_seqno as number,
  prevKeyBlockSeqno: Number(row.prev_key_block_seqno),
  masterRefSeqno: Number(row.master_ref_seqno),
  randSeed: row.rand_seed as Uint8Array,
  createdBy: row.created_by as Uint8Array,
  txCount: row.tx_count as number,
  prevBlocks: previousOf(row.prev_blocks as string),
})

const byTime = (sort: Direction): Order => [
  byNumber('gen_utime', sort),
  byNumber('mc_seqno', sort),
  byNumber('workchain', 'asc'),
  byNumber('shard', 'asc'),
  byNumber('seqno', sort),
]

const byPlace: Order = [byNumber('workchain', 'asc'), byNumber('shard', 'asc'), byNumber('seqno', 'asc')]

function conditions(filter: BlockFilter): SqlText[] {
  const { workchain, shard, seqno, rootHash, fileHash, mcSeqno, startUtime, endUtime, startLt, endLt } = filter
  const parts: SqlText[] = []
  if (workchain !== undefined) parts.push(sql`b.workchain = ${workchain}::int4`)
  if (shard !== undefined) parts.push(sql`b.shard = ${shard}`)
  if (seqno !== undefined) parts.push(sql`b.seqno = ${seqno}`)
  if (rootHash !== undefined) parts.push(sql`b.root_hash = ${rootHash}`)
  if (fileHash !== undefined) parts.push(sql`b.file_hash = ${fileHash}`)
  if (mcSeqno !== undefined) parts.push(sql`b.mc_seqno = ${mcSeqno}`)
  if (startUtime !== undefined) parts.push(sql`b.gen_utime >= ${startUtime}`)
  if (endUtime !== undefined) parts.push(sql`b.gen_utime <= ${endUtime}`)
  if (startLt !== undefined) parts.push(sql`b.start_lt >= ${startLt}`)
  if (endLt !== undefined) parts.push(sql`b.start_lt <= ${endLt}`)
  return parts
}

/** True when there is a block of it. With an order it is looked up; without one the table would be gone through. */
export const hasWorkchain = (workchain: number): SqlText => sql`(
    select w.seqno from blocks w where w.workchain = ${workchain}::int4 order by w.shard, w.seqno limit 1
  ) is not null`

/** Each shard there is or was, found by going from one to the next in the index. */
const SHARDS = sql`with recursive shards as (
    (select b.workchain, b.shard from blocks b order by b.workchain, b.shard limit 1)
    union all
    select n.workchain, n.shard from shards s cross join lateral (
      select b.workchain, b.shard from blocks b where (b.workchain, b.shard) > (s.workchain, s.shard)
      order by b.workchain, b.shard limit 1
    ) n
  )`

/** The blocks next to a logical time, one of each shard. */
const nextTo = (bound: SqlText, direction: Direction): SqlText => sql`shards s cross join lateral (
    select b.gen_utime from blocks b where b.workchain = s.workchain and b.shard = s.shard and ${bound}
    order by b.start_lt ${sql.identifier(direction)} limit 1
  ) n`

/**
 * Bounds in logical time, said in the time the list is ordered by: in a shard both only grow, so no block that fits is
 * older than the first that fits of each shard, nor newer than the last.
 */
function timesOfLts({ startLt, endLt }: BlockFilter): SqlText[] {
  const parts: SqlText[] = []
  if (startLt !== undefined) {
    const first = nextTo(sql`b.start_lt >= ${startLt}`, 'asc')
    parts.push(sql`b.gen_utime >= (${SHARDS} select min(n.gen_utime) from ${first})`)
  }
  if (endLt !== undefined) {
    const last = nextTo(sql`b.start_lt <= ${endLt}`, 'desc')
    parts.push(sql`b.gen_utime <= (${SHARDS} select max(n.gen_utime) from ${last})`)
  }
  return parts
}

/** Whether the filter names few blocks. */
const isNarrow = ({ seqno, rootHash, fileHash, mcSeqno }: BlockFilter): boolean =>
  seqno !== undefined || rootHash !== undefined || fileHash !== undefined || mcSeqno !== undefined

/** True when there is a block of that shard. */
export const hasShard = (workchain: SqlText, shard: bigint): SqlText => sql`(
    select w.seqno from blocks w where w.workchain = ${workchain} and w.shard = ${shard} order by w.seqno limit 1
  ) is not null`

/** A page of blocks by time; without `sort` by workchain, shard and seqno, which is for lists of few. */
export function blocksRead(filter: BlockFilter, ask: PageAsk, sort: Direction | null): PagedRead<BlockRow> {
  const order = sort === null ? byPlace : byTime(sort)
  const parts = conditions(filter)
  // Of a workchain that is not there, nothing is looked for from one end of time to the other.
  if (filter.workchain !== undefined) parts.push(hasWorkchain(filter.workchain))
  if (!isNarrow(filter)) parts.push(...timesOfLts(filter))
  if (ask.after !== null) parts.push(behind(order, ask.after, sql`b`))
  const where = parts.length === 0 ? sql.empty : sql`where ${sql.join(parts, ' and ')}`
  return {
    statement: sql`select ${COLUMNS} from blocks b ${where} ${orderBy(order, sql`b`)} ${bounds(ask)}`,
    toValue: blockOf,
    order,
    limit: ask.limit,
  }
}

/** A masterchain block and the newest block of each shard as of then; empty when it is not indexed. */
export const shardStateRead = (mcSeqno: number): Read<BlockRow> => ({
  statement: sql`select ${COLUMNS} from shard_tops s
    join blocks b on b.workchain = s.workchain and b.shard = s.shard and b.seqno = s.seqno
    where s.mc_seqno = ${mcSeqno} ${orderBy(byPlace, sql`b`)}`,
  toValue: blockOf,
})

/** The first masterchain block that is indexed and the last; one when they are the same, none when nothing is. */
export const indexedRead = (): Read<BlockRow> => ({
  statement: sql`select ${COLUMNS} from indexer_cursor c
    join blocks b on b.seqno in (c.first_mc_seqno, c.last_mc_seqno)
    where b.workchain = -1 and b.shard = ${WHOLE} order by b.seqno`,
  toValue: blockOf,
})

/** When the last masterchain block was made that is indexed, unix seconds; none when nothing is. */
export const indexTimeRead = (): Read<number> => ({
  statement: sql`select b.gen_utime from indexer_cursor c join blocks b on b.seqno = c.last_mc_seqno
    where b.workchain = -1 and b.shard = ${WHOLE}`,
  toValue: (row) => Number(row.gen_utime),
})

/** Its seqno when that masterchain block is indexed. */
export const masterRead = (seqno: number): Read<number> => ({
  statement: sql`select b.seqno from blocks b where b.workchain = -1 and b.shard = ${WHOLE} and b.seqno = ${seqno}`,
  toValue: (row) => row.seqno as number,
})
