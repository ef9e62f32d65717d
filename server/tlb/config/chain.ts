// Workchains, size limits, elections, voting and the rest of the rules a chain lives by.

import { type Codec, type Dict, dictBytesKey, dictKind, intKey, unitValue } from '../../cell/index.ts'
import {
  coins,
  dict,
  flagField,
  forms,
  hash,
  inlineDict,
  inRef,
  int,
  maybe,
  record,
  tagged,
  u8,
  u16,
  u32,
  u64,
  uint,
  zero,
} from './layout.ts'

export type WorkchainFormat =
  | { readonly form: 'basic'; readonly vmVersion: number; readonly vmMode: bigint }
  | {
      readonly form: 'extended'
      readonly minAddressLength: number
      readonly maxAddressLength: number
      readonly addressLengthStep: number
      readonly workchainType: number
    }

const workchainFormat: Codec<WorkchainFormat> = forms<WorkchainFormat>('WorkchainFormat', 4, {
  basic: [1, record({ vmVersion: int(32), vmMode: u64 })],
  extended: [
    0,
    record({
      minAddressLength: uint(12),
      maxAddressLength: uint(12),
      addressLengthStep: uint(12),
      workchainType: u32,
    }),
  ],
})

interface WorkchainBasics {
  readonly enabledSince: number
  readonly monitorMinSplit: number
  readonly minSplit: number
  readonly maxSplit: number
  readonly basic: boolean
  readonly active: boolean
  readonly acceptMessages: boolean
  readonly flags: null
  readonly zerostateRootHash: Uint8Array
  readonly zerostateFileHash: Uint8Array
  readonly version: number
  readonly format: WorkchainFormat
}

export interface SplitMergeTimings {
  readonly delay: number
  readonly interval: number
  readonly minInterval: number
  readonly maxDelay: number
}

export type WorkchainDescription =
  | ({ readonly form: 'v1' } & WorkchainBasics)
  | ({
      readonly form: 'v2'
      readonly splitMergeTimings: SplitMergeTimings
      readonly persistentStateSplitDepth: number
    } & WorkchainBasics)

const basics = {
  enabledSince: u32,
  monitorMinSplit: u8,
  minSplit: u8,
  maxSplit: u8,
  basic: flagField,
  active: flagField,
  acceptMessages: flagField,
  flags: zero(13),
  zerostateRootHash: hash,
  zerostateFileHash: hash,
  version: u32,
  format: workchainFormat,
}

export const workchainsKind = dictKind(
  intKey(32),
  forms<WorkchainDescription>('WorkchainDescr', 8, {
    v1: [0xa6, record(basics)],
    v2: [
      0xa7,
      record({
        ...basics,
        splitMergeTimings: tagged<SplitMergeTimings>('WcSplitMergeTimings', 0, 4, {
          delay: u32,
          interval: u32,
          minInterval: u32,
          maxDelay: u32,
        }),
        persistentStateSplitDepth: u8,
      }),
    ],
  }),
)

interface BasicSizes {
  readonly maxMessageBits: number
  readonly maxMessageCells: number
  readonly maxLibraryCells: number
  readonly maxVmDataDepth: number
  readonly maxExternalMessageSize: number
  readonly maxExternalMessageDepth: number
}

interface AccountSizes extends BasicSizes {
  readonly maxAccountCells: number
  readonly maxMasterAccountCells: number
  readonly maxPublicLibraries: number
  readonly deferOutQueueSize: number
  readonly maxExtraCurrencies: number
  readonly maxFixedPrefixLength: number
  readonly accountCellsForStorageDict: number
  readonly maxLibraryLoads: number | null
}

export type SizeLimits =
  | ({ readonly form: 'v1' } & BasicSizes)
  | ({ readonly form: 'v2' } & AccountSizes)
  | ({
      readonly form: 'v3'
      readonly maxTotalMessageBits: number
      readonly maxTotalMessageCells: number
    } & AccountSizes)

const basicSizes = {
  maxMessageBits: u32,
  maxMessageCells: u32,
  maxLibraryCells: u32,
  maxVmDataDepth: u16,
  maxExternalMessageSize: u32,
  maxExternalMessageDepth: u16,
}
const accountSizes = {
  ...basicSizes,
  maxAccountCells: u32,
  maxMasterAccountCells: u32,
  maxPublicLibraries: u32,
  deferOutQueueSize: u32,
  maxExtraCurrencies: u32,
  maxFixedPrefixLength: u8,
  accountCellsForStorageDict: u32,
  maxLibraryLoads: maybe(u32),
}

export const sizeLimits: Codec<SizeLimits> = forms<SizeLimits>('SizeLimitsConfig', 8, {
  v1: [1, record(basicSizes)],
  v2: [2, record(accountSizes)],
  v3: [3, record({ ...accountSizes, maxTotalMessageBits: u32, maxTotalMessageCells: u32 })],
})

export interface BurningConfig {
  readonly blackhole: Uint8Array | null
  readonly feeBurnNumerator: number
  readonly feeBurnDenominator: number
}

export const burningConfig: Codec<BurningConfig> = tagged('BurningConfig', 1, 8, {
  blackhole: maybe(hash),
  feeBurnNumerator: u32,
  feeBurnDenominator: u32,
})

/** A set of parameter numbers. */
const paramSetKind = dictKind(intKey(32), unitValue)
/** A set of account ids. */
const accountSetKind = dictKind(dictBytesKey(256), unitValue)

export interface ProposalSetup {
  readonly minTotalRounds: number
  readonly maxTotalRounds: number
  readonly minWins: number
  readonly maxLosses: number
  readonly minStoreSeconds: number
  readonly maxStoreSeconds: number
  readonly bitPrice: number
  readonly cellPrice: number
}

const proposalSetup: Codec<ProposalSetup> = tagged('ConfigProposalSetup', 0x36, 8, {
  minTotalRounds: u8,
  maxTotalRounds: u8,
  minWins: u8,
  maxLosses: u8,
  minStoreSeconds: u32,
  maxStoreSeconds: u32,
  bitPrice: u32,
  cellPrice: u32,
})

export interface VotingSetup {
  readonly normal: ProposalSetup
  readonly critical: ProposalSetup
}

export const votingSetup: Codec<VotingSetup> = tagged('ConfigVotingSetup', 0x91, 8, {
  normal: inRef(proposalSetup),
  critical: inRef(proposalSetup),
})

export interface MisbehaviourPunishment {
  readonly flatFine: bigint
  readonly proportionalFine: number
  readonly severityFlat: number
  readonly severityProportional: number
  readonly unpunishableInterval: number
  readonly longInterval: number
  readonly longFlat: number
  readonly longProportional: number
  readonly mediumInterval: number
  readonly mediumFlat: number
  readonly mediumProportional: number
}

export const misbehaviourPunishment: Codec<MisbehaviourPunishment> = tagged('MisbehaviourPunishmentConfig', 1, 8, {
  flatFine: coins,
  proportionalFine: u32,
  severityFlat: u16,
  severityProportional: u16,
  unpunishableInterval: u16,
  longInterval: u16,
  longFlat: u16,
  longProportional: u16,
  mediumInterval: u16,
  mediumFlat: u16,
  mediumProportional: u16,
})

export interface SuspendedAddresses {
  /** By workchain (32 bits) and account id. */
  readonly addresses: Dict<Uint8Array, true>
  readonly suspendedUntil: number
}

export const suspendedAddresses: Codec<SuspendedAddresses> = tagged('SuspendedAddressList', 0, 8, {
  addresses: dict(dictKind(dictBytesKey(288), unitValue)),
  suspendedUntil: u32,
})

/** Gas of contracts the node runs without TVM, by code hash. */
export const precompiledKind = dictKind(
  dictBytesKey(256),
  tagged<{ readonly gasUsage: bigint }>('PrecompiledSmc', 0xb0, 8, { gasUsage: u64 }),
)

export const paramSet = inlineDict(paramSetKind)
export const accountSet = dict(accountSetKind)
