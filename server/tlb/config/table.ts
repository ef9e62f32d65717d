// Every known configuration parameter by number, with its type.

import { type Cell, type Codec, orNull } from '../../cell/index.ts'
import { extraCurrencyKind } from '../currency.ts'
import { fromCell, toCell } from '../fields.ts'
import { loadGlobalVersion, storeGlobalVersion } from '../globalVersion.ts'
import { jettonBridge, oracleBridge } from './bridges.ts'
import {
  accountSet,
  burningConfig,
  misbehaviourPunishment,
  paramSet,
  precompiledKind,
  sizeLimits,
  suspendedAddresses,
  votingSetup,
  workchainsKind,
} from './chain.ts'
import { catchainConfig, consensusConfig, simplexConfigs } from './consensus.ts'
import { coins, dict, hash, inlineDict, int, record, tagged, u16, u32 } from './layout.ts'
import type { ConfigParams } from './params.ts'
import { blockLimits, createFees, forwardPrices, gasPrices, storagePricesKind } from './prices.ts'
import { temporaryKeysKind, validatorSet } from './validators.ts'

const globalVersion = {
  load: loadGlobalVersion,
  store: (...[builder, value]: Parameters<typeof storeGlobalVersion>) => void storeGlobalVersion(builder, value),
}

const mintPrices = record({ newPrice: coins, addPrice: coins })
const complaintPrices = tagged('ComplaintPricing', 0x1a, 8, { deposit: coins, bitPrice: coins, cellPrice: coins })
const electionTiming = record({ electedFor: u32, startBefore: u32, endBefore: u32, stakeHeldFor: u32 })
const validatorCounts = record({ max: u16, maxMain: u16, min: u16 })
const stakeLimits = record({ min: coins, max: coins, minTotal: coins, maxFactor: u32 })
const precompiled = tagged('PrecompiledContractsConfig', 0xc0, 8, { list: dict(precompiledKind) })

const configTable = {
  /** Config contract; an account id of the masterchain, like the four that follow. */
  0: hash,
  /** Elector. */
  1: hash,
  /** Minter. */
  2: hash,
  /** Fee collector. */
  3: hash,
  /** Root of DNS. */
  4: hash,
  5: burningConfig,
  6: mintPrices,
  7: dict(extraCurrencyKind),
  8: globalVersion,
  /** Parameters that must be there. */
  9: paramSet,
  /** Parameters that take more votes to change. */
  10: paramSet,
  11: votingSetup,
  12: dict(workchainsKind),
  13: complaintPrices,
  14: createFees,
  15: electionTiming,
  16: validatorCounts,
  17: stakeLimits,
  18: inlineDict(storagePricesKind),
  /** Global id. */
  19: int(32),
  20: gasPrices,
  21: gasPrices,
  22: blockLimits,
  23: blockLimits,
  24: forwardPrices,
  25: forwardPrices,
  28: catchainConfig,
  29: consensusConfig,
  30: simplexConfigs,
  /** Contracts that pay no gas. */
  31: accountSet,
  /** Previous, current and next validators, each followed by the set that signs with temporary keys. */
  32: validatorSet,
  33: validatorSet,
  34: validatorSet,
  35: validatorSet,
  36: validatorSet,
  37: validatorSet,
  39: dict(temporaryKeysKind),
  40: misbehaviourPunishment,
  43: sizeLimits,
  44: suspendedAddresses,
  45: precompiled,
  71: oracleBridge,
  72: oracleBridge,
  73: oracleBridge,
  79: jettonBridge,
  81: jettonBridge,
  82: jettonBridge,
} as const

export type ConfigNumber = keyof typeof configTable
export type ConfigValue<N extends ConfigNumber> = (typeof configTable)[N] extends Codec<infer T> ? T : never

export const isConfigNumber = (number: number): number is ConfigNumber => number in configTable

// The cast: a lookup by a generic number loses which entry it meets; `ConfigValue` names that entry's value.
const codecOf = <N extends ConfigNumber>(number: N): Codec<ConfigValue<N>> =>
  configTable[number] as unknown as Codec<ConfigValue<N>>

/** The value in the cell of a parameter. */
export const loadConfigParam = <N extends ConfigNumber>(number: N, cell: Cell): ConfigValue<N> =>
  fromCell(cell, codecOf(number).load)

/** The cell of a parameter with this value. */
export const storeConfigParam = <N extends ConfigNumber>(number: N, value: ConfigValue<N>): Cell =>
  toCell(value, codecOf(number).store)

/** A parameter of a configuration; null when it is not set. */
export function configParam<N extends ConfigNumber>(config: ConfigParams, number: N): ConfigValue<N> | null {
  const cell = config.params.get(number)
  return cell === undefined ? null : loadConfigParam(number, cell)
}

/** The same; null also when its cell cannot be read, as on networks that people make for tests. */
export function readableParam<N extends ConfigNumber>(
  { params }: { readonly params: Pick<ReadonlyMap<number, Cell>, 'get'> },
  number: N,
): ConfigValue<N> | null {
  const cell = params.get(number)
  return cell === undefined ? null : orNull(() => loadConfigParam(number, cell))
}
