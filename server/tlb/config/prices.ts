// What things cost: storage, gas, forwarding, and the limits of blocks.

import { type Builder, type Codec, dictKind, type Slice, uintKey } from '../../cell/index.ts'
import { unknownTag } from '../fields.ts'
import { coins, forms, record, tagged, u16, u32, u64 } from './layout.ts'

/** Nanograms per 2^16 seconds and bit or cell. */
export interface StoragePrices {
  readonly utimeSince: number
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly masterBitPrice: bigint
  readonly masterCellPrice: bigint
}

const storagePrices: Codec<StoragePrices> = tagged('StoragePrices', 0xcc, 8, {
  utimeSince: u32,
  bitPrice: u64,
  cellPrice: u64,
  masterBitPrice: u64,
  masterCellPrice: u64,
})

export const storagePricesKind = dictKind(uintKey(32), storagePrices)

export interface GasPrices {
  /** Gas up to this limit costs a flat price; null without the flat part. */
  readonly flat: { readonly gasLimit: bigint; readonly gasPrice: bigint } | null
  /** Nanograms per 2^16 units. */
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** Null in the oldest form. */
  readonly specialGasLimit: bigint | null
  readonly gasCredit: bigint
  readonly blockGasLimit: bigint
  readonly freezeDueLimit: bigint
  readonly deleteDueLimit: bigint
}

function loadGasPrices(slice: Slice): GasPrices {
  let tag = slice.loadUint(8)
  const isFlat = tag === 0xd1
  const flat = isFlat ? { gasLimit: slice.loadUintBig(64), gasPrice: slice.loadUintBig(64) } : null
  if (isFlat) tag = slice.loadUint(8)
  if (tag !== 0xdd && tag !== 0xde) unknownTag(tag, 'GasLimitsPrices')
  return {
    flat,
    gasPrice: slice.loadUintBig(64),
    gasLimit: slice.loadUintBig(64),
    specialGasLimit: tag === 0xde ? slice.loadUintBig(64) : null,
    gasCredit: slice.loadUintBig(64),
    blockGasLimit: slice.loadUintBig(64),
    freezeDueLimit: slice.loadUintBig(64),
    deleteDueLimit: slice.loadUintBig(64),
  }
}

function storeGasPrices(builder: Builder, value: GasPrices): void {
  if (value.flat !== null)
    builder.storeUint(0xd1, 8).storeUint(value.flat.gasLimit, 64).storeUint(value.flat.gasPrice, 64)
  builder.storeUint(value.specialGasLimit === null ? 0xdd : 0xde, 8)
  builder.storeUint(value.gasPrice, 64).storeUint(value.gasLimit, 64)
  if (value.specialGasLimit !== null) builder.storeUint(value.specialGasLimit, 64)
  builder.storeUint(value.gasCredit, 64).storeUint(value.blockGasLimit, 64)
  builder.storeUint(value.freezeDueLimit, 64).storeUint(value.deleteDueLimit, 64)
}

export const gasPrices: Codec<GasPrices> = { load: loadGasPrices, store: storeGasPrices }

/** Prices in nanograms; bit, cell and the factor in units of 2^-16. */
export interface ForwardPrices {
  readonly lumpPrice: bigint
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly ihrFactor: number
  readonly firstFraction: number
  readonly nextFraction: number
}

export const forwardPrices: Codec<ForwardPrices> = tagged('MsgForwardPrices', 0xea, 8, {
  lumpPrice: u64,
  bitPrice: u64,
  cellPrice: u64,
  ihrFactor: u32,
  firstFraction: u16,
  nextFraction: u16,
})

export interface ParamLimits {
  readonly underload: number
  readonly soft: number
  readonly hard: number
}

const paramLimits: Codec<ParamLimits> = tagged('ParamLimits', 0xc3, 8, { underload: u32, soft: u32, hard: u32 })

interface BasicLimits {
  readonly bytes: ParamLimits
  readonly gas: ParamLimits
  readonly ltDelta: ParamLimits
}

export interface QueueLimits {
  readonly maxBytes: number
  readonly maxMessages: number
}

export type BlockLimits =
  | ({ readonly form: 'v1' } & BasicLimits)
  | ({ readonly form: 'v2'; readonly collatedData: ParamLimits; readonly importedQueue: QueueLimits } & BasicLimits)

const basic = { bytes: paramLimits, gas: paramLimits, ltDelta: paramLimits }

export const blockLimits: Codec<BlockLimits> = forms<BlockLimits>('BlockLimits', 8, {
  v1: [0x5d, record(basic)],
  v2: [
    0x5e,
    record({
      ...basic,
      collatedData: paramLimits,
      importedQueue: tagged<QueueLimits>('ImportedMsgQueueLimits', 0xd3, 8, { maxBytes: u32, maxMessages: u32 }),
    }),
  ],
})

export interface CreateFees {
  readonly masterchain: bigint
  readonly basechain: bigint
}

export const createFees: Codec<CreateFees> = tagged('BlockCreateFees', 0x6b, 8, {
  masterchain: coins,
  basechain: coins,
})
