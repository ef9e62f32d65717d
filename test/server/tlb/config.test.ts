import { defaultConfig } from '@ton/sandbox'
import { describe, expect, test } from 'vitest'
import { buildDict, type Cell, Dict, emptyDict, readBoc } from '../../../server/cell/index.ts'
import {
  type BlockLimits,
  type CatchainConfig,
  type ConfigNumber,
  type ConfigValue,
  type ConsensusConfig,
  configKind,
  configParam,
  type GasPrices,
  isConfigNumber,
  type JettonBridge,
  loadConfigParam,
  type SizeLimits,
  simplexParamsKind,
  storeConfigParam,
  TlbError,
  temporaryKeysKind,
  validatorsKind,
  type WorkchainDescription,
  workchainsKind,
} from '../../../server/tlb/index.ts'
import { bytes, leaf } from './samples.ts'

const mainnet = new Dict(configKind, readBoc(new Uint8Array(Buffer.from(defaultConfig, 'base64'))))
const config = { address: bytes(0x55), params: mainnet }

/** Stores a value, loads it, stores it again, and returns what was loaded. */
function again<N extends ConfigNumber>(number: N, value: ConfigValue<N>): ConfigValue<N> {
  const cell = storeConfigParam(number, value)
  const loaded = loadConfigParam(number, cell)
  expect(storeConfigParam(number, loaded).hash()).toBe(cell.hash())
  return loaded
}

describe('the configuration of a real network', () => {
  const known = [...mainnet.entries()].filter((entry): entry is [ConfigNumber, Cell] => isConfigNumber(entry[0]))

  test('default: all its parameters are known but those that are private to it', () => {
    expect(known.length).toBeGreaterThan(30)
    expect([...mainnet.keys()].filter((number) => number >= 0 && !isConfigNumber(number))).toEqual([])
  })

  test.each(known)('default: parameter %i is stored as it was', (number, cell) => {
    expect(storeConfigParam(number, loadConfigParam(number, cell)).hashHex()).toBe(cell.hashHex())
  })

  test('behavior: values are what they are known to be', () => {
    expect(Buffer.from(configParam(config, 0) ?? []).toString('hex')).toBe('55'.repeat(32))
    expect(Buffer.from(configParam(config, 1) ?? []).toString('hex')).toBe('33'.repeat(32))
    expect(configParam(config, 19)).toBe(-239)
    const validators = configParam(config, 34)
    expect(validators?.list.count()).toBe(validators?.total)
    const weights = [...(validators?.list.values() ?? [])].reduce((sum, { weight }) => sum + weight, 0n)
    expect(weights).toBe(validators?.totalWeight)
    expect([...(configParam(config, 12)?.keys() ?? [])]).toEqual([0])
    expect(configParam(config, 17)?.min).toBeGreaterThan(10n ** 14n)
    expect(configParam(config, 40)).toBeNull()
  })
})

describe('forms a real network does not use', () => {
  test('default: gas prices with and without a flat part and a special limit', () => {
    const gas: GasPrices = {
      flat: { gasLimit: 100n, gasPrice: 40_000n },
      gasPrice: 1n,
      gasLimit: 2n,
      specialGasLimit: 3n,
      gasCredit: 4n,
      blockGasLimit: 5n,
      freezeDueLimit: 6n,
      deleteDueLimit: 7n,
    }
    for (const value of [gas, { ...gas, flat: null }, { ...gas, specialGasLimit: null }])
      expect(again(20, value)).toEqual(value)
  })

  test('default: block limits of both versions', () => {
    const limits = { underload: 1, soft: 2, hard: 3 }
    const old: BlockLimits = { form: 'v1', bytes: limits, gas: limits, ltDelta: limits }
    const importedQueue = { maxBytes: 4, maxMessages: 5 }
    expect(again(22, old)).toEqual(old)
    const newer: BlockLimits = { ...old, form: 'v2', collatedData: limits, importedQueue }
    expect(again(23, newer)).toEqual(newer)
  })

  test('default: consensus of all versions', () => {
    const lifetimes = {
      masterCatchainLifetime: 250,
      shardCatchainLifetime: 251,
      shardValidatorsLifetime: 1000,
      shardValidators: 1,
    }
    const catchains: CatchainConfig[] = [
      { form: 'v1', ...lifetimes },
      { form: 'v2', flags: null, shuffleMasterValidators: true, ...lifetimes },
    ]
    for (const value of catchains) expect(again(28, value)).toEqual(value)
    const rounds = {
      roundCandidates: 3,
      nextCandidateDelayMs: 4,
      consensusTimeoutMs: 5,
      fastAttempts: 6,
      attemptDuration: 7,
      catchainMaxDeps: 8,
      maxBlockBytes: 9,
      maxCollatedBytes: 10,
    }
    const newer = { flags: null, newCatchainIds: true, ...rounds }
    const all: ConsensusConfig[] = [
      { form: 'v1', ...rounds },
      { form: 'v2', ...newer },
      { form: 'v3', ...newer, protocolVersion: 5 },
      { form: 'v4', ...newer, useQuic: true, protocolVersion: 5, maxBlocksCoefficient: 6 },
    ]
    for (const value of all) expect(again(29, value)).toEqual(value)
    const simplex = {
      masterchain: {
        form: 'v1',
        flags: 0,
        useQuic: true,
        targetRateMs: 1,
        slotsPerLeaderWindow: 2,
        firstBlockTimeoutMs: 3,
        maxLeaderWindowDesync: 4,
      },
      shards: {
        form: 'v2',
        flags: 1,
        protocolVersion: 2,
        useQuic: false,
        slotsPerLeaderWindow: 5,
        noncriticalParams: buildDict(simplexParamsKind, [[1, 7]] as const),
      },
    } as const
    expect(again(30, simplex).masterchain).toEqual(simplex.masterchain)
    expect(again(30, { masterchain: null, shards: null })).toEqual({ masterchain: null, shards: null })
  })

  test('default: workchains, size limits, validators and temporary keys', () => {
    const workchain: WorkchainDescription = {
      form: 'v1',
      enabledSince: 0,
      monitorMinSplit: 0,
      minSplit: 0,
      maxSplit: 0,
      basic: true,
      active: true,
      acceptMessages: true,
      flags: null,
      zerostateRootHash: bytes(1),
      zerostateFileHash: bytes(2),
      version: 0,
      format: { form: 'basic', vmVersion: -1, vmMode: 0n },
    }
    const format = {
      form: 'extended',
      minAddressLength: 64,
      maxAddressLength: 512,
      addressLengthStep: 8,
      workchainType: 1,
    } as const
    const splitMergeTimings = { delay: 1, interval: 2, minInterval: 3, maxDelay: 4 }
    const newer = {
      ...workchain,
      form: 'v2' as const,
      basic: false,
      format,
      splitMergeTimings,
      persistentStateSplitDepth: 4,
    }
    const chains = again(
      12,
      buildDict(workchainsKind, [
        [0, workchain],
        [-5, newer],
      ] as const),
    )
    expect([...chains]).toEqual([
      [-5, newer],
      [0, workchain],
    ])

    const small = {
      maxMessageBits: 1,
      maxMessageCells: 2,
      maxLibraryCells: 3,
      maxVmDataDepth: 4,
      maxExternalMessageSize: 5,
      maxExternalMessageDepth: 6,
    }
    const large = {
      ...small,
      maxAccountCells: 7,
      maxMasterAccountCells: 8,
      maxPublicLibraries: 9,
      deferOutQueueSize: 10,
      maxExtraCurrencies: 11,
      maxFixedPrefixLength: 12,
      accountCellsForStorageDict: 13,
      maxLibraryLoads: 14,
    }
    const sizes: SizeLimits[] = [
      { form: 'v1', ...small },
      { form: 'v2', ...large },
      { form: 'v3', ...large, maxLibraryLoads: null, maxTotalMessageBits: 15, maxTotalMessageCells: 16 },
    ]
    for (const value of sizes) expect(again(43, value)).toEqual(value)

    const validator = { publicKey: bytes(1), weight: 17n, adnlAddress: null }
    const list = buildDict(validatorsKind, [
      [0, validator],
      [1, { ...validator, adnlAddress: bytes(3) }],
    ] as const)
    const set = { utimeSince: 1, utimeUntil: 2, total: 2, main: 1, totalWeight: null, list }
    expect([...again(34, set).list.values()]).toEqual([...list.values()])
    expect(again(36, { ...set, totalWeight: 34n }).totalWeight).toBe(34n)
    expect(() => again(34, { ...set, main: 3 })).toThrow(TlbError)
    const key = { adnlAddress: bytes(1), publicKey: bytes(2), seqno: 3, validUntil: 4 }
    const signed = { key, signature: { signature: bytes(5, 64), certificate: null } }
    expect(again(39, buildDict(temporaryKeysKind, [[bytes(9), signed]] as const)).get(bytes(9))).toEqual(signed)
  })

  test('default: burning, punishment and bridges', () => {
    const burning = { blackhole: null, feeBurnNumerator: 1, feeBurnDenominator: 2 }
    for (const value of [burning, { ...burning, blackhole: bytes(1) }]) expect(again(5, value)).toEqual(value)
    const punishment = {
      flatFine: 1n,
      proportionalFine: 2,
      severityFlat: 3,
      severityProportional: 4,
      unpunishableInterval: 5,
      longInterval: 6,
      longFlat: 7,
      longProportional: 8,
      mediumInterval: 9,
      mediumFlat: 10,
      mediumProportional: 11,
    }
    expect(again(40, punishment)).toEqual(punishment)
    const bridge = configParam(config, 79)
    expect(bridge?.form).toBe('v1')
    if (bridge === null) return
    const { bridgeAddress, oraclesAddress, oracles, stateFlags } = bridge
    const old: JettonBridge = { form: 'v0', burnFee: 5n, bridgeAddress, oraclesAddress, oracles, stateFlags }
    expect(again(82, old)).toMatchObject({ form: 'v0', burnFee: 5n })
  })

  test('error: another tag, bits left over, flags that must be zero', () => {
    expect(() => loadConfigParam(8, leaf(0))).toThrow(TlbError)
    expect(() => loadConfigParam(22, leaf(0))).toThrow(TlbError)
    expect(() => loadConfigParam(20, leaf(0))).toThrow(TlbError)
    expect(() => loadConfigParam(19, storeConfigParam(0, bytes(1)))).toThrow(
      expect.objectContaining({ code: 'leftover' }),
    )
    expect(configParam({ ...config, params: emptyDict(configKind) }, 8)).toBeNull()
    expect([isConfigNumber(-999), isConfigNumber(26)]).toEqual([false, false])
  })
})
