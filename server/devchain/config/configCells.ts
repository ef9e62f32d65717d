// Configuration parameters as cells. One function per shape of the block format; the amounts are in `configValues.ts`.

import {
  beginCell,
  buildDict,
  type Cell,
  type Codec,
  dictKind,
  emptyDict,
  hashFromBytes,
  hashKey,
  intKey,
  storeDict,
  storeInlineDict,
  uintKey,
  unitValue,
} from '../../cell/index.ts'
import type {
  BlockLimitValues,
  ForwardPriceValues,
  GasPriceValues,
  ProposalValues,
  StoragePriceValues,
} from './configValues.ts'

const indexSet = dictKind(intKey(32), unitValue)
const accountSet = dictKind(hashKey, unitValue)

export const accountParam = (account: Uint8Array): Cell => beginCell().storeBytes(account).end()

/** `BurningConfig` that burns nothing. */
export const noBurning = (): Cell => beginCell().storeUint(0x01, 8).storeBit(0).storeUint(0, 32).storeUint(1, 32).end()

export const globalVersion = (version: number, capabilities: bigint): Cell =>
  beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(capabilities, 64).end()

/** `Hashmap 32 True`, inline: lists of parameters. */
export const paramList = (indices: readonly number[]): Cell => {
  const list = buildDict(
    indexSet,
    indices.map((index) => [index, true] as const),
  )
  return storeInlineDict(beginCell(), list).end()
}

const proposalSetup = (setup: ProposalValues): Cell =>
  beginCell()
    .storeUint(0x36, 8)
    .storeUint(setup.minTotalRounds, 8)
    .storeUint(setup.maxTotalRounds, 8)
    .storeUint(setup.minWins, 8)
    .storeUint(setup.maxLosses, 8)
    .storeUint(setup.minStoreSeconds, 32)
    .storeUint(setup.maxStoreSeconds, 32)
    .storeUint(setup.bitPrice, 32)
    .storeUint(setup.cellPrice, 32)
    .end()

export const votingSetupCell = (normal: ProposalValues, critical: ProposalValues): Cell =>
  beginCell().storeUint(0x91, 8).storeRef(proposalSetup(normal)).storeRef(proposalSetup(critical)).end()

/** One workchain, 0, that never splits. */
export function workchains(zerostate: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }): Cell {
  const basechain = beginCell()
    .storeUint(0xa6, 8)
    .storeUint(0, 32) // enabled since ever
    .storeRepeat(0, 24) // monitored, least and greatest depth of splits
    .storeUint(0b111, 3) // basic, active, takes messages
    .storeUint(0, 13)
    .storeBytes(zerostate.rootHash)
    .storeBytes(zerostate.fileHash)
    .storeUint(0, 32)
    .storeUint(1, 4) // basic format
    .storeInt(-1, 32) // machine: TVM
    .storeUint(0, 64)
    .end()
  const descriptions = dictKind<number, Cell>(intKey(32), inlineCell)
  return storeDict(beginCell(), emptyDict(descriptions).set(0, basechain)).end()
}

/** A value in the leaf itself and is written from a finished cell. */
const inlineCell: Codec<Cell> = {
  load: (slice) => beginCell().storeSlice(slice.loadRest()).end(),
  store: (builder, cell) => {
    builder.storeRange(cell.data(), 0, cell.bits)
    for (const ref of cell.refs) builder.storeRef(ref)
  },
}

export const complaintPrices = (prices: Record<'deposit' | 'bit' | 'cell', bigint>): Cell =>
  beginCell().storeUint(0x1a, 8).storeCoins(prices.deposit).storeCoins(prices.bit).storeCoins(prices.cell).end()

export const blockCreateFees = (fees: Record<'masterchain' | 'basechain', bigint>): Cell =>
  beginCell().storeUint(0x6b, 8).storeCoins(fees.masterchain).storeCoins(fees.basechain).end()

/** Parameters that are nothing but numbers of the same size in a row. */
export const numbers = (values: readonly number[], bits: number): Cell => {
  const builder = beginCell()
  for (const value of values) builder.storeUint(value, bits)
  return builder.end()
}

export const stakeLimits = (limits: Record<'min' | 'max' | 'minTotal', bigint>, maxFactor: number): Cell =>
  beginCell()
    .storeCoins(limits.min)
    .storeCoins(limits.max)
    .storeCoins(limits.minTotal)
    .storeUint(maxFactor * 65536, 32)
    .end()

export function storagePrices(since: number, prices: StoragePriceValues): Cell {
  const entry = beginCell()
    .storeUint(0xcc, 8)
    .storeUint(since, 32)
    .storeUint(prices.bit, 64)
    .storeUint(prices.cell, 64)
    .storeUint(prices.masterchainBit, 64)
    .storeUint(prices.masterchainCell, 64)
    .end()
  return storeInlineDict(beginCell(), emptyDict(dictKind<number, Cell>(uintKey(32), inlineCell)).set(0, entry)).end()
}

export const globalIdParam = (globalId: number): Cell => beginCell().storeInt(globalId, 32).end()

export const gasPricesCell = (prices: GasPriceValues): Cell =>
  beginCell()
    .storeUint(0xd1, 8)
    .storeUint(prices.flatLimit, 64)
    .storeUint(prices.flatPrice, 64)
    .storeUint(0xde, 8)
    .storeUint(prices.price, 64)
    .storeUint(prices.limit, 64)
    .storeUint(prices.specialLimit, 64)
    .storeUint(prices.credit, 64)
    .storeUint(prices.blockLimit, 64)
    .storeUint(prices.freezeDue, 64)
    .storeUint(prices.deleteDue, 64)
    .end()

export function blockLimitsCell(limits: BlockLimitValues): Cell {
  const builder = beginCell().storeUint(0x5d, 8)
  for (const range of [limits.bytes, limits.gas, limits.ltDelta]) {
    builder.storeUint(0xc3, 8)
    for (const limit of range) builder.storeUint(limit, 32)
  }
  return builder.end()
}

export const forwardPricesCell = (prices: ForwardPriceValues): Cell =>
  beginCell()
    .storeUint(0xea, 8)
    .storeUint(prices.lump, 64)
    .storeUint(prices.bit, 64)
    .storeUint(prices.cell, 64)
    .storeUint(prices.ihrFactor, 32)
    .storeUint(prices.firstPart, 16)
    .storeUint(prices.nextPart, 16)
    .end()

/** `CatchainConfig` without shuffling. */
export const catchain = (lifetimes: Record<'masterchain' | 'shard' | 'validators', number>, perShard: number): Cell =>
  beginCell()
    .storeUint(0xc2, 8)
    .storeUint(0, 8)
    .storeUint(lifetimes.masterchain, 32)
    .storeUint(lifetimes.shard, 32)
    .storeUint(lifetimes.validators, 32)
    .storeUint(perShard, 32)
    .end()

/** `HashmapE 256 True` of masterchain accounts. */
export const accountList = (accounts: readonly Uint8Array[]): Cell => {
  const list = buildDict(
    accountSet,
    accounts.map((account) => [hashFromBytes(account), true] as const),
  )
  return storeDict(beginCell(), list).end()
}

export interface ConfigValidator {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /** 32 bytes. */
  readonly adnlAddress: Uint8Array
}

/** `ValidatorSet` in its newer form; all of them are main validators. */
export function validatorSetCell(since: number, until: number, validators: readonly ConfigValidator[]): Cell {
  const members = validators.map(
    (validator, index) =>
      [
        index,
        beginCell()
          .storeUint(0x73, 8)
          .storeUint(0x8e81278a, 32)
          .storeBytes(validator.publicKey)
          .storeUint(validator.weight, 64)
          .storeBytes(validator.adnlAddress)
          .end(),
      ] as const,
  )
  const total = validators.reduce((sum, validator) => sum + validator.weight, 0n)
  const builder = beginCell()
    .storeUint(0x12, 8)
    .storeUint(since, 32)
    .storeUint(until, 32)
    .storeUint(validators.length, 16)
    .storeUint(validators.length, 16)
    .storeUint(total, 64)
  return storeDict(builder, buildDict(dictKind(uintKey(16), inlineCell), members)).end()
}

/** `SuspendedAddressList` without addresses. */
export const noneSuspended = (): Cell => beginCell().storeUint(0, 8).storeBit(0).storeUint(0, 32).end()

/** `PrecompiledContractsConfig` without contracts. */
export const nothingPrecompiled = (): Cell => beginCell().storeUint(0xc0, 8).storeBit(0).end()
