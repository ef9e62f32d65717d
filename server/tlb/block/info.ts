// The header of a block.

import type { Builder, Slice } from '../../cell/index.ts'
import { expectTag, loadIn, storeIn, TlbError } from '../fields.ts'
import { type GlobalVersion, loadGlobalVersion, storeGlobalVersion } from '../globalVersion.ts'
import {
  type ExtBlockRef,
  loadExtBlockRef,
  loadShardIdent,
  type ShardIdent,
  storeExtBlockRef,
  storeShardIdent,
} from './ids.ts'

/** One block before this one, or both halves of a merge. */
export type PreviousBlocks = readonly [ExtBlockRef] | readonly [ExtBlockRef, ExtBlockRef]

export interface BlockInfo {
  readonly version: number
  readonly beforeSplit: boolean
  readonly afterSplit: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly keyBlock: boolean
  readonly seqno: number
  readonly vertSeqno: number
  readonly shard: ShardIdent
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly validatorListHashShort: number
  readonly catchainSeqno: number
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  readonly software: GlobalVersion | null
  /** The masterchain block referred to; null for blocks of the masterchain. */
  readonly masterRef: ExtBlockRef | null
  /** Two after a merge. */
  readonly previous: PreviousBlocks
  /** Present when the vertical seqno grew. */
  readonly previousVertical: ExtBlockRef | null
}

const TAG = 0x9bc7a987

const loadBoth = (slice: Slice): PreviousBlocks => [loadIn(slice, loadExtBlockRef), loadIn(slice, loadExtBlockRef)]
const loadOne = (slice: Slice): PreviousBlocks => [loadExtBlockRef(slice)]

export function loadBlockInfo(slice: Slice): BlockInfo {
  expectTag(slice, TAG, 32, 'BlockInfo')
  const version = slice.loadUint(32)
  const notMaster = slice.loadBit()
  const afterMerge = slice.loadBit()
  const beforeSplit = slice.loadBit()
  const afterSplit = slice.loadBit()
  const wantSplit = slice.loadBit()
  const wantMerge = slice.loadBit()
  const keyBlock = slice.loadBit()
  const vertSeqnoGrew = slice.loadBit()
  const flags = slice.loadUint(8)
  if (flags > 1) throw new TlbError('value', `flags ${flags} of BlockInfo`)
  return {
    version,
    beforeSplit,
    afterSplit,
    wantSplit,
    wantMerge,
    keyBlock,
    seqno: slice.loadUint(32),
    vertSeqno: slice.loadUint(32),
    shard: loadShardIdent(slice),
    genUtime: slice.loadUint(32),
    startLt: slice.loadUintBig(64),
    endLt: slice.loadUintBig(64),
    validatorListHashShort: slice.loadUint(32),
    catchainSeqno: slice.loadUint(32),
    minRefMcSeqno: slice.loadUint(32),
    prevKeyBlockSeqno: slice.loadUint(32),
    software: flags === 1 ? loadGlobalVersion(slice) : null,
    masterRef: notMaster ? loadIn(slice, loadExtBlockRef) : null,
    previous: loadIn(slice, afterMerge ? loadBoth : loadOne),
    previousVertical: vertSeqnoGrew ? loadIn(slice, loadExtBlockRef) : null,
  }
}

function storePrevious(builder: Builder, [first, second]: PreviousBlocks): Builder {
  if (second === undefined) return storeExtBlockRef(builder, first)
  return storeIn(storeIn(builder, first, storeExtBlockRef), second, storeExtBlockRef)
}

export function storeBlockInfo(builder: Builder, value: BlockInfo): Builder {
  builder
    .storeUint(TAG, 32)
    .storeUint(value.version, 32)
    .storeBit(value.masterRef !== null)
  builder
    .storeBit(value.previous.length === 2)
    .storeBit(value.beforeSplit)
    .storeBit(value.afterSplit)
  builder.storeBit(value.wantSplit).storeBit(value.wantMerge).storeBit(value.keyBlock)
  builder.storeBit(value.previousVertical !== null).storeUint(value.software === null ? 0 : 1, 8)
  builder.storeUint(value.seqno, 32).storeUint(value.vertSeqno, 32)
  storeShardIdent(builder, value.shard).storeUint(value.genUtime, 32)
  builder.storeUint(value.startLt, 64).storeUint(value.endLt, 64).storeUint(value.validatorListHashShort, 32)
  builder.storeUint(value.catchainSeqno, 32).storeUint(value.minRefMcSeqno, 32).storeUint(value.prevKeyBlockSeqno, 32)
  if (value.software !== null) storeGlobalVersion(builder, value.software)
  if (value.masterRef !== null) storeIn(builder, value.masterRef, storeExtBlockRef)
  storeIn(builder, value.previous, storePrevious)
  return value.previousVertical === null ? builder : storeIn(builder, value.previousVertical, storeExtBlockRef)
}
