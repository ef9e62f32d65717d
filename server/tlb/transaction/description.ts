// What kind of transaction it was and how its phases went.

import type { Cell, Slice } from '../../cell/index.ts'
import { loadHash, loadIn, loadMaybe, unknownTag } from '../fields.ts'
import {
  type ActionPhase,
  type BouncePhase,
  type ComputePhase,
  type CreditPhase,
  loadActionPhase,
  loadBouncePhase,
  loadComputePhase,
  loadCreditPhase,
  loadStoragePhase,
  type StoragePhase,
} from './phases.ts'

export interface OrdinaryDescription {
  readonly kind: 'ordinary'
  readonly creditFirst: boolean
  readonly storage: StoragePhase | null
  readonly credit: CreditPhase | null
  readonly compute: ComputePhase
  readonly action: ActionPhase | null
  readonly aborted: boolean
  readonly bounce: BouncePhase | null
  readonly destroyed: boolean
}

export interface TickTockDescription {
  readonly kind: 'tickTock'
  readonly isTock: boolean
  readonly storage: StoragePhase
  readonly compute: ComputePhase
  readonly action: ActionPhase | null
  readonly aborted: boolean
  readonly destroyed: boolean
}

export interface SplitMergeInfo {
  readonly shardPrefixLength: number
  readonly splitDepth: number
  readonly account: Uint8Array
  readonly sibling: Uint8Array
}

export type TransactionDescription =
  | OrdinaryDescription
  | TickTockDescription
  | { readonly kind: 'storage'; readonly storage: StoragePhase }
  | {
      readonly kind: 'splitPrepare'
      readonly split: SplitMergeInfo
      readonly storage: StoragePhase | null
      readonly compute: ComputePhase
      readonly action: ActionPhase | null
      readonly aborted: boolean
      readonly destroyed: boolean
    }
  | {
      readonly kind: 'splitInstall'
      readonly split: SplitMergeInfo
      readonly prepareTransaction: Cell
      readonly installed: boolean
    }
  | {
      readonly kind: 'mergePrepare'
      readonly split: SplitMergeInfo
      readonly storage: StoragePhase
      readonly aborted: boolean
    }
  | {
      readonly kind: 'mergeInstall'
      readonly split: SplitMergeInfo
      readonly prepareTransaction: Cell
      readonly storage: StoragePhase | null
      readonly credit: CreditPhase | null
      readonly compute: ComputePhase
      readonly action: ActionPhase | null
      readonly aborted: boolean
      readonly destroyed: boolean
    }

const loadAction = (slice: Slice): ActionPhase | null => (slice.loadBit() ? loadIn(slice, loadActionPhase) : null)

const loadSplitInfo = (slice: Slice): SplitMergeInfo => ({
  shardPrefixLength: slice.loadUint(6),
  splitDepth: slice.loadUint(6),
  account: loadHash(slice),
  sibling: loadHash(slice),
})

/** `TransactionDescr`. */
export function loadDescription(slice: Slice): TransactionDescription {
  const tag = slice.loadUint(3)
  if (tag === 1)
    return {
      kind: 'tickTock',
      isTock: slice.loadBit(),
      storage: loadStoragePhase(slice),
      compute: loadComputePhase(slice),
      action: loadAction(slice),
      aborted: slice.loadBit(),
      destroyed: slice.loadBit(),
    }
  const low = slice.loadBit()
  if (tag === 0) return low ? { kind: 'storage', storage: loadStoragePhase(slice) } : loadOrdinary(slice)
  if (tag === 2) return low ? loadSplitInstall(slice) : loadSplitPrepare(slice)
  if (tag === 3) return low ? loadMergeInstall(slice) : loadMergePrepare(slice)
  return unknownTag(2 * tag + (low ? 1 : 0), 'TransactionDescr')
}

const loadOrdinary = (slice: Slice): OrdinaryDescription => ({
  kind: 'ordinary',
  creditFirst: slice.loadBit(),
  storage: loadMaybe(slice, loadStoragePhase),
  credit: loadMaybe(slice, loadCreditPhase),
  compute: loadComputePhase(slice),
  action: loadAction(slice),
  aborted: slice.loadBit(),
  bounce: loadMaybe(slice, loadBouncePhase),
  destroyed: slice.loadBit(),
})

const loadSplitPrepare = (slice: Slice): TransactionDescription => ({
  kind: 'splitPrepare',
  split: loadSplitInfo(slice),
  storage: loadMaybe(slice, loadStoragePhase),
  compute: loadComputePhase(slice),
  action: loadAction(slice),
  aborted: slice.loadBit(),
  destroyed: slice.loadBit(),
})

const loadSplitInstall = (slice: Slice): TransactionDescription => ({
  kind: 'splitInstall',
  split: loadSplitInfo(slice),
  prepareTransaction: slice.loadRef(),
  installed: slice.loadBit(),
})

const loadMergePrepare = (slice: Slice): TransactionDescription => ({
  kind: 'mergePrepare',
  split: loadSplitInfo(slice),
  storage: loadStoragePhase(slice),
  aborted: slice.loadBit(),
})

const loadMergeInstall = (slice: Slice): TransactionDescription => ({
  kind: 'mergeInstall',
  split: loadSplitInfo(slice),
  prepareTransaction: slice.loadRef(),
  storage: loadMaybe(slice, loadStoragePhase),
  credit: loadMaybe(slice, loadCreditPhase),
  compute: loadComputePhase(slice),
  action: loadAction(slice),
  aborted: slice.loadBit(),
  destroyed: slice.loadBit(),
})
