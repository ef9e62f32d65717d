// Catchain numbers: who signs is chosen anew at every key block and whenever an interval of time begins.

import type { Validator } from '../../../node/index.ts'
import { type ConfigParams, configParam } from '../../../tlb/index.ts'
import type { MasterState } from '../../state/index.ts'

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

const NO_ADDRESS = new Uint8Array(32)

/** The validators of the masterchain: the first ones of parameter 34, without shuffling. */
export function masterValidators(config: ConfigParams): Validator[] {
  const set = configParam(config, 34)
  if (set === null) throw new Error('A configuration without validators')
  const validators: Validator[] = []
  for (const { publicKey, weight, adnlAddress } of set.list.values())
    if (validators.length < set.main) validators.push({ publicKey, weight, adnlAddress: adnlAddress ?? NO_ADDRESS })
  return validators
}

/** The same people in a shard, where each weighs 1. */
export function shardValidators(config: ConfigParams): Validator[] {
  const count = configParam(config, 28)?.shardValidators ?? 1
  return masterValidators(config)
    .slice(0, count)
    .map((validator) => ({ ...validator, weight: 1n }))
}
