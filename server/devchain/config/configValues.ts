// The numbers of the real network (masterchain block 52956904), so that what a transfer or a contract costs here is what it
// will cost there. Where the embedded chain must differ, a comment says why.

import type {
  BlockLimits,
  CatchainConfig,
  ConfigValue,
  ConsensusConfig,
  ForwardPrices,
  GasPrices,
  StoragePrices,
} from '../../tlb/index.ts'
import { NEWEST_GLOBAL_VERSION } from '../../tvm/index.ts'

const ton = 1_000_000_000n

export const VERSION = NEWEST_GLOBAL_VERSION
/** Creator statistics, bounced bodies, version reports, short dequeue records, stored queue sizes. */
export const CAPABILITIES = 0x6en

export const mandatory = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34] as const
export const critical = [0, 1, 9, 10, 12, 14, 15, 16, 17, 34] as const

const normalProposals: ConfigValue<11>['normal'] = {
  minTotalRounds: 2,
  maxTotalRounds: 6,
  minWins: 2,
  maxLosses: 5,
  minStoreSeconds: 1_000_000,
  maxStoreSeconds: 10_000_000,
  bitPrice: 1,
  cellPrice: 500,
}

const criticalProposals: ConfigValue<11>['critical'] = {
  minTotalRounds: 4,
  maxTotalRounds: 7,
  minWins: 3,
  maxLosses: 5,
  minStoreSeconds: 5_000_000,
  maxStoreSeconds: 20_000_000,
  bitPrice: 2,
  cellPrice: 1000,
}

export const voting: ConfigValue<11> = { normal: normalProposals, critical: criticalProposals }

export const complaintPrices: ConfigValue<13> = { deposit: ton, bitPrice: 1n, cellPrice: 500n }
export const blockCreation: ConfigValue<14> = { masterchain: 1_700_000_000n, basechain: ton }

/** Seconds: elected for, elections start before, end before, stake held for. */
export const electionTimes = [65536, 32768, 8192, 32768] as const
/** Greatest number of validators, of those of the masterchain, and the smallest: a chain may have a single one. */
export const validatorCounts = [400, 100, 1] as const
export const stakes = { min: 300_000n * ton, max: 10_000_000n * ton, minTotal: 75_000_000n * ton }
export const maxStakeFactor = 3

export const storage: Omit<StoragePrices, 'utimeSince'> = {
  bitPrice: 1n,
  cellPrice: 500n,
  masterBitPrice: 1000n,
  masterCellPrice: 500_000n,
}

export const gas: Readonly<Record<'masterchain' | 'basechain', GasPrices>> = {
  masterchain: {
    flat: { gasLimit: 100n, gasPrice: 1_000_000n },
    gasPrice: 10_000n << 16n,
    gasLimit: 1_000_000n,
    specialGasLimit: 70_000_000n,
    gasCredit: 10_000n,
    blockGasLimit: 2_500_000n,
    freezeDueLimit: 100_000_000n,
    deleteDueLimit: ton,
  },
  basechain: {
    flat: { gasLimit: 100n, gasPrice: 40_000n },
    gasPrice: 400n << 16n,
    gasLimit: 1_000_000n,
    specialGasLimit: 1_000_000n,
    gasCredit: 10_000n,
    blockGasLimit: 10_000_000n,
    freezeDueLimit: 100_000_000n,
    deleteDueLimit: ton,
  },
}

export const limits: Readonly<Record<'masterchain' | 'basechain', BlockLimits>> = {
  masterchain: {
    form: 'v1',
    bytes: { underload: 131_072, soft: 524_288, hard: 1_048_576 },
    gas: { underload: 200_000, soft: 1_000_000, hard: 2_500_000 },
    ltDelta: { underload: 1000, soft: 5000, hard: 10_000 },
  },
  basechain: {
    form: 'v1',
    bytes: { underload: 262_144, soft: 1_048_576, hard: 2_097_152 },
    gas: { underload: 2_000_000, soft: 10_000_000, hard: 20_000_000 },
    ltDelta: { underload: 1000, soft: 5000, hard: 10_000 },
  },
}

const parts = { ihrFactor: 98_304, firstFraction: 21_845, nextFraction: 21_845 }
export const forwarding: Readonly<Record<'masterchain' | 'basechain', ForwardPrices>> = {
  masterchain: { lumpPrice: 10_000_000n, bitPrice: 10_000n << 16n, cellPrice: 1_000_000n << 16n, ...parts },
  basechain: { lumpPrice: 400_000n, bitPrice: 400n << 16n, cellPrice: 40_000n << 16n, ...parts },
}

/** Without the number of validators. */
export const catchain: Omit<Extract<CatchainConfig, { form: 'v2' }>, 'shardValidators'> = {
  form: 'v2',
  flags: null,
  shuffleMasterValidators: false,
  masterCatchainLifetime: 250,
  shardCatchainLifetime: 250,
  shardValidatorsLifetime: 1000,
}

/** How nodes talk to each other; readers here only check that it exists. */
export const consensus: ConsensusConfig = {
  form: 'v4',
  flags: null,
  useQuic: false,
  newCatchainIds: true,
  roundCandidates: 3,
  nextCandidateDelayMs: 2000,
  consensusTimeoutMs: 16_000,
  fastAttempts: 3,
  attemptDuration: 8,
  catchainMaxDeps: 4,
  maxBlockBytes: 2_097_152,
  maxCollatedBytes: 2_097_152,
  protocolVersion: 5,
  maxBlocksCoefficient: 10_000,
}

/** The first validators' term: longer than any chain here will live. */
export const TERM = 2 ** 30
/** Of all validators together. */
export const WEIGHT = 1n << 60n
