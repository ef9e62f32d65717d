// What a nominator pool stores, field by field. Any contract may hold such data, so that nothing in it is sure.

import {
  type BinaryHash,
  type Cell,
  dictHashKey,
  dictKind,
  loadDict,
  refValue,
  type Slice,
  unitValue,
} from '../../cell/index.ts'
import { fromCell, loadHash, loadIn, TlbError } from '../fields.ts'

export interface PoolTerms {
  /** Account id in the masterchain. */
  readonly validator: Uint8Array
  /** In parts of 10,000. */
  readonly validatorShare: number
  readonly maxNominators: number
  readonly minValidatorStake: bigint
  readonly minNominatorStake: bigint
}

export interface PoolNominator {
  readonly amount: bigint
  readonly pending: bigint
}

export interface PoolData {
  /** 0: no stake, 1: stake sent, 2: stake accepted. */
  readonly state: number
  readonly nominatorsCount: number
  readonly stakeAmountSent: bigint
  readonly validatorAmount: bigint
  readonly terms: PoolTerms
  /** By account id in the basechain, in the order of ids. */
  readonly nominators: ReadonlyMap<BinaryHash, PoolNominator>
  /** Account ids. */
  readonly withdrawRequests: ReadonlySet<BinaryHash>
  /** Election id of the current or latest stake; 0 before the first. */
  readonly stakeAt: number
  readonly savedValidatorSetHash: Uint8Array
  readonly validatorSetChanges: number
  readonly validatorSetChangedAt: number
  readonly stakeHeldFor: number
}

/** Cells that share subtrees can claim any number. The public contract has gas for some hundreds. */
const MOST_NOMINATORS = 10_000

const nominatorKind = dictKind(dictHashKey, {
  load: (slice): PoolNominator => {
    const nominator = { amount: slice.loadCoins(), pending: slice.loadCoins() }
    slice.finish()
    return nominator
  },
  store: () => {
    throw new TlbError('value', 'nominators are only read')
  },
})
const requestKind = dictKind(dictHashKey, unitValue)
const votingKind = dictKind(dictHashKey, refValue)

const loadTerms = (slice: Slice): PoolTerms => ({
  validator: loadHash(slice),
  validatorShare: slice.loadUint(16),
  maxNominators: slice.loadUint(16),
  minValidatorStake: slice.loadCoins(),
  minNominatorStake: slice.loadCoins(),
})

function loadBounded<V>(slice: Slice, kind: Parameters<typeof loadDict<BinaryHash, V, null>>[1]): [BinaryHash, V][] {
  const dict = loadDict(slice, kind)
  if (dict.count(MOST_NOMINATORS) > MOST_NOMINATORS)
    throw new TlbError('value', `a pool of more than ${MOST_NOMINATORS} nominators`)
  return [...dict]
}

function loadPool(slice: Slice): PoolData {
  const head = {
    state: slice.loadUint(8),
    nominatorsCount: slice.loadUint(16),
    stakeAmountSent: slice.loadCoins(),
    validatorAmount: slice.loadCoins(),
    terms: loadIn(slice, loadTerms),
    nominators: new Map(loadBounded(slice, nominatorKind)),
    withdrawRequests: new Set(loadBounded(slice, requestKind).map(([id]) => id)),
    stakeAt: slice.loadUint(32),
    savedValidatorSetHash: loadHash(slice),
    validatorSetChanges: slice.loadUint(8),
    validatorSetChangedAt: slice.loadUint(32),
    stakeHeldFor: slice.loadUint(32),
  }
  // Votes on the configuration are not read.
  loadDict(slice, votingKind)
  if (head.state > 2) throw new TlbError('value', `a pool in state ${head.state}`)
  return head
}

/** The data cell of a pool. Throws CellError for what has another layout. */
export const loadPoolData = (data: Cell): PoolData => fromCell(data, loadPool)
