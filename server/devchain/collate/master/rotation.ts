// Catchain numbers: validators are chosen again at every key block and whenever an interval of time begins.

import { currentValidators, type Validator } from '../../../node/index.ts'
import { type ConfigParams, configParam, FULL_SHARD } from '../../../tlb/index.ts'
import { BASECHAIN, MASTERCHAIN, type MasterState } from '../../state/index.ts'

export interface Rotation {
  readonly master: boolean
  readonly shards: boolean
}

export function rotationAt(previous: MasterState, utime: number, isKey: boolean): Rotation {
  if (isKey) return { master: true, shards: true }
  const catchain = configParam(previous.extra.config, 28)
  if (catchain === null) return { master: false, shards: false }
  const begins = (lifetime: number) => Math.floor(utime / lifetime) > Math.floor(previous.utime / lifetime)
  return { master: begins(catchain.masterCatchainLifetime), shards: begins(catchain.shardCatchainLifetime) }
}

/** The validators that make the next blocks of the masterchain. */
export const masterValidators = (config: ConfigParams, catchainSeqno: number): readonly Validator[] =>
  currentValidators(config, { workchain: MASTERCHAIN, shard: FULL_SHARD }, catchainSeqno)

/** The validators that make the next blocks of the basechain: drawn from the set, each of weight 1. */
export const shardValidators = (config: ConfigParams, catchainSeqno: number): readonly Validator[] =>
  currentValidators(config, { workchain: BASECHAIN, shard: FULL_SHARD }, catchainSeqno)
