// One masterchain block and the shard blocks it is the first to commit.

import type { Cell } from '../../cell/index.ts'
import type { BlockFacts } from '../../facts/index.ts'
import type { BlockIdExt } from '../../node/index.ts'

export interface ReadBlock {
  readonly id: BlockIdExt
  readonly root: Cell
  /** The block before it, or both halves of a merge. */
  readonly previous: readonly BlockIdExt[]
  readonly facts: BlockFacts
}

/** What a step leaves for the next one. */
export interface Tip {
  readonly id: BlockIdExt
  /** Names of the newest blocks of all shards. */
  readonly tops: ReadonlySet<string>
  /** Global version after the step; undefined before the first key block. */
  readonly globalVersion: number | undefined
}

export interface ChainStep {
  readonly master: ReadBlock
  /** By workchain, seqno and shard. */
  readonly shards: readonly ReadBlock[]
  readonly tip: Tip
}

/** A block's place in its chain, as the same text for signed and unsigned shards. */
export const blockPlaceOf = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): string =>
  `${workchain}:${BigInt.asUintN(64, shard).toString(16)}:${seqno}`

export const bySeqno = (a: ReadBlock, b: ReadBlock): number =>
  a.id.workchain - b.id.workchain || a.id.seqno - b.id.seqno || (a.id.shard < b.id.shard ? -1 : 1)
