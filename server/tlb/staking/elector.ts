// What the elector stores: the open election, elections whose stakes are still frozen, complaints about validators.

import {
  type BinaryHash,
  type Cell,
  type Dict,
  dictHashKey,
  dictKind,
  loadDict,
  openCell,
  type Slice,
  sliceValue,
  uintKey,
  uintValue,
} from '../../cell/index.ts'
import { expectTag, fromCell, loadHash, loadIn, TlbError } from '../fields.ts'

const onlyRead = (): never => {
  throw new TlbError('value', 'the data of the elector is only read')
}

/** Bound of each dictionary: cells that share subtrees can claim any number of entries. */
const MOST_MEMBERS = 20_000
const MOST_PAST = 256

function bounded<K, V>(dict: Dict<K, V>, most = MOST_MEMBERS): [K, V][] {
  if (dict.count(most) > most) throw new TlbError('value', `more than ${most} entries in the data of the elector`)
  return [...dict]
}

export interface ElectionMember {
  readonly stake: bigint
  readonly time: number
  /** 65536 stands for 1. */
  readonly maxFactor: number
  /** Account id in the masterchain. */
  readonly holder: Uint8Array
  readonly adnl: Uint8Array
}

const memberKind = dictKind(dictHashKey, {
  load: (slice: Slice): ElectionMember => ({
    stake: slice.loadCoins(),
    time: slice.loadUint(32),
    maxFactor: slice.loadUint(32),
    holder: loadHash(slice),
    adnl: loadHash(slice),
  }),
  store: onlyRead,
})

export interface Election {
  readonly electAt: number
  readonly electClose: number
  readonly minStake: bigint
  readonly totalStake: bigint
  /** By public key. */
  readonly members: ReadonlyMap<BinaryHash, ElectionMember>
  readonly failed: boolean
  readonly finished: boolean
}

const loadElection = (slice: Slice): Election => ({
  electAt: slice.loadUint(32),
  electClose: slice.loadUint(32),
  minStake: slice.loadCoins(),
  totalStake: slice.loadCoins(),
  members: new Map(bounded(loadDict(slice, memberKind))),
  failed: slice.loadBit(),
  finished: slice.loadBit(),
})

/** The cell of an open election. */
export const readElection = (cell: Cell): Election => fromCell(cell, loadElection)

interface FrozenStake {
  /** Account id in the masterchain. */
  readonly holder: Uint8Array
  readonly weight: bigint
  readonly stake: bigint
}

const frozenKind = dictKind(dictHashKey, {
  load: (slice: Slice): FrozenStake => ({
    holder: loadHash(slice),
    weight: slice.loadUintBig(64),
    stake: slice.loadCoins(),
  }),
  store: onlyRead,
})

const complaintKind = dictKind(dictHashKey, sliceValue)

/** Its dictionaries are read when they are other ones than before. */
export interface PastElection {
  readonly unfreezeAt: number
  readonly validatorSetHash: Uint8Array
  readonly totalStake: bigint
  readonly frozen: Dict<BinaryHash, FrozenStake>
  readonly complaints: Dict<BinaryHash, Slice>
}

function loadPast(slice: Slice): PastElection {
  const unfreezeAt = slice.loadUint(32)
  slice.skip(32)
  const validatorSetHash = loadHash(slice)
  const frozen = loadDict(slice, frozenKind)
  const totalStake = slice.loadCoins()
  // Bonuses.
  slice.loadCoins()
  return { unfreezeAt, validatorSetHash, totalStake, frozen, complaints: loadDict(slice, complaintKind) }
}

const pastKind = dictKind(uintKey(32), { load: loadPast, store: onlyRead })
const creditKind = dictKind(dictHashKey, { load: (slice: Slice) => slice.loadCoins(), store: onlyRead })

/** By public key. */
export const frozenStakes = ({ frozen }: PastElection): [BinaryHash, FrozenStake][] => bounded(frozen)

export interface Complaint {
  readonly hash: BinaryHash
  /** Of the accused. */
  readonly publicKey: Uint8Array
  readonly description: Cell
  readonly createdAt: number
  readonly severity: number
  /** Account id in the masterchain. */
  readonly rewardTo: Uint8Array
  readonly paid: bigint
  readonly suggestedFine: bigint
  readonly suggestedFinePart: number
  /** Places of voters in the voting set, ascending. */
  readonly voters: readonly number[]
  /** Hash of the set that voted last; zeros before any vote. */
  readonly validatorSetId: Uint8Array
  readonly weightRemaining: bigint
}

const votersKind = dictKind(uintKey(16), uintValue(32))

function loadComplaintBody(slice: Slice) {
  expectTag(slice, 0xbc, 8, 'ValidatorComplaint')
  return {
    publicKey: loadHash(slice),
    description: slice.loadRef(),
    createdAt: slice.loadUint(32),
    severity: slice.loadUint(8),
    rewardTo: loadHash(slice),
    paid: slice.loadCoins(),
    suggestedFine: slice.loadCoins(),
    suggestedFinePart: slice.loadUint(32),
  }
}

function loadComplaint(hash: BinaryHash, slice: Slice): Complaint {
  expectTag(slice, 0x2d, 8, 'ValidatorComplaintStatus')
  return {
    hash,
    ...loadIn(slice, loadComplaintBody),
    voters: bounded(loadDict(slice, votersKind)).map(([place]) => place),
    validatorSetId: loadHash(slice),
    weightRemaining: slice.loadIntBig(64),
  }
}

export const complaintsOf = ({ complaints }: PastElection): Complaint[] =>
  bounded(complaints).map(([hash, slice]) => loadComplaint(hash, slice))

export interface ElectorData {
  /** See `readElection`; null when none is open. */
  readonly election: Cell | null
  /** By election id. */
  readonly past: ReadonlyMap<number, PastElection>
  /** Accounts with coins to take back, by account id in the masterchain. */
  readonly credits: Dict<BinaryHash, bigint>
}

/** The data cell of the elector. Throws CellError for what has another layout. */
export function loadElectorData(data: Cell): ElectorData {
  const slice = openCell(data)
  const election = slice.loadMaybeRef()
  const credits = loadDict(slice, creditKind)
  return { election, credits, past: new Map(bounded(loadDict(slice, pastKind), MOST_PAST)) }
}
