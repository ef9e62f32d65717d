import { beginCell, buildDict, type Cell, type Dict, dictKind, intKey, refValue } from '../../cell/index.ts'
import * as shapes from './configCells.ts'
import * as values from './configValues.ts'
import { electionParams, usualElections } from './electionParams.ts'

/** Hashes of the basechain's zerostate, 32 bytes each. */
export interface Basechain {
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export type GenesisValidator = Pick<shapes.ConfigValidator, 'publicKey' | 'adnlAddress'>

export interface GenesisConfigOptions {
  /** Names the network in blocks and in signatures of wallets; not zero, and best negative. */
  readonly globalId: number
  /** Of equal weight. */
  readonly validators: readonly GenesisValidator[]
  /** Unix seconds: when the validators' term begins. */
  readonly utime: number
  readonly basechain: Basechain
  /** Account ids in the masterchain of the configuration contract, the elector and, if there is one, the root of DNS. */
  readonly configAccount: Uint8Array
  readonly electorAccount: Uint8Array
  readonly dnsRoot?: Uint8Array
  /** Instead of the usual parameters, or in addition; null leaves one out. */
  readonly overrides?: ReadonlyMap<number, Cell | null>
}

/** `Hashmap 32 ^Cell`. */
const configKind = dictKind(intKey(32), refValue)

function checkOptions({ globalId, validators, utime }: GenesisConfigOptions): void {
  if (!Number.isInteger(globalId) || globalId === 0 || globalId < -(2 ** 31) || globalId >= 2 ** 31)
    throw new RangeError(`A global id is a number of 32 bits other than zero, not ${globalId}`)
  if (validators.length === 0) throw new RangeError('A chain needs a validator')
  for (const { publicKey } of validators)
    if (publicKey.length !== 32) throw new RangeError(`A public key has 32 bytes, not ${publicKey.length}`)
  if (!Number.isInteger(utime) || utime < 0 || utime >= 2 ** 32) throw new RangeError(`${utime} is no time in seconds`)
}

function consensusParam(): Cell {
  const { roundCandidates, words, protocolVersion, catchainMaxBlocksCoefficient } = values.consensus
  const builder = beginCell().storeUint(0xd9, 8).storeUint(1, 8).storeUint(roundCandidates, 8)
  for (const word of words) builder.storeUint(word, 32)
  return builder.storeUint(protocolVersion, 16).storeUint(catchainMaxBlocksCoefficient, 32).end()
}

function currentValidators({ utime, validators }: GenesisConfigOptions): Cell {
  const weight = values.WEIGHT / BigInt(validators.length)
  const members = validators.map(({ publicKey, adnlAddress }) => ({ publicKey, adnlAddress, weight }))
  return shapes.validatorSetCell(utime, Math.min(utime + values.TERM, 2 ** 32 - 1), members)
}

/** The parameters of a new chain. Throws RangeError for a global id, a key or a time that is invalid. */
export function createGenesisConfig(options: GenesisConfigOptions): Dict<number, Cell> {
  checkOptions(options)
  const { configAccount, electorAccount, dnsRoot } = options
  const params = new Map<number, Cell | null>([
    [0, shapes.accountParam(configAccount)],
    [1, shapes.accountParam(electorAccount)],
    [4, dnsRoot === undefined ? null : shapes.accountParam(dnsRoot)],
    // Burns nothing; it is here because the public parsers refuse a configuration without it.
    [5, shapes.noBurning()],
    [8, shapes.globalVersion(values.VERSION, values.CAPABILITIES)],
    [9, shapes.paramList(values.mandatory)],
    [10, shapes.paramList(values.critical)],
    [11, shapes.votingSetupCell(values.normalProposals, values.criticalProposals)],
    [12, shapes.workchains(options.basechain)],
    [13, shapes.complaintPrices(values.complaintSetup)],
    [14, shapes.blockCreateFees(values.blockCreation)],
    ...electionParams(usualElections),
    [18, shapes.storagePrices(0, values.storage)],
    [19, shapes.globalIdParam(options.globalId)],
    [20, shapes.gasPricesCell(values.gas.masterchain)],
    [21, shapes.gasPricesCell(values.gas.basechain)],
    [22, shapes.blockLimitsCell(values.limits.masterchain)],
    [23, shapes.blockLimitsCell(values.limits.basechain)],
    [24, shapes.forwardPricesCell(values.forwarding.masterchain)],
    [25, shapes.forwardPricesCell(values.forwarding.basechain)],
    [28, shapes.catchain(values.catchainLifetimes, options.validators.length)],
    [29, consensusParam()],
    [31, shapes.accountList([configAccount, electorAccount])],
    [34, currentValidators(options)],
    [44, shapes.noneSuspended()],
    [45, shapes.nothingPrecompiled()],
    ...(options.overrides ?? []),
  ])
  return buildDict(configKind, [...params].filter(hasValue))
}

const hasValue = (entry: [number, Cell | null]): entry is [number, Cell] => entry[1] !== null
