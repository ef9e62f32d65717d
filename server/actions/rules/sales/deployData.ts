// What the contracts of Getgems are born with: which item, at what price, who takes which part of it. The layout goes by
// the code.

import { type Hash, hashFromBytes, openCell, type Slice } from '../../../cell/index.ts'
import { wellKnownCodes } from '../../../interfaces/index.ts'
import { loadStateInit, orNull } from '../../../tlb/index.ts'
import type { SaleFacts } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { readAddress } from '../../reading.ts'

export interface SaleData {
  readonly fullPrice: bigint | null
  readonly marketplaceFee: bigint | null
  readonly royalty: bigint | null
  readonly feeAddress: string | null
  readonly royaltyAddress: string | null
}

export interface AuctionData {
  readonly feeFactor: bigint
  readonly feeBase: bigint
  readonly royaltyBase: bigint
  readonly maxBid: bigint | null
  readonly minBid: bigint | null
  readonly feeAddress: string | null
  readonly royaltyAddress: string | null
}

const hash = (base64: string): Hash => hashFromBytes(Buffer.from(base64, 'base64'))

type Reader<T> = (slice: Slice) => T

/** `^[mp_fee:Coins mp_fee_addr royalty_addr royalty:Coins]` */
const saleV1: Reader<SaleData> = (slice) => {
  readAddress(slice)
  readAddress(slice)
  readAddress(slice)
  const fullPrice = slice.loadCoins()
  const fees = openCell(slice.loadRef())
  const marketplaceFee = fees.loadCoins()
  const feeAddress = readAddress(fees)
  const royaltyAddress = readAddress(fees)
  return { fullPrice, marketplaceFee, feeAddress, royaltyAddress, royalty: fees.loadCoins() }
}

const saleV3: Reader<SaleData> = (slice) => {
  slice.skip(1 + 32)
  readAddress(slice)
  readAddress(slice)
  readAddress(slice)
  const fullPrice = slice.loadCoins()
  const fees = openCell(slice.loadRef())
  const feeAddress = readAddress(fees)
  const marketplaceFee = fees.loadCoins()
  const royaltyAddress = readAddress(fees)
  return { fullPrice, marketplaceFee, feeAddress, royaltyAddress, royalty: fees.loadCoins() }
}

/** Its fees are parts of the price. */
const saleV4: Reader<SaleData> = (slice) => {
  slice.skip(1)
  readAddress(slice)
  readAddress(slice)
  const fullPrice = slice.loadCoins()
  const fees = openCell(slice.skip(32 + 64).loadRef())
  const feeAddress = readAddress(fees)
  return { fullPrice, marketplaceFee: null, royalty: null, feeAddress, royaltyAddress: readAddress(fees) }
}

const SALES: ReadonlyMap<Hash, Reader<SaleData>> = new Map([
  [hash(wellKnownCodes.saleV1.id), saleV1],
  [hash(wellKnownCodes.saleV2.id), saleV3],
  [hash(wellKnownCodes.saleV3.id), saleV3],
  [hash(wellKnownCodes.saleV3r2.id), saleV3],
  [hash(wellKnownCodes.saleV3r3.id), saleV3],
  [hash(wellKnownCodes.saleV4.id), saleV4],
])

interface Fees {
  readonly feeFactor: bigint
  readonly feeBase: bigint
  readonly royaltyBase: bigint
}

/** Factors and bases, the royalty's factor among them. */
const readParts = (slice: Slice): Fees => ({
  feeFactor: slice.loadUintBig(32),
  feeBase: slice.loadUintBig(32),
  royaltyBase: slice.skip(32).loadUintBig(32),
})

/** `mp_fee_addr factor base royalty_addr factor base` */
const readFees = (slice: Slice) => ({
  feeAddress: readAddress(slice),
  feeFactor: slice.loadUintBig(32),
  feeBase: slice.loadUintBig(32),
  royaltyAddress: readAddress(slice),
  royaltyBase: slice.skip(32).loadUintBig(32),
})

const auctionV1: Reader<AuctionData> = (slice) => {
  const fees = readFees(openCell(slice.loadRef()))
  const bids = openCell(slice.loadRef())
  return { minBid: bids.loadCoins(), maxBid: bids.loadCoins(), ...fees }
}

const auctionV3r2: Reader<AuctionData> = (slice) => {
  slice.skip(3)
  readAddress(slice)
  slice.skipVarUint(16).skip(32 + 32)
  const fees = readFees(openCell(slice.loadRef()))
  const bids = openCell(slice.loadRef()).skip(32)
  readAddress(bids)
  return { minBid: bids.loadCoins(), maxBid: bids.loadCoins(), ...fees }
}

/** Up to what is charged. */
function skipState(slice: Slice): void {
  slice.skip(2)
  readAddress(slice)
  slice.skipVarUint(16).skip(32 + 32)
  readAddress(slice)
  slice.skip(64)
}

/** `mp_addr min_bid max_bid ...` */
function readBids(slice: Slice): Pick<AuctionData, 'minBid' | 'maxBid'> {
  readAddress(slice)
  return { minBid: slice.loadCoins(), maxBid: slice.loadCoins() }
}

const auctionV3r3: Reader<AuctionData> = (slice) => {
  skipState(slice)
  const parts = readParts(slice)
  const ends = openCell(slice.loadRef())
  const feeAddress = readAddress(ends)
  return { feeAddress, royaltyAddress: readAddress(ends), ...parts, ...readBids(openCell(slice.loadRef())) }
}

const auctionV4: Reader<AuctionData> = (slice) => {
  skipState(slice)
  const fees = openCell(slice.loadRef())
  const feeAddress = readAddress(fees)
  const royaltyAddress = readAddress(fees)
  return { feeAddress, royaltyAddress, ...readParts(fees), ...readBids(openCell(slice.loadRef())) }
}

/** Null: a version whose layout is unknown. */
const AUCTIONS: ReadonlyMap<Hash, Reader<AuctionData> | null> = new Map([
  [hash(wellKnownCodes.auctionV1.id), auctionV1],
  [hash(wellKnownCodes.auctionV2.id), null],
  [hash(wellKnownCodes.auctionV3r2.id), auctionV3r2],
  [hash(wellKnownCodes.auctionV4.id), auctionV4],
])

function read<T>(init: Uint8Array | null, readerFor: (code: Hash) => Reader<T> | null): T | null {
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
