// One masterchain block and the shard blocks it is the first to commit.

import type { BinaryHash, Cell } from '../../cell/index.ts'
import type { BlockFacts } from '../../facts/index.ts'
import type { BlockIdExt } from '../../node/index.ts'

/** Without the cells it was read from: several steps are in memory until they are written. */
export interface StepBlock {
  readonly id: BlockIdExt
  /** The block before it, or both halves of a merge. */
  readonly previous: readonly BlockIdExt[]
  readonly facts: Omit<BlockFacts, 'accounts'>
  /** Internal messages that arrived as just sent, though no transaction of the block sent them. */
  readonly fromNobody: ReadonlySet<BinaryHash>
  /** The whole of a key block, which carries the configuration; null for others. */
  readonly keyRoot: Cell | null
}

/** A block as it was parsed: its accounts still hold their cells. */
export interface ReadBlock extends StepBlock {
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

export interface ChainStep<B extends StepBlock = StepBlock> {
  readonly master: B
  /** By workchain, seqno and shard. */
  readonly shards: readonly B[]
  readonly tip: Tip
}

interface BlockTransactions {
  readonly facts: Pick<BlockFacts, 'transactions'>
}

/** What a step did, for those who need no more of it. */
export interface StepTransactions {
  readonly master: BlockTransactions & { readonly id: Pick<BlockIdExt, 'seqno'> }
  readonly shards: readonly BlockTransactions[]
}

export type ReadStep = ChainStep<ReadBlock>

function withoutCells({ facts, ...block }: ReadBlock): StepBlock {
  const { accounts: _, ...kept } = facts
  return { ...block, facts: kept }
}

/** A step whose accounts are rows already. */
export const withoutAccounts = ({ master, shards, tip }: ReadStep): ChainStep => ({
  master: withoutCells(master),
  shards: shards.map(withoutCells),
  tip,
})

/** A block's place in its chain, as the same text for signed and unsigned shards. */
export const blockPlaceOf = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): string =>
  `${workchain}:${BigInt.asUintN(64, shard).toString(16)}:${seqno}`

export const bySeqno = (a: StepBlock, b: StepBlock): number =>
  a.id.workchain - b.id.workchain || a.id.seqno - b.id.seqno || (a.id.shard < b.id.shard ? -1 : 1)
