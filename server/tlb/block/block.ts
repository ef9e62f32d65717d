// Blocks. Every part in a cell of its own stays a cell until it is read: headers are read from proofs that have pruned
// everything else, and unused parts cost nothing.

import { type Builder, type Cell, type Dict, loadDict, openCell, type Slice, storeDict } from '../../cell/index.ts'
import { expectTag, fromCell, loadHash, storeHash, toCell } from '../fields.ts'
import { inMsgKind } from '../message/inMsg.ts'
import { accountBlocksKind } from './accountBlocks.ts'
import { type BlockInfo, loadBlockInfo } from './info.ts'
import { loadMasterBlockExtra, type MasterBlockExtra } from './masterExtra.ts'

export interface Block {
  readonly globalId: number
  /** BlockInfo. */
  readonly info: Cell
  /** ValueFlow. */
  readonly valueFlow: Cell
  /** Merkle update of the state. */
  readonly stateUpdate: Cell
  /** BlockExtra. */
  readonly extra: Cell
}

export interface BlockExtra {
  /** InMsgDescr. */
  readonly inMsgs: Cell
  /** OutMsgDescr. */
  readonly outMsgs: Cell
  /** ShardAccountBlocks. */
  readonly accountBlocks: Cell
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  /** McBlockExtra; null outside of the masterchain. */
  readonly custom: Cell | null
}

const BLOCK = 0x11ef55aa
const EXTRA = 0x4a33f6fd

export function loadBlock(slice: Slice): Block {
  expectTag(slice, BLOCK, 32, 'Block')
  return {
    globalId: slice.loadInt(32),
    info: slice.loadRef(),
    valueFlow: slice.loadRef(),
    stateUpdate: slice.loadRef(),
    extra: slice.loadRef(),
  }
}

export const storeBlock = (builder: Builder, value: Block): Builder =>
  builder
    .storeUint(BLOCK, 32)
    .storeInt(value.globalId, 32)
    .storeRef(value.info)
    .storeRef(value.valueFlow)
    .storeRef(value.stateUpdate)
    .storeRef(value.extra)

export function loadBlockExtra(slice: Slice): BlockExtra {
  expectTag(slice, EXTRA, 32, 'BlockExtra')
  return {
    inMsgs: slice.loadRef(),
    outMsgs: slice.loadRef(),
    accountBlocks: slice.loadRef(),
    randSeed: loadHash(slice),
    createdBy: loadHash(slice),
    custom: slice.loadMaybeRef(),
  }
}

export function storeBlockExtra(builder: Builder, value: BlockExtra): Builder {
  builder.storeUint(EXTRA, 32).storeRef(value.inMsgs).storeRef(value.outMsgs).storeRef(value.accountBlocks)
  return storeHash(storeHash(builder, value.randSeed), value.createdBy).storeMaybeRef(value.custom)
}

/** The parts of a block, each read on first access. */
export const blockInfoOf = (block: Block): BlockInfo => fromCell(block.info, loadBlockInfo)
export const blockExtraOf = (block: Block): BlockExtra => fromCell(block.extra, loadBlockExtra)

export const inMsgsOf = (extra: BlockExtra) => loadDict(openCell(extra.inMsgs), inMsgKind)
export const accountBlocksOf = (extra: BlockExtra) => loadDict(openCell(extra.accountBlocks), accountBlocksKind)

/** What only blocks of the masterchain have. */
export const masterExtraOf = (extra: BlockExtra): MasterBlockExtra | null =>
  extra.custom === null ? null : fromCell(extra.custom, loadMasterBlockExtra)

/** A dictionary in a cell of its own, as blocks hold their message and account dictionaries. */
export const dictCell = <K, V, X>(dict: Dict<K, V, X>): Cell => toCell(dict, storeDict)
