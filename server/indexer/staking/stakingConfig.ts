// What elections need of the configuration.

import { accountKey } from '../../facts/index.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import type { AccountKey } from '../../store/index.ts'
import { type ConfigParams, type ConfigValue, readableParam, type ValidatorSet } from '../../tlb/index.ts'

export interface KnownSet {
  /** Of the parameter's cell. */
  readonly hash: Uint8Array
  readonly set: ValidatorSet
}

export interface StakingConfig {
  readonly elector: AccountKey
  /** Next, current and previous validators, as far as there are any. */
  readonly sets: readonly KnownSet[]
  readonly current: KnownSet | null
  readonly times: ConfigValue<15>
  readonly counts: ConfigValue<16>
  readonly stakes: ConfigValue<17>
}

const [PREVIOUS, CURRENT, NEXT] = [32, 34, 36] as const
export const STAKING_PARAMS = [1, 15, 16, 17, PREVIOUS, CURRENT, NEXT] as const

function setOf(config: ConfigParams, number: typeof PREVIOUS | typeof CURRENT | typeof NEXT): KnownSet | null {
  const cell = config.params.get(number)
  const set = readableParam(config, number)
  return cell === undefined || set === null ? null : { hash: cell.hashBytes(), set }
}

/** Null for a chain that holds no elections. */
export function readStakingConfig(config: ConfigParams): StakingConfig | null {
  const elector = readableParam(config, 1)
  const times = readableParam(config, 15)
  const counts = readableParam(config, 16)
  const stakes = readableParam(config, 17)
  if (elector === null || times === null || counts === null || stakes === null) return null
  const current = setOf(config, CURRENT)
  const sets = [setOf(config, NEXT), current, setOf(config, PREVIOUS)].filter((one) => one !== null)
  return { elector: accountKey(MASTERCHAIN, elector), sets, current, times, counts, stakes }
}
