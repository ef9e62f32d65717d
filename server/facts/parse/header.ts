// The header of a block as the store keeps it.

import { type BlockIdExt, previousBlocksOf } from '../../node/index.ts'
import type { BlockKey, BlockRow } from '../../store/index.ts'
import { type Block, type BlockExtra, type BlockInfo, hasAccounts, shardOf } from '../../tlb/index.ts'
import { INT32_MAX, storableLt } from './bounds.ts'
import { demandParsed } from './parseError.ts'

/** Names of shards are signed in the store. */
export const blockKey = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): BlockKey => ({
  workchain,
  shard: BigInt.asIntN(64, shard),
  seqno,
})

export interface ReadHeader {
  readonly id: BlockIdExt
  readonly block: Block
  readonly info: BlockInfo
}

/** Checks that the header matches the requested block id. Throws ParseError. */
export function checkName({ id, info }: ReadHeader): void {
  const { seqno, shard, masterRef } = info
  const isNamed = seqno === id.seqno && shard.workchain === id.workchain
  demandParsed(isNamed && shardOf(shard) === id.shard, 'header', 'it is that of another block')
  demandParsed(hasAccounts(id.workchain) && seqno <= INT32_MAX, 'header', 'no block has such a name')
  demandParsed((masterRef === null) === (id.workchain === -1), 'header', 'it is not of the chain it is said to be of')
}

/** What the row says beyond the header. */
export interface HeaderContext {
  readonly mcSeqno: number
  readonly txCount: number
}

export function blockRow(header: ReadHeader, extra: BlockExtra, { mcSeqno, txCount }: HeaderContext): BlockRow {
  const { id, block, info } = header
  return {
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    mcSeqno,
    globalId: block.globalId,
    version: info.version,
    flags: info.software === null ? 0 : 1,
    afterMerge: info.previous.length === 2,
    beforeSplit: info.beforeSplit,
    afterSplit: info.afterSplit,
    wantMerge: info.wantMerge,
    wantSplit: info.wantSplit,
    keyBlock: info.keyBlock,
    vertSeqnoIncr: info.previousVertical !== null,
    vertSeqno: info.vertSeqno,
    genUtime: info.genUtime,
    startLt: storableLt(info.startLt),
    endLt: storableLt(info.endLt),
    validatorListHashShort: info.validatorListHashShort | 0,
    genCatchainSeqno: info.catchainSeqno,
    minRefMcSeqno: info.minRefMcSeqno | 0,
    prevKeyBlockSeqno: info.prevKeyBlockSeqno,
    masterRefSeqno: info.masterRef?.seqno ?? 0,
    randSeed: extra.randSeed,
    createdBy: extra.createdBy,
    txCount,
    prevBlocks: previousBlocksOf(header).map(blockKey),
    ...blockKey(id),
  }
}
