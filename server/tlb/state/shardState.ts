// The state of a shard after a block. As in blocks, parts in cells of their own stay cells until they are read.

import {
  type Builder,
  type Cell,
  type Dict,
  dictBytesKey,
  dictKind,
  loadDict,
  loadInlineDict,
  openCell,
  type Slice,
  storeDict,
  storeInlineDict,
  unitValue,
} from '../../cell/index.ts'
import { shardAccountsKind } from '../account/shardAccounts.ts'
import {
  type ExtBlockRef,
  loadExtBlockRef,
  loadShardIdent,
  type ShardIdent,
  storeExtBlockRef,
  storeShardIdent,
} from '../block/ids.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { expectTag, fromCell, loadMaybe, storeMaybe } from '../fields.ts'
import { loadMasterStateExtra, type MasterStateExtra } from './masterState.ts'
import { loadOutQueueInfo, type OutQueueInfo } from './outQueue.ts'

export interface ShardState {
  readonly globalId: number
  readonly shard: ShardIdent
  readonly seqno: number
  readonly vertSeqno: number
  readonly genUtime: number
  readonly genLt: bigint
  readonly minRefMcSeqno: number
  /** OutMsgQueueInfo. */
  readonly outQueueInfo: Cell
  readonly beforeSplit: boolean
  /** ShardAccounts. */
  readonly accounts: Cell
  /** Histories, totals and libraries. */
  readonly details: Cell
  /** McStateExtra; null outside of the masterchain. */
  readonly custom: Cell | null
}

export interface ShardStateDetails {
  readonly overloadHistory: bigint
  readonly underloadHistory: bigint
  readonly totalBalance: CurrencyCollection
  readonly totalValidatorFees: CurrencyCollection
  readonly libraries: Dict<Uint8Array, LibraryDescription>
  readonly masterRef: ExtBlockRef | null
}

/** A public library and the accounts that publish it. */
export interface LibraryDescription {
  readonly library: Cell
  readonly publishers: Dict<Uint8Array, true>
}

export const publishersKind = dictKind(dictBytesKey(256), unitValue)

/** Public libraries by hash. */
export const librariesKind = dictKind(dictBytesKey(256), {
  load: (slice): LibraryDescription => {
    expectTag(slice, 0, 2, 'LibDescr')
    return { library: slice.loadRef(), publishers: loadInlineDict(slice, publishersKind) }
  },
  store: (builder, value: LibraryDescription) => {
    storeInlineDict(builder.storeUint(0, 2).storeRef(value.library), value.publishers)
  },
})

const TAG = 0x9023afe2

/** `ShardStateUnsplit`. */
export function loadShardState(slice: Slice): ShardState {
  expectTag(slice, TAG, 32, 'ShardStateUnsplit')
  return {
    globalId: slice.loadInt(32),
    shard: loadShardIdent(slice),
    seqno: slice.loadUint(32),
    vertSeqno: slice.loadUint(32),
    genUtime: slice.loadUint(32),
    genLt: slice.loadUintBig(64),
    minRefMcSeqno: slice.loadUint(32),
    outQueueInfo: slice.loadRef(),
    beforeSplit: slice.loadBit(),
    accounts: slice.loadRef(),
    details: slice.loadRef(),
    custom: slice.loadMaybeRef(),
  }
}

export function storeShardState(builder: Builder, value: ShardState): Builder {
  storeShardIdent(builder.storeUint(TAG, 32).storeInt(value.globalId, 32), value.shard)
  builder.storeUint(value.seqno, 32).storeUint(value.vertSeqno, 32).storeUint(value.genUtime, 32)
  builder.storeUint(value.genLt, 64).storeUint(value.minRefMcSeqno, 32).storeRef(value.outQueueInfo)
  builder.storeBit(value.beforeSplit).storeRef(value.accounts).storeRef(value.details)
  return builder.storeMaybeRef(value.custom)
}

export const loadShardStateDetails = (slice: Slice): ShardStateDetails => ({
  overloadHistory: slice.loadUintBig(64),
  underloadHistory: slice.loadUintBig(64),
  totalBalance: loadCurrency(slice),
  totalValidatorFees: loadCurrency(slice),
  libraries: loadDict(slice, librariesKind),
  masterRef: loadMaybe(slice, loadExtBlockRef),
})

export function storeShardStateDetails(builder: Builder, value: ShardStateDetails): Builder {
  storeCurrency(builder.storeUint(value.overloadHistory, 64).storeUint(value.underloadHistory, 64), value.totalBalance)
  storeDict(storeCurrency(builder, value.totalValidatorFees), value.libraries)
  return storeMaybe(builder, value.masterRef, storeExtBlockRef)
}

/** A state that is about to be split into two shards. */
export interface SplitState {
  readonly left: Cell
  readonly right: Cell
}

export function loadSplitState(slice: Slice): SplitState {
  expectTag(slice, 0x5f327da5, 32, 'ShardState')
  return { left: slice.loadRef(), right: slice.loadRef() }
}

/** `ShardState`: one state, or the two halves of one that is split or was just merged. */
export function loadStates(slice: Slice): readonly ShardState[] {
  if (slice.preloadUint(32) === TAG) return [loadShardState(slice)]
  const { left, right } = loadSplitState(slice)
  return [fromCell(left, loadShardState), fromCell(right, loadShardState)]
}

/** The parts of a state, read by name. */
export const accountsOf = (state: ShardState) => loadDict(openCell(state.accounts), shardAccountsKind)
export const outQueueOf = (state: ShardState): OutQueueInfo => fromCell(state.outQueueInfo, loadOutQueueInfo)
export const stateDetailsOf = (state: ShardState): ShardStateDetails => fromCell(state.details, loadShardStateDetails)
export const masterStateOf = (state: ShardState): MasterStateExtra | null =>
  state.custom === null ? null : fromCell(state.custom, loadMasterStateExtra)
