// What only the masterchain's state holds: shards, configuration, the chain of earlier blocks, and who created blocks.

import {
  type Augmentation,
  augDictKind,
  type Builder,
  type Cell,
  type Dict,
  dictBytesKey,
  dictKind,
  loadDict,
  type Slice,
  storeDict,
  uintKey,
} from '../../cell/index.ts'
import { type ExtBlockRef, loadExtBlockRef, storeExtBlockRef } from '../block/ids.ts'
import { type ShardHashes, shardHashesKind } from '../block/shards.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from '../config/params.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { expectTag, fromCell, larger, loadMaybe, storeMaybe, TlbError, unknownTag } from '../fields.ts'

export interface MasterStateExtra {
  readonly shardHashes: ShardHashes
  readonly config: ConfigParams
  /** Validators, earlier blocks and statistics. */
  readonly details: Cell
  readonly globalBalance: CurrencyCollection
}

export interface ValidatorInfo {
  /** Computed for catchain seqno 0. */
  readonly listHashShort: number
  readonly catchainSeqno: number
  readonly nextCatchainUpdated: boolean
}

export interface OldBlock {
  readonly isKey: boolean
  readonly block: ExtBlockRef
}

export interface KeyMaxLt {
  readonly hasKey: boolean
  readonly maxEndLt: bigint
}

const keyMaxLt: Augmentation<OldBlock, KeyMaxLt> = {
  load: (slice) => ({ hasKey: slice.loadBit(), maxEndLt: slice.loadUintBig(64) }),
  store: (builder, value) => {
    builder.storeBit(value.hasKey).storeUint(value.maxEndLt, 64)
  },
  leaf: (value) => ({ hasKey: value.isKey, maxEndLt: value.block.endLt }),
  combine: (a, b) => ({
    hasKey: a.hasKey || b.hasKey,
    maxEndLt: larger(a.maxEndLt, b.maxEndLt),
  }),
  empty: { hasKey: false, maxEndLt: 0n },
}

/** `OldMcBlocksInfo`: by seqno. */
export const oldBlocksKind = augDictKind(
  uintKey(32),
  {
    load: (slice): OldBlock => ({ isKey: slice.loadBit(), block: loadExtBlockRef(slice) }),
    store: (builder, value: OldBlock) => {
      storeExtBlockRef(builder.storeBit(value.isKey), value.block)
    },
  },
  keyMaxLt,
)

export interface Counters {
  readonly lastUpdated: number
  readonly total: bigint
  readonly count2048: bigint
  readonly count65536: bigint
}

export interface CreatorStats {
  readonly masterBlocks: Counters
  readonly shardBlocks: Counters
}

const loadCounters = (slice: Slice): Counters => ({
  lastUpdated: slice.loadUint(32),
  total: slice.loadUintBig(64),
  count2048: slice.loadUintBig(64),
  count65536: slice.loadUintBig(64),
})

const storeCounters = (builder: Builder, value: Counters): Builder =>
  builder
    .storeUint(value.lastUpdated, 32)
    .storeUint(value.total, 64)
    .storeUint(value.count2048, 64)
    .storeUint(value.count65536, 64)

/** Blocks created, by public key; the zero key counts all of them. */
export const creatorStatsKind = dictKind(dictBytesKey(256), {
  load: (slice): CreatorStats => {
    expectTag(slice, 4, 4, 'CreatorStats')
    return { masterBlocks: loadCounters(slice), shardBlocks: loadCounters(slice) }
  },
  store: (builder, value: CreatorStats) => {
    storeCounters(storeCounters(builder.storeUint(4, 4), value.masterBlocks), value.shardBlocks)
  },
})

export type BlockCreateStats =
  | { readonly kind: 'plain'; readonly counters: Dict<Uint8Array, CreatorStats> }
  /** An augmented form no known chain uses; kept unparsed. */
  | { readonly kind: 'augmented'; readonly root: Cell | null; readonly extra: number }

function loadCreateStats(slice: Slice): BlockCreateStats {
  const tag = slice.loadUint(8)
  if (tag === 0x17) return { kind: 'plain', counters: loadDict(slice, creatorStatsKind) }
  if (tag === 0x34) return { kind: 'augmented', root: slice.loadMaybeRef(), extra: slice.loadUint(32) }
  return unknownTag(tag, 'BlockCreateStats')
}

const storeCreateStats = (builder: Builder, value: BlockCreateStats): Builder =>
  value.kind === 'plain'
    ? storeDict(builder.storeUint(0x17, 8), value.counters)
    : builder.storeUint(0x34, 8).storeMaybeRef(value.root).storeUint(value.extra, 32)

export interface MasterStateDetails {
  readonly validatorInfo: ValidatorInfo
  readonly previousBlocks: Dict<number, OldBlock, KeyMaxLt>
  readonly afterKeyBlock: boolean
  readonly lastKeyBlock: ExtBlockRef | null
  readonly createStats: BlockCreateStats | null
}

/** `McStateExtra`. */
export function loadMasterStateExtra(slice: Slice): MasterStateExtra {
  expectTag(slice, 0xcc26, 16, 'McStateExtra')
  return {
    shardHashes: loadDict(slice, shardHashesKind),
    config: loadConfigParams(slice),
    details: slice.loadRef(),
    globalBalance: loadCurrency(slice),
  }
}

export function storeMasterStateExtra(builder: Builder, value: MasterStateExtra): Builder {
  storeDict(builder.storeUint(0xcc26, 16), value.shardHashes)
  return storeCurrency(storeConfigParams(builder, value.config).storeRef(value.details), value.globalBalance)
}

export function loadMasterStateDetails(slice: Slice): MasterStateDetails {
  const flags = slice.loadUint(16)
  if (flags > 1) throw new TlbError('value', `flags ${flags} of McStateExtra`)
  const validatorInfo = {
    listHashShort: slice.loadUint(32),
    catchainSeqno: slice.loadUint(32),
    nextCatchainUpdated: slice.loadBit(),
  }
  return {
    validatorInfo,
    previousBlocks: loadDict(slice, oldBlocksKind),
    afterKeyBlock: slice.loadBit(),
    lastKeyBlock: loadMaybe(slice, loadExtBlockRef),
    createStats: flags === 1 ? loadCreateStats(slice) : null,
  }
}

export function storeMasterStateDetails(builder: Builder, value: MasterStateDetails): Builder {
  const { validatorInfo } = value
  builder.storeUint(value.createStats === null ? 0 : 1, 16).storeUint(validatorInfo.listHashShort, 32)
  builder.storeUint(validatorInfo.catchainSeqno, 32).storeBit(validatorInfo.nextCatchainUpdated)
  storeDict(builder, value.previousBlocks).storeBit(value.afterKeyBlock)
  storeMaybe(builder, value.lastKeyBlock, storeExtBlockRef)
  return value.createStats === null ? builder : storeCreateStats(builder, value.createStats)
}

export const masterDetailsOf = (extra: MasterStateExtra): MasterStateDetails =>
  fromCell(extra.details, loadMasterStateDetails)
