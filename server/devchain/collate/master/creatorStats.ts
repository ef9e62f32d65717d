// How many blocks each validator has created, in total and with two fading memories. The zero key counts for all of them.

import { type Dict, emptyDict } from '../../../cell/index.ts'
import { type BlockCreateStats, type Counters, type CreatorStats, creatorStatsKind } from '../../../tlb/index.ts'

const FIXED_POINT = 32n
const SHORT_MEMORY = 2048
const LONG_MEMORY = 65536

const NEVER: Counters = { lastUpdated: 0, total: 0n, count2048: 0n, count65536: 0n }
const ALL_CREATORS = new Uint8Array(32)

function fade(count: bigint, seconds: number, memory: number): bigint {
  if (seconds <= 0) return count
  return BigInt(Math.round(Number(count) * Math.exp(-seconds / memory)))
}

function counted(before: Counters, blocks: number, utime: number): Counters {
  if (blocks === 0) return before
  const seconds = before.total === 0n ? 0 : utime - before.lastUpdated
  const more = BigInt(blocks) << FIXED_POINT
  return {
    lastUpdated: utime,
    total: before.total + BigInt(blocks),
    count2048: fade(before.count2048, seconds, SHORT_MEMORY) + more,
    count65536: fade(before.count65536, seconds, LONG_MEMORY) + more,
  }
}

export interface BlockCreators {
  readonly master: Uint8Array
  /** Null when no shard block is registered. */
  readonly shard: Uint8Array | null
}

/** Statistics after a masterchain block and the shard block it registers. */
export function updateCreatorStats(
  before: BlockCreateStats | null,
  { master, shard }: BlockCreators,
  utime: number,
): BlockCreateStats {
  let counters: Dict<Uint8Array, CreatorStats> =
    before?.kind === 'plain' ? before.counters : emptyDict(creatorStatsKind)
  const add = (key: Uint8Array, masterBlocks: number, shardBlocks: number) => {
    const known = counters.get(key) ?? { masterBlocks: NEVER, shardBlocks: NEVER }
    counters = counters.set(key, {
      masterBlocks: counted(known.masterBlocks, masterBlocks, utime),
      shardBlocks: counted(known.shardBlocks, shardBlocks, utime),
    })
  }
  add(master, 1, 0)
  if (shard !== null) add(shard, 0, 1)
  add(ALL_CREATORS, 1, shard === null ? 0 : 1)
  return { kind: 'plain', counters }
}
