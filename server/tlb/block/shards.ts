// What the masterchain knows of the shards: a tree per workchain with one description per shard, and the fees they bring.

import {
  type Augmentation,
  augDictKind,
  type Builder,
  type Cell,
  type Dict,
  dictBytesKey,
  dictKind,
  intKey,
  openCell,
  refValue,
  type Slice,
} from '../../cell/index.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, storeCurrency, ZERO_CURRENCY } from '../currency.ts'
import { loadHash, loadIn, storeHash, storeIn, TlbError, toCell, unknownTag } from '../fields.ts'

export interface FutureSplitMerge {
  readonly kind: 'split' | 'merge'
  readonly utime: number
  readonly interval: number
}

export interface ShardDescription {
  /** Whether fees are in a cell of their own, which is the newer form. */
  readonly feesInRef: boolean
  readonly seqno: number
  readonly regMcSeqno: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  readonly beforeSplit: boolean
  readonly beforeMerge: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly nextCatchainUpdated: boolean
  readonly nextCatchainSeqno: number
  readonly nextValidatorShard: bigint
  readonly minRefMcSeqno: number
  readonly genUtime: number
  readonly splitMergeAt: FutureSplitMerge | null
  readonly feesCollected: CurrencyCollection
  readonly fundsCreated: CurrencyCollection
}

function loadSplitMerge(slice: Slice): FutureSplitMerge | null {
  if (!slice.loadBit()) return null
  const kind = slice.loadBit() ? 'merge' : 'split'
  return { kind, utime: slice.loadUint(32), interval: slice.loadUint(32) }
}

function storeSplitMerge(builder: Builder, value: FutureSplitMerge | null): Builder {
  if (value === null) return builder.storeBit(0)
  return builder
    .storeBit(1)
    .storeBit(value.kind === 'merge')
    .storeUint(value.utime, 32)
    .storeUint(value.interval, 32)
}

type Fees = readonly [collected: CurrencyCollection, created: CurrencyCollection]
const loadFees = (slice: Slice): Fees => [loadCurrency(slice), loadCurrency(slice)]
const storeFees = (builder: Builder, [collected, created]: Fees): Builder =>
  storeCurrency(storeCurrency(builder, collected), created)

/** `ShardDescr`. */
export function loadShardDescription(slice: Slice): ShardDescription {
  const tag = slice.loadUint(4)
  if (tag !== 0xa && tag !== 0xb) unknownTag(tag, 'ShardDescr')
  const feesInRef = tag === 0xa
  const seqno = slice.loadUint(32)
  const regMcSeqno = slice.loadUint(32)
  const startLt = slice.loadUintBig(64)
  const endLt = slice.loadUintBig(64)
  const rootHash = loadHash(slice)
  const fileHash = loadHash(slice)
  const beforeSplit = slice.loadBit()
  const beforeMerge = slice.loadBit()
  const wantSplit = slice.loadBit()
  const wantMerge = slice.loadBit()
  const nextCatchainUpdated = slice.loadBit()
  const flags = slice.loadUint(3)
  if (flags !== 0) throw new TlbError('value', `flags ${flags} of ShardDescr`)
  const nextCatchainSeqno = slice.loadUint(32)
  const nextValidatorShard = slice.loadUintBig(64)
  const minRefMcSeqno = slice.loadUint(32)
  const genUtime = slice.loadUint(32)
  const splitMergeAt = loadSplitMerge(slice)
  const [feesCollected, fundsCreated] = feesInRef ? loadIn(slice, loadFees) : loadFees(slice)
  // No spreads: putting two objects together takes longer than all that is read here.
  return {
    feesInRef,
    seqno,
    regMcSeqno,
    startLt,
    endLt,
    rootHash,
    fileHash,
    beforeSplit,
    beforeMerge,
    wantSplit,
    wantMerge,
    nextCatchainUpdated,
    nextCatchainSeqno,
    nextValidatorShard,
    minRefMcSeqno,
    genUtime,
    splitMergeAt,
    feesCollected,
    fundsCreated,
  }
}

export function storeShardDescription(builder: Builder, value: ShardDescription): Builder {
  builder
    .storeUint(value.feesInRef ? 0xa : 0xb, 4)
    .storeUint(value.seqno, 32)
    .storeUint(value.regMcSeqno, 32)
  builder.storeUint(value.startLt, 64).storeUint(value.endLt, 64)
  storeHash(storeHash(builder, value.rootHash), value.fileHash)
  builder.storeBit(value.beforeSplit).storeBit(value.beforeMerge).storeBit(value.wantSplit).storeBit(value.wantMerge)
  builder.storeBit(value.nextCatchainUpdated).storeUint(0, 3).storeUint(value.nextCatchainSeqno, 32)
  builder.storeUint(value.nextValidatorShard, 64).storeUint(value.minRefMcSeqno, 32).storeUint(value.genUtime, 32)
  storeSplitMerge(builder, value.splitMergeAt)
  const fees: Fees = [value.feesCollected, value.fundsCreated]
  return value.feesInRef ? storeIn(builder, fees, storeFees) : storeFees(builder, fees)
}

/** `ShardHashes`: a tree of shards by workchain. */
export const shardHashesKind = dictKind(intKey(32), refValue)
export type ShardHashes = Dict<number, Cell>

export const FULL_SHARD = 1n << 63n

/** The bit that ends the prefix of a shard. */
export const lowestBit = (shard: bigint): bigint => shard & -shard

/** All shards of a tree with their 64-bit names, in order of the prefix. */
export function* shardsOf(tree: Cell, shard: bigint = FULL_SHARD): Generator<[bigint, ShardDescription]> {
  const slice = openCell(tree)
  if (!slice.loadBit()) {
    yield [shard, loadShardDescription(slice)]
    return
  }
  const half = lowestBit(shard) >> 1n
  if (half === 0n) throw new TlbError('value', 'a tree of shards is too deep')
  yield* shardsOf(slice.loadRef(), shard - half)
  yield* shardsOf(slice.loadRef(), shard + half)
}

/** The shard an account id or another shard falls into; opens only the way to it. */
export function findShard(tree: Cell, wanted: bigint): [bigint, ShardDescription] {
  let shard = FULL_SHARD
  let slice = openCell(tree)
  while (slice.loadBit()) {
    const half = lowestBit(shard) >> 1n
    if (half === 0n) throw new TlbError('value', 'a tree of shards is too deep')
    const isRight = (BigInt.asUintN(64, wanted) & lowestBit(shard)) !== 0n
    shard = isRight ? shard + half : shard - half
    slice = openCell(isRight ? slice.skipRefs(1).loadRef() : slice.loadRef())
  }
  return [shard, loadShardDescription(slice)]
}

/** A shard as the masterchain registers it: its newest block, and what is known of it. */
export interface ShardTop {
  readonly id: {
    readonly workchain: number
    readonly shard: bigint
    readonly seqno: number
    readonly rootHash: Uint8Array
    readonly fileHash: Uint8Array
  }
  readonly description: ShardDescription
}

const topOf = (workchain: number, shard: bigint, description: ShardDescription): ShardTop => ({
  id: { workchain, shard, seqno: description.seqno, rootHash: description.rootHash, fileHash: description.fileHash },
  description,
})

/** All registered shards. */
export function* shardTopsIn(hashes: Iterable<[number, Cell]>): Generator<ShardTop> {
  for (const [workchain, tree] of hashes)
    for (const [shard, description] of shardsOf(tree)) yield topOf(workchain, shard, description)
}

/** The registered shard that covers an account id or another shard; null for an unknown workchain. */
export function topShardOf(
  hashes: ShardHashes,
  { workchain, shard }: Pick<ShardTop['id'], 'workchain' | 'shard'>,
): ShardTop | null {
  const tree = hashes.get(workchain)
  if (tree === undefined) return null
  const [found, description] = findShard(tree, shard)
  return topOf(workchain, found, description)
}

/** The tree of shards that together cover a workchain, in order of the prefix. Throws TlbError `value` for gaps. */
export function makeShardTree(
  shards: readonly (readonly [bigint, ShardDescription])[],
  shard: bigint = FULL_SHARD,
): Cell {
  const [only] = shards
  if (only !== undefined && shards.length === 1 && only[0] === shard)
    return toCell(only[1], (builder, value) => storeShardDescription(builder.storeBit(0), value))
  const half = lowestBit(shard) >> 1n
  if (half === 0n || shards.length < 2) throw new TlbError('value', 'the shards do not cover the workchain')
  const left = shards.filter(([name]) => name < shard)
  const right = shards.filter(([name]) => name > shard)
  return toCell(shards, (builder) =>
    builder
      .storeBit(1)
      .storeRef(makeShardTree(left, shard - half))
      .storeRef(makeShardTree(right, shard + half)),
  )
}

export interface ShardFee {
  readonly fees: CurrencyCollection
  readonly created: CurrencyCollection
}

const loadShardFee = (slice: Slice): ShardFee => ({ fees: loadCurrency(slice), created: loadCurrency(slice) })
const storeShardFee = (builder: Builder, value: ShardFee): Builder =>
  storeCurrency(storeCurrency(builder, value.fees), value.created)

const feeSum: Augmentation<ShardFee, ShardFee> = {
  load: loadShardFee,
  store: storeShardFee,
  leaf: (value) => value,
  combine: (a, b) => ({ fees: addCurrency(a.fees, b.fees), created: addCurrency(a.created, b.created) }),
  empty: { fees: ZERO_CURRENCY, created: ZERO_CURRENCY },
}

/** `ShardFees`: by workchain (32 bits) and shard (64 bits). */
export const shardFeesKind = augDictKind(dictBytesKey(96), { load: loadShardFee, store: storeShardFee }, feeSum)

/** Key of a shard in dictionaries by workchain and shard. */
export function shardKey(workchain: number, shard: bigint): Uint8Array {
  const key = new Uint8Array(12)
  const view = new DataView(key.buffer)
  view.setInt32(0, workchain)
  view.setBigUint64(4, BigInt.asUintN(64, shard))
  return key
}
