// Blocks with their full headers.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type BlockRow, blocks } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { afterKey, byNumber, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, type PagedRead, type PageRequest, whereAll } from './page.ts'
import type { StoreRead } from './read.ts'
import { isTimed, type TimeAndLtBounds, timeFromLt, timeToLt, WHOLE_SHARD_PREFIX, withinBounds } from './timesOfLts.ts'

/** The bounds in seconds are of when they were made, those in logical time of where they begin. */
export interface BlockFilter extends TimeAndLtBounds {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly rootHash?: Uint8Array | undefined
  readonly fileHash?: Uint8Array | undefined
  /** Committed by this masterchain block. */
  readonly mcSeqno?: number | undefined
}

const COLUMNS = blocks.select('b')
/** Which block it is, as in `COLUMNS`, and the rest of the order. */
const NAME_COLUMNS = sql`b.workchain, b.shard, b.seqno, b.root_hash, b.file_hash, b.mc_seqno, b.gen_utime`

const { genUtime, seqno } = blocks.fields
const decodeTime = decoderOf({ genUtime })
const decodeSeqno = decoderOf({ seqno })

const byTime = (sort: SortDirection): RowOrder => [
  byNumber('gen_utime', sort),
  byNumber('mc_seqno', sort),
  byNumber('workchain', 'asc'),
  byNumber('shard', 'asc'),
  byNumber('seqno', sort),
]

const byPlace: RowOrder = [byNumber('workchain', 'asc'), byNumber('shard', 'asc'), byNumber('seqno', 'asc')]

function conditions(filter: BlockFilter): SqlText[] {
  const { workchain, shard, seqno, rootHash, fileHash, mcSeqno } = filter
  const parts: SqlText[] = []
  if (workchain !== undefined) parts.push(sql`b.workchain = ${workchain}::int4`)
  if (shard !== undefined) parts.push(sql`b.shard = ${shard}`)
  if (seqno !== undefined) parts.push(sql`b.seqno = ${seqno}`)
  if (rootHash !== undefined) parts.push(sql`b.root_hash = ${rootHash}`)
  if (fileHash !== undefined) parts.push(sql`b.file_hash = ${fileHash}`)
  if (mcSeqno !== undefined) parts.push(sql`b.mc_seqno = ${mcSeqno}`)
  return [...parts, ...withinBounds({ seconds: sql`b.gen_utime`, lt: sql`b.start_lt` }, filter)]
}

/** True when there is a block of it. The order makes that one lookup in an index; without it the table is scanned. */
export const hasWorkchain = (workchain: number): SqlText => sql`(
    select w.seqno from blocks w where w.workchain = ${workchain}::int4 order by w.shard, w.seqno limit 1
  ) is not null`

/** Bounds in logical time as bounds in seconds, by which the list is ordered. */
function timesOfLts({ startLt, endLt }: BlockFilter): SqlText[] {
  const parts: SqlText[] = []
  if (startLt !== undefined) parts.push(sql`b.gen_utime >= ${timeFromLt(startLt)}`)
  if (endLt !== undefined) parts.push(sql`b.gen_utime <= ${timeToLt(endLt)}`)
  return parts
}

/** Whether the filter matches few blocks. */
const isNarrow = ({ seqno, rootHash, fileHash, mcSeqno }: BlockFilter): boolean =>
  seqno !== undefined || rootHash !== undefined || fileHash !== undefined || mcSeqno !== undefined

/** True when there is a block of that shard. */
export const hasShard = (workchain: SqlText, shard: bigint): SqlText => sql`(
    select w.seqno from blocks w where w.workchain = ${workchain} and w.shard = ${shard} order by w.seqno limit 1
  ) is not null`

/**
 * Whether the list has one way for all values: all blocks, those of a shard, a masterchain block's, or one by its name, each along one
 * index in this order. To plan such a list takes as long as to read it.
 */
function isSteady({ workchain, shard, ...filter }: BlockFilter): boolean {
  const isOfShard = workchain !== undefined && shard !== undefined
  const given = Object.values(filter).filter((one) => one !== undefined)
  if (isOfShard) return given.length === 0 || (given.length === 1 && filter.seqno !== undefined)
  const isNamed = [filter.rootHash, filter.fileHash, filter.mcSeqno].some((one) => one !== undefined)
  return workchain === undefined && shard === undefined && (given.length === 0 || (given.length === 1 && isNamed))
}

type BlockList = Omit<PagedRead<BlockRow>, 'toValue'>

/** Only the basechain is split. Without a workchain no index leads to a shard, and all blocks would be looked at for an old one. */
const workchainOf = ({ workchain, shard }: BlockFilter): number | undefined =>
  workchain === undefined && shard !== undefined && shard !== WHOLE_SHARD_PREFIX ? 0 : workchain

function listOf(columns: SqlText, given: BlockFilter, request: PageRequest, sort: SortDirection | null): BlockList {
  const filter = { ...given, workchain: workchainOf(given) }
  const order = sort === null ? byPlace : byTime(sort)
  const parts = conditions(filter)
  // Without that, a list of a workchain without blocks scans the index of times from end to end.
  if (filter.workchain !== undefined) parts.push(hasWorkchain(filter.workchain))
  if (!isNarrow(filter) && !isTimed(filter)) parts.push(...timesOfLts(filter))
  if (request.after !== null) parts.push(afterKey(order, request.after, sql`b`))
  const statement = sql`select ${columns} from blocks b ${whereAll(parts)} ${orderBy(order, sql`b`)} ${bounds(request)}`
  return { statement: isSteady(filter) ? sql.steady(statement) : statement, order, limit: request.limit }
}

/** A page of blocks by time; without `sort` by workchain, shard and seqno, for filters that match few. */
export const blocksRead = (
  filter: BlockFilter,
  request: PageRequest,
  sort: SortDirection | null,
): PagedRead<BlockRow> => ({ ...listOf(COLUMNS, filter, request, sort), toValue: blocks.decode })

/** The same page, of each block only which one it is. */
export const blockNamesRead = (filter: BlockFilter, request: PageRequest, sort: SortDirection | null): BlockList =>
  listOf(NAME_COLUMNS, filter, request, sort)

/** A masterchain block and the newest block of each shard as of then; empty when it is not indexed. */
export const shardStateRead = (mcSeqno: number): StoreRead<BlockRow> => ({
  statement: sql.steady(sql`select ${COLUMNS} from shard_tops s
    join blocks b on b.workchain = s.workchain and b.shard = s.shard and b.seqno = s.seqno
    where s.mc_seqno = ${mcSeqno} ${orderBy(byPlace, sql`b`)}`),
  toValue: blocks.decode,
})

/** The first and the last indexed masterchain block; one when they are the same, none in an empty index. */
export const indexedRead = (): StoreRead<BlockRow> => ({
  statement: sql.steady(sql`select ${COLUMNS} from indexer_cursor c
    join blocks b on b.seqno in (greatest(c.first_mc_seqno, c.pruned_before), c.last_mc_seqno)
    where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX} order by b.seqno`),
  toValue: blocks.decode,
})

const decodeKept = decoderOf({ seqno, genUtime, startLt: blocks.fields.startLt })

/** The first masterchain block that is kept, and where it and the blocks it committed begin. */
export type KeptFrom = ReturnType<typeof decodeKept>

/** None where no blocks were removed. */
export const keptFromRead = (): StoreRead<KeptFrom> => ({
  statement: sql.steady(sql`select c.pruned_before as seqno, min(b.gen_utime) as gen_utime, min(b.start_lt) as start_lt
    from indexer_cursor c join blocks b on b.mc_seqno = c.pruned_before group by c.pruned_before`),
  toValue: decodeKept,
})

/** Time of the last indexed masterchain block, unix seconds; none in an empty index. */
export const indexTimeRead = (): StoreRead<number> => ({
  statement: sql`select b.gen_utime from indexer_cursor c join blocks b on b.seqno = c.last_mc_seqno
    where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX}`,
  toValue: (row) => decodeTime(row).genUtime,
})

/** The same seqno when that masterchain block is indexed. */
export const masterRead = (seqno: number): StoreRead<number> => ({
  statement: sql.steady(
    sql`select b.seqno from blocks b where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX} and b.seqno = ${seqno}`,
  ),
  toValue: (row) => decodeSeqno(row).seqno,
})
