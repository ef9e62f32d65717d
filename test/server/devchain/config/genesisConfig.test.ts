import { Cell, Dictionary } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { loadConfigParamById, loadConfigParamsAsSlice, parseFullConfig, parseFullerConfig } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createGenesisConfig } from '../../../../server/devchain/config/index.ts'
import { contractCode, electorData } from '../../../../server/devchain/contracts/index.ts'
import { createConfig, createExecutor } from '../../../../server/tvm/index.ts'
import {
  Actor,
  core,
  exitCode,
  genesisOptions,
  genesisRoot,
  genesisTime,
  own,
  startTvm,
  systemAddress,
} from '../actor.ts'

const real = Cell.fromBase64(defaultConfig)
  .beginParse()
  .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
const ours = (overrides = new Map()) => core(genesisRoot(overrides)).toBoc().toString('base64')
const config = systemAddress(genesisOptions.configAccount)
const elector = systemAddress(genesisOptions.electorAccount)

describe('contents', () => {
  test('default: exactly the parameters that are read', () => {
    const indices = [
      0, 1, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 31, 34, 44, 45,
    ]
    expect([...createGenesisConfig(genesisOptions).keys()]).toEqual(indices)
  })

  test.each([0, 1, 11, 13, 14, 15, 17, 18, 20, 21, 22, 23, 24, 25, 29])(
    'parameter %i is the real network’s, bit for bit',
    (index) => {
      expect(loadConfigParamById(ours(), index).equals(real.get(index) ?? Cell.EMPTY)).toBe(true)
    },
  )

  test('default: version and capabilities', () => {
    const slice = loadConfigParamById(ours(), 8).beginParse()
    expect([slice.loadUint(8), slice.loadUint(32), slice.loadUintBig(64)]).toEqual([0xc4, 12, 0x6en])
  })

  test('args: overrides replace, add and leave out', () => {
    const minting = real.get(7) ?? Cell.EMPTY
    const version = real.get(8) ?? Cell.EMPTY
    const dict = createGenesisConfig({
      ...genesisOptions,
      overrides: new Map([
        [7, own(minting)],
        [8, own(version)],
        [45, null],
      ]),
    })
    expect(dict.get(7)?.hashHex()).toBe(minting.hash().toString('hex'))
    expect(dict.get(8)?.hashHex()).toBe(version.hash().toString('hex'))
    expect(dict.has(45)).toBe(false)
  })

  test('behavior: the term of a late validator ends where time ends', () => {
    const utime = 2 ** 32 - 1000
    const root = createGenesisConfig({ ...genesisOptions, utime }).get(34)
    const slice = core(root ?? genesisRoot())
      .beginParse()
      .skip(8)
    expect([slice.loadUint(32), slice.loadUint(32)]).toEqual([utime, 2 ** 32 - 1])
  })

  test.each([
    ['globalId 0', { globalId: 0 }],
    ['globalId of 33 bits', { globalId: 2 ** 31 }],
    ['globalId with a fraction', { globalId: -1.5 }],
    ['no validators', { validators: [] }],
    ['a key of 31 bytes', { validators: [{ publicKey: new Uint8Array(31), adnlAddress: new Uint8Array(32) }] }],
    ['a negative time', { utime: -1 }],
    ['a time in milliseconds', { utime: Date.now() }],
  ])('error: %s', (_, wrong) => {
    expect(() => createGenesisConfig({ ...genesisOptions, ...wrong })).toThrow(RangeError)
  })
})

describe('the public parsers', () => {
  test('default: the whole configuration', () => {
    const parsed = parseFullConfig(loadConfigParamsAsSlice(ours()))
    expect(parsed.configAddress.equals(config)).toBe(true)
    expect(parsed.electorAddress.equals(elector)).toBe(true)
    expect(parsed.burningConfig).toEqual({ blackholeAddr: null, feeBurnNominator: 0, feeBurnDenominator: 1 })
    expect(parsed.gasPrices.workchain).toMatchObject({
      flatLimit: 100n,
      flatGasPrice: 40_000n,
      other: { gasPrice: 26_214_400n },
    })
    expect(parsed.validatorSets.nextValidators).toBeNull()
    expect(parsed.catchain).toMatchObject({ suffleMasterValidators: false, shardValidatorsCount: 1 })
  })

  test('default: one workchain with the zerostate it was given', () => {
    const basechain = parseFullConfig(loadConfigParamsAsSlice(ours())).workchains.get(0)
    expect(basechain).toMatchObject({ basic: true, active: true, accept_msgs: true, min_split: 0, max_split: 0 })
    expect(basechain?.zerostateRootHash).toEqual(Buffer.alloc(32, 1))
    expect(basechain?.zerostateFileHash).toEqual(Buffer.alloc(32, 2))
  })

  test('default: one validator from the beginning on', () => {
    const set = parseFullConfig(loadConfigParamsAsSlice(ours())).validatorSets.currentValidators
    const [member] = [...(set?.list ?? [])].map(([, value]) => value)
    expect(set).toMatchObject({ timeSince: genesisTime, timeUntil: genesisTime + 2 ** 30, total: 1, main: 1 })
    expect(member).toMatchObject({
      publicKey: Buffer.alloc(32, 7),
      adnlAddress: Buffer.alloc(32),
      weight: set?.totalWeight,
    })
  })

  test('behavior: with currencies to mint, also by the strictest of them', () => {
    const overrides = new Map([[7, own(real.get(7) ?? Cell.EMPTY)]])
    const parsed = parseFullerConfig(loadConfigParamsAsSlice(ours(overrides)))
    expect(parsed.fundamentalSmcAddr.map(String).sort()).toEqual([String(config), String(elector)].sort())
    expect(parsed.suspended.addresses).toEqual([])
    expect(parsed.precompiledContracts).toEqual([])
    expect(parsed.configMandatoryParams).toEqual(
      new Set([0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34]),
    )
  })
})

describe('the emulator', () => {
  test('default: takes it, and runs the accounts parameter 31 names without a fee', async () => {
    const parts = { code: contractCode('elector'), data: electorData() }
    const account = new Actor(await startTvm(), { address: elector, ...parts, tickTock: true })
    const before = account.balance
    const transaction = account.receive({ from: systemAddress(new Uint8Array(32)), value: 5n })
    expect(exitCode(transaction)).toBe(0)
    expect(transaction.totalFees.coins).toBe(0n)
    expect(account.balance).toBe(before + 5n)
  })

  test('error: a configuration without its own address', async () => {
    const executor = await createExecutor()
    executor.setConfig(createConfig(core(genesisRoot(new Map([[0, null]]))).toBoc()))
    executor.beginBlock({ now: genesisTime, randSeed: new Uint8Array(32) })
    const parts = { code: contractCode('elector'), data: electorData() }
    const account = new Actor(executor, { address: elector, ...parts, tickTock: true })
    expect(() => account.special('tick')).toThrow('does not take this configuration')
  })
})
