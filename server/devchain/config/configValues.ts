// The numbers of the real network (masterchain block 52956904), so that what a transfer or a contract costs here is what it
// will cost there. Where the embedded chain must differ, a comment says why.

import { NEWEST_GLOBAL_VERSION } from '../../tvm/index.ts'

export interface GasPriceValues {
  readonly flatLimit: bigint
  readonly flatPrice: bigint
  /** Nanotons per unit of gas, times 65536. */
  readonly price: bigint
  readonly limit: bigint
  readonly specialLimit: bigint
  readonly credit: bigint
  readonly blockLimit: bigint
  readonly freezeDue: bigint
  readonly deleteDue: bigint
}

export interface ForwardPriceValues {
  readonly lump: bigint
  /** Nanotons per bit, times 65536; `cell` likewise. */
  readonly bit: bigint
  readonly cell: bigint
  readonly ihrFactor: number
  readonly firstPart: number
  readonly nextPart: number
}

/** Underload, soft and hard limit. */
export type LimitRange = readonly [number, number, number]

export interface BlockLimitValues {
  readonly bytes: LimitRange
  readonly gas: LimitRange
  readonly ltDelta: LimitRange
}

export interface ProposalValues {
  readonly minTotalRounds: number
  readonly maxTotalRounds: number
  readonly minWins: number
  readonly maxLosses: number
  readonly minStoreSeconds: number
  readonly maxStoreSeconds: number
  readonly bitPrice: number
  readonly cellPrice: number
}

export interface StoragePriceValues {
  readonly bit: bigint
  readonly cell: bigint
  readonly masterchainBit: bigint
  readonly masterchainCell: bigint
}

const ton = 1_000_000_000n

export const VERSION = NEWEST_GLOBAL_VERSION
/** Creator statistics, bounced bodies, version reports, short dequeue records, stored queue sizes. */
export const CAPABILITIES = 0x6en

export const mandatory = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34] as const
export const critical = [0, 1, 9, 10, 12, 14, 15, 16, 17, 34] as const

export const normalProposals: ProposalValues = {
  minTotalRounds: 2,
  maxTotalRounds: 6,
  minWins: 2,
  maxLosses: 5,
  minStoreSeconds: 1_000_000,
  maxStoreSeconds: 10_000_000,
  bitPrice: 1,
  cellPrice: 500,
}

export const criticalProposals: ProposalValues = {
  minTotalRounds: 4,
  maxTotalRounds: 7,
  minWins: 3,
  maxLosses: 5,
  minStoreSeconds: 5_000_000,
  maxStoreSeconds: 20_000_000,
  bitPrice: 2,
  cellPrice: 1000,
}

export const complaintSetup = { deposit: ton, bit: 1n, cell: 500n }
export const blockCreation = { masterchain: 1_700_000_000n, basechain: ton }

/** Seconds: elected for, elections start before, end before, stake held for. */
export const electionTimes = [65536, 32768, 8192, 32768] as const
/** Greatest number of validators, of those of the masterchain, and the smallest: a chain may have a single one. */
export const validatorCounts = [400, 100, 1] as const
export const stakes = { min: 300_000n * ton, max: 10_000_000n * ton, minTotal: 75_000_000n * ton }
export const maxStakeFactor = 3

export const storage: StoragePriceValues = { bit: 1n, cell: 500n, masterchainBit: 1000n, masterchainCell: 500_000n }

export const gas: Readonly<Record<'masterchain' | 'basechain', GasPriceValues>> = {
  masterchain: {
    flatLimit: 100n,
    flatPrice: 1_000_000n,
    price: 10_000n << 16n,
    limit: 1_000_000n,
    specialLimit: 70_000_000n,
    credit: 10_000n,
    blockLimit: 2_500_000n,
    freezeDue: 100_000_000n,
    deleteDue: ton,
  },
  basechain: {
    flatLimit: 100n,
    flatPrice: 40_000n,
    price: 400n << 16n,
    limit: 1_000_000n,
    specialLimit: 1_000_000n,
    credit: 10_000n,
    blockLimit: 10_000_000n,
    freezeDue: 100_000_000n,
    deleteDue: ton,
  },
}

export const limits: Readonly<Record<'masterchain' | 'basechain', BlockLimitValues>> = {
  masterchain: {
    bytes: [131_072, 524_288, 1_048_576],
    gas: [200_000, 1_000_000, 2_500_000],
    ltDelta: [1000, 5000, 10_000],
  },
  basechain: {
    bytes: [262_144, 1_048_576, 2_097_152],
    gas: [2_000_000, 10_000_000, 20_000_000],
    ltDelta: [1000, 5000, 10_000],
  },
}

const parts = { ihrFactor: 98_304, firstPart: 21_845, nextPart: 21_845 }
export const forwarding: Readonly<Record<'masterchain' | 'basechain', ForwardPriceValues>> = {
  masterchain: { lump: 10_000_000n, bit: 10_000n << 16n, cell: 1_000_000n << 16n, ...parts },
  basechain: { lump: 400_000n, bit: 400n << 16n, cell: 40_000n << 16n, ...parts },
}

export const catchainLifetimes = { masterchain: 250, shard: 250, validators: 1000 }

/** `ConsensusConfig`: how nodes talk to each other; readers here only check that it exists. */
export const consensus = {
  roundCandidates: 3,
  words: [2000, 16_000, 3, 8, 4, 2_097_152, 2_097_152],
  protocolVersion: 5,
  catchainMaxBlocksCoefficient: 10_000,
}

/** The first validators' term: longer than any chain here will live. */
export const TERM = 2 ** 30
/** Of all validators together. */
export const WEIGHT = 1n << 60n
