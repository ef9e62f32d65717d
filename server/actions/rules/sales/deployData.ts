// What the contracts of Getgems are born with: which item, at what price, who takes which part of it. The layout goes by
// the code.

import { auctionData, saleData } from '../../../bodies/index.ts'
import { type BinaryHash, hashFromBytes, openCell, orNull, type Slice } from '../../../cell/index.ts'
import { wellKnownCodes } from '../../../interfaces/index.ts'
import { loadStateInit } from '../../../tlb/index.ts'
import type { SaleFacts } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { fieldsOf } from '../../reading.ts'

export interface SaleData {
  readonly fullPrice: bigint | null
  readonly marketplaceFee: bigint | null
  readonly royalty: bigint | null
  readonly feeAddress: string | null
  readonly royaltyAddress: string | null
}

export interface AuctionData {
  readonly feeFactor: bigint | number
  readonly feeBase: bigint | number
  readonly royaltyBase: bigint | number
  readonly maxBid: bigint | null
  readonly minBid: bigint | null
  readonly feeAddress: string | null
  readonly royaltyAddress: string | null
}

const hash = (base64: string): BinaryHash => hashFromBytes(Buffer.from(base64, 'base64'))

type Reader<T> = (slice: Slice) => T

interface SaleFields {
  readonly fullPrice: bigint
  readonly fees: Partial<SaleData> & Pick<SaleData, 'feeAddress' | 'royaltyAddress'>
}

const saleReader =
  (read: Reader<SaleFields>): Reader<SaleData> =>
  (slice) => {
    const { fullPrice, fees } = read(slice)
    return { fullPrice, marketplaceFee: null, royalty: null, ...fees }
  }

const saleV1 = saleReader(fieldsOf(saleData.v1, 'fullPrice', 'fees'))
const saleV3 = saleReader(fieldsOf(saleData.v3, 'fullPrice', 'fees'))
const saleV4 = saleReader(fieldsOf(saleData.v4, 'fullPrice', 'fees'))

const SALES: ReadonlyMap<BinaryHash, Reader<SaleData>> = new Map([
  [hash(wellKnownCodes.saleV1.id), saleV1],
  [hash(wellKnownCodes.saleV2.id), saleV3],
  [hash(wellKnownCodes.saleV3.id), saleV3],
  [hash(wellKnownCodes.saleV3r2.id), saleV3],
  [hash(wellKnownCodes.saleV3r3.id), saleV3],
  [hash(wellKnownCodes.saleV4.id), saleV4],
])

type Bids = Pick<AuctionData, 'minBid' | 'maxBid'>

interface AuctionFields {
  readonly fees: Omit<AuctionData, 'minBid' | 'maxBid'>
  readonly bids: Bids
}

const auctionReader =
  (read: Reader<AuctionFields>): Reader<AuctionData> =>
  (slice) => {
    const { fees, bids } = read(slice)
    return { ...fees, ...bids }
  }

const readV3r3 = fieldsOf(auctionData.v3r3, 'feeFactor', 'feeBase', 'royaltyBase', 'fees', 'bids')

const auctionV3r3: Reader<AuctionData> = (slice) => {
  const { fees, bids, ...parts } = readV3r3(slice)
  return { ...parts, ...fees, ...bids }
}

/** Null: a version whose layout is unknown. */
const AUCTIONS: ReadonlyMap<BinaryHash, Reader<AuctionData> | null> = new Map([
  [hash(wellKnownCodes.auctionV1.id), auctionReader(fieldsOf(auctionData.v1, 'fees', 'bids'))],
  [hash(wellKnownCodes.auctionV2.id), null],
  [hash(wellKnownCodes.auctionV3r2.id), auctionReader(fieldsOf(auctionData.v3r2, 'fees', 'bids'))],
  [hash(wellKnownCodes.auctionV4.id), auctionReader(fieldsOf(auctionData.v4, 'fees', 'bids'))],
])

function read<T>(init: Uint8Array | null, readerFor: (code: BinaryHash) => Reader<T> | null): T | null {
  const cell = cellOf(init)
  if (cell === null) return null
  return orNull(() => {
    const { code, data } = loadStateInit(openCell(cell))
    const reader = code === null ? null : readerFor(code.hash())
    return reader === null || data === null ? null : reader(openCell(data))
  })
}

/**
 * For unknown code the layout is a guess: one that names the same receivers as the contract itself is the right one,
 * else it is as the contract says now, whatever its price was before.
 */
const guessed =
  (said: SaleData): Reader<SaleData> =>
  (slice) => {
    const guesses = [saleV3, saleV1].map((reader) => orNull(() => reader(slice.clone())))
    const isRight = (guess: SaleData | null): guess is SaleData =>
      guess !== null && guess.feeAddress === said.feeAddress && guess.royaltyAddress === said.royaltyAddress
    return guesses.find(isRight) ?? said
  }

/** What the state a sale is deployed with says. */
export function readSaleData(init: Uint8Array | null, { price, shares }: SaleFacts): SaleData | null {
  const unknown = shares === undefined ? saleV4 : guessed({ fullPrice: price, ...shares })
  return read(init, (code) => SALES.get(code) ?? unknown)
}

export const readAuctionData = (init: Uint8Array | null): AuctionData | null =>
  read(init, (code) => {
    const known = AUCTIONS.get(code)
    return known === undefined ? auctionV3r3 : known
  })
