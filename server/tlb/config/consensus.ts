// How validators agree: rotation, rounds and timeouts.

import { type Codec, type Dict, dictKind, uintKey, uintValue } from '../../cell/index.ts'
import { dict, flagField, forms, inRef, maybe, record, tagged, u8, u16, u32, uint, zero } from './layout.ts'

interface Lifetimes {
  /** Seconds. */
  readonly masterCatchainLifetime: number
  readonly shardCatchainLifetime: number
  readonly shardValidatorsLifetime: number
  readonly shardValidators: number
}

export type CatchainConfig =
  | ({ readonly form: 'v1' } & Lifetimes)
  | ({ readonly form: 'v2'; readonly flags: null; readonly shuffleMasterValidators: boolean } & Lifetimes)

const lifetimes = {
  masterCatchainLifetime: u32,
  shardCatchainLifetime: u32,
  shardValidatorsLifetime: u32,
  shardValidators: u32,
}

export const catchainConfig: Codec<CatchainConfig> = forms<CatchainConfig>('CatchainConfig', 8, {
  v1: [0xc1, record(lifetimes)],
  v2: [0xc2, record({ flags: zero(7), shuffleMasterValidators: flagField, ...lifetimes })],
})

interface Rounds {
  readonly roundCandidates: number
  readonly nextCandidateDelayMs: number
  readonly consensusTimeoutMs: number
  readonly fastAttempts: number
  readonly attemptDuration: number
  readonly catchainMaxDeps: number
  readonly maxBlockBytes: number
  readonly maxCollatedBytes: number
}

interface NewIds {
  readonly flags: null
  readonly newCatchainIds: boolean
}

export type ConsensusConfig =
  | ({ readonly form: 'v1' } & Rounds)
  | ({ readonly form: 'v2' } & NewIds & Rounds)
  | ({ readonly form: 'v3'; readonly protocolVersion: number } & NewIds & Rounds)
  | ({
      readonly form: 'v4'
      readonly useQuic: boolean
      readonly protocolVersion: number
      readonly maxBlocksCoefficient: number
    } & NewIds &
      Rounds)

const afterCandidates = {
  nextCandidateDelayMs: u32,
  consensusTimeoutMs: u32,
  fastAttempts: u32,
  attemptDuration: u32,
  catchainMaxDeps: u32,
  maxBlockBytes: u32,
  maxCollatedBytes: u32,
}
const newIds = { flags: zero(7), newCatchainIds: flagField, roundCandidates: u8, ...afterCandidates }

export const consensusConfig: Codec<ConsensusConfig> = forms<ConsensusConfig>('ConsensusConfig', 8, {
  v1: [0xd6, record({ roundCandidates: u32, ...afterCandidates })],
  v2: [0xd7, record(newIds)],
  v3: [0xd8, record({ ...newIds, protocolVersion: u16 })],
  v4: [
    0xd9,
    record({
      flags: zero(6),
      useQuic: flagField,
      newCatchainIds: flagField,
      roundCandidates: u8,
      ...afterCandidates,
      protocolVersion: u16,
      maxBlocksCoefficient: u32,
    }),
  ],
})

export const simplexParamsKind = dictKind(uintKey(8), uintValue(32))

export type SimplexConfig =
  | {
      readonly form: 'v1'
      readonly flags: number
      readonly useQuic: boolean
      readonly targetRateMs: number
      readonly slotsPerLeaderWindow: number
      readonly firstBlockTimeoutMs: number
      readonly maxLeaderWindowDesync: number
    }
  | {
      readonly form: 'v2'
      readonly flags: number
      readonly protocolVersion: number
      readonly useQuic: boolean
      readonly slotsPerLeaderWindow: number
      readonly noncriticalParams: Dict<number, number>
    }

const simplexConfig: Codec<SimplexConfig> = forms<SimplexConfig>('NewConsensusConfig', 8, {
  v1: [
    0x21,
    record({
      flags: uint(7),
      useQuic: flagField,
      targetRateMs: u32,
      slotsPerLeaderWindow: u32,
      firstBlockTimeoutMs: u32,
      maxLeaderWindowDesync: u32,
    }),
  ],
  v2: [
    0x22,
    record({
      flags: uint(5),
      protocolVersion: uint(2),
      useQuic: flagField,
      slotsPerLeaderWindow: u32,
      noncriticalParams: dict(simplexParamsKind),
    }),
  ],
})

export interface SimplexConfigs {
  readonly masterchain: SimplexConfig | null
  readonly shards: SimplexConfig | null
}

export const simplexConfigs: Codec<SimplexConfigs> = tagged('NewConsensusConfigAll', 0x10, 8, {
  masterchain: maybe(inRef(simplexConfig)),
  shards: maybe(inRef(simplexConfig)),
})
