import { buildDict, type Cell, type Dict, dictBytesKey, dictKind, emptyDict, unitValue } from '../../cell/index.ts'
import {
  configKind,
  precompiledKind,
  storagePricesKind,
  storeConfigParam,
  type WorkchainDescription,
  workchainsKind,
} from '../../tlb/index.ts'
import { accountListCell, type ConfigValidator, paramListCell, validatorSetCell } from './configSets.ts'
import * as values from './configValues.ts'
import { electionParams, usualElections } from './electionParams.ts'

/** Hashes of the basechain's zerostate, 32 bytes each. */
export interface Basechain {
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export type GenesisValidator = Pick<ConfigValidator, 'publicKey' | 'adnlAddress'>

export interface GenesisConfigOptions {
  /** Names the network in blocks and in signatures of wallets; not zero, and best negative. */
  readonly globalId: number
  /** Of equal weight. */
  readonly validators: readonly GenesisValidator[]
  /** Unix seconds: when the validators' term begins. */
  readonly utime: number
  readonly basechain: Basechain
  /** Account ids in the masterchain of the configuration contract and the elector. */
  readonly configAccount: Uint8Array
  readonly electorAccount: Uint8Array
  /** Instead of the usual parameters, or in addition; null leaves one out. */
  readonly overrides?: ReadonlyMap<number, Cell | null>
}

function checkOptions({ globalId, validators, utime }: GenesisConfigOptions): void {
  if (!Number.isInteger(globalId) || globalId === 0 || globalId < -(2 ** 31) || globalId >= 2 ** 31)
    throw new RangeError(`A global id is a number of 32 bits other than zero, not ${globalId}`)
  if (validators.length === 0) throw new RangeError('A chain needs a validator')
  for (const { publicKey } of validators)
    if (publicKey.length !== 32) throw new RangeError(`A public key has 32 bytes, not ${publicKey.length}`)
  if (!Number.isInteger(utime) || utime < 0 || utime >= 2 ** 32) throw new RangeError(`${utime} is no time in seconds`)
}

/** One workchain, 0, that never splits. */
function workchains({ rootHash, fileHash }: Basechain): Cell {
  const basechain: WorkchainDescription = {
    form: 'v1',
    enabledSince: 0,
    monitorMinSplit: 0,
    minSplit: 0,
    maxSplit: 0,
    basic: true,
    active: true,
    acceptMessages: true,
    flags: null,
    zerostateRootHash: rootHash,
    zerostateFileHash: fileHash,
    version: 0,
    // The machine is the TVM.
    format: { form: 'basic', vmVersion: -1, vmMode: 0n },
  }
  return storeConfigParam(12, emptyDict(workchainsKind).set(0, basechain))
}

function currentValidators({ utime, validators }: GenesisConfigOptions): Cell {
  const weight = values.WEIGHT / BigInt(validators.length)
  const members = validators.map(({ publicKey, adnlAddress }) => ({ publicKey, adnlAddress, weight }))
  return validatorSetCell(utime, Math.min(utime + values.TERM, 2 ** 32 - 1), members)
}

/** The parameters of a new chain. Throws RangeError for a global id, a key or a time that is invalid. */
export function createGenesisConfig(options: GenesisConfigOptions): Dict<number, Cell> {
  checkOptions(options)
  const { configAccount, electorAccount } = options
  const suspended = { addresses: emptyDict(dictKind(dictBytesKey(288), unitValue)), suspendedUntil: 0 }
  const params = new Map<number, Cell | null>([
    [0, storeConfigParam(0, configAccount)],
    [1, storeConfigParam(1, electorAccount)],
    // Burns nothing; it is here because the public parsers refuse a configuration without it.
    [5, storeConfigParam(5, { blackhole: null, feeBurnNumerator: 0, feeBurnDenominator: 1 })],
    [8, storeConfigParam(8, { version: values.VERSION, capabilities: values.CAPABILITIES })],
    [9, paramListCell(values.mandatory)],
    [10, paramListCell(values.critical)],
    [11, storeConfigParam(11, values.voting)],
    [12, workchains(options.basechain)],
    [13, storeConfigParam(13, values.complaintPrices)],
    [14, storeConfigParam(14, values.blockCreation)],
    ...electionParams(usualElections),
    [18, storeConfigParam(18, emptyDict(storagePricesKind).set(0, { utimeSince: 0, ...values.storage }))],
    [19, storeConfigParam(19, options.globalId)],
    [20, storeConfigParam(20, values.gas.masterchain)],
    [21, storeConfigParam(21, values.gas.basechain)],
    [22, storeConfigParam(22, values.limits.masterchain)],
    [23, storeConfigParam(23, values.limits.basechain)],
    [24, storeConfigParam(24, values.forwarding.masterchain)],
    [25, storeConfigParam(25, values.forwarding.basechain)],
    [28, storeConfigParam(28, { ...values.catchain, shardValidators: options.validators.length })],
    [29, storeConfigParam(29, values.consensus)],
    [31, accountListCell([configAccount, electorAccount])],
    [34, currentValidators(options)],
    [44, storeConfigParam(44, suspended)],
    [45, storeConfigParam(45, { list: emptyDict(precompiledKind) })],
    ...(options.overrides ?? []),
  ])
  return buildDict(configKind, [...params].filter(hasValue))
}

const hasValue = (entry: [number, Cell | null]): entry is [number, Cell] => entry[1] !== null
