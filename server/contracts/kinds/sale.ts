// Contracts that hold an item until it is paid for: at a price, by auction, or an item that is its own auction.

import { openCell, orNull, type StdAddress } from '../../cell/index.ts'
import { snakeBytes, utf8Text } from '../../tlb/index.ts'
import { addressAt, intAt, type Results, sliceAt } from '../stack/results.ts'
import type { ContractKind } from './kind.ts'

/** Values at their places on a stack; null as soon as one is of another kind. */
class Places {
  readonly #stack: Results
  isWrong = false

  constructor(stack: Results) {
    this.#stack = stack
  }

  int(at: number): bigint {
    const value = intAt(this.#stack, at)
    if (value === undefined) this.isWrong = true
    return value ?? 0n
  }

  ints(...places: readonly number[]): void {
    for (const at of places) this.int(at)
  }

  flag(at: number): boolean {
    return this.int(at) !== 0n
  }

  /** Null for addr_none. */
  addressOrNone(at: number): StdAddress | null {
    const value = addressAt(this.#stack, at)
    if (value === undefined) this.isWrong = true
    return value ?? null
  }
}

export interface Sale {
  readonly nft: StdAddress
  readonly nftOwner: StdAddress | null
  readonly marketplace: StdAddress | null
  readonly createdAt: bigint
  readonly isComplete: boolean
  readonly fullPrice: bigint
  readonly marketplaceFeeTo: StdAddress | null
  readonly marketplaceFee: bigint
  readonly royaltyTo: StdAddress | null
  readonly royalty: bigint
}

const FIXP = 0x46495850n
const AUC = 0x415543n

/** The values of a sale, which begin at some place. */
function saleAt(stack: Results, from: number): Sale | null {
  const at = new Places(stack)
  const nft = at.addressOrNone(from + 3)
  const sale = {
    isComplete: at.flag(from),
    createdAt: at.int(from + 1),
    marketplace: at.addressOrNone(from + 2),
    nftOwner: at.addressOrNone(from + 4),
    fullPrice: at.int(from + 5),
    marketplaceFeeTo: at.addressOrNone(from + 6),
    marketplaceFee: at.int(from + 7),
    royaltyTo: at.addressOrNone(from + 8),
    royalty: at.int(from + 9),
  }
  return at.isWrong || nft === null ? null : { nft, ...sale }
}

/** Additional fields of the newer form: when it was sold, and the jettons it accepts. */
function isNewerSale(stack: Results): boolean {
  const at = new Places(stack)
  at.ints(10, 11)
  return !at.isWrong && (stack[12]?.kind === 'null' || stack[12]?.kind === 'cell')
}

/** For a fixed price. */
export const saleKind: ContractKind<Sale> = {
  methods: ['get_fix_price_data_v4', 'get_sale_data'],
  async read(contracts, id) {
    const newer = await contracts.resultsIfAny(id, 'get_fix_price_data_v4')
    const found = newer !== null && isNewerSale(newer) ? saleAt(newer, 0) : null
    if (found !== null) return found
    const stack = await contracts.resultsIfAny(id, 'get_sale_data')
    return stack !== null && intAt(stack, 0) === FIXP ? saleAt(stack, 1) : null
  },
}

export interface SaleShare {
  readonly to: StdAddress | null
  readonly factor: bigint
  readonly base: bigint
}

export interface Auction {
  readonly nft: StdAddress
  readonly nftOwner: StdAddress | null
  readonly marketplace: StdAddress | null
  readonly createdAt: bigint
  readonly isEnded: boolean
  readonly endTime: bigint
  readonly lastBid: bigint
  readonly lastMember: StdAddress | null
  readonly minStep: bigint
  readonly marketplaceFee: SaleShare
  readonly royalty: SaleShare
  readonly maxBid: bigint
  readonly minBid: bigint
  readonly lastBidAt: bigint
  readonly isCanceled: boolean
}

function auctionAt(stack: Results): Auction | null {
  const at = new Places(stack)
  const nft = at.addressOrNone(4)
  const share = (from: number): SaleShare => ({
    to: at.addressOrNone(from),
    factor: at.int(from + 1),
    base: at.int(from + 2),
  })
  const auction = {
    isEnded: at.flag(1),
    endTime: at.int(2),
    marketplace: at.addressOrNone(3),
    nftOwner: at.addressOrNone(5),
    lastBid: at.int(6),
    lastMember: at.addressOrNone(7),
    minStep: at.int(8),
    marketplaceFee: share(9),
    royalty: share(12),
    maxBid: at.int(15),
    minBid: at.int(16),
    createdAt: at.int(17),
    lastBidAt: at.int(18),
    isCanceled: at.flag(19),
  }
  return at.isWrong || nft === null ? null : { nft, ...auction }
}

/** Additional fields of the newer form: whether it has started, the jetton of the bids, whether it is broken, a key. */
function isNewerAuction(stack: Results): boolean {
  const at = new Places(stack)
  at.ints(0, 20, 21, 24, 25)
  for (const place of [22, 23]) at.addressOrNone(place)
  return !at.isWrong
}

export const auctionKind: ContractKind<Auction> = {
  methods: ['get_auction_data_v4', 'get_sale_data'],
  async read(contracts, id) {
    // The newer one has another value where the older one says what it is; those behind it are the same.
    const newer = await contracts.resultsIfAny(id, 'get_auction_data_v4')
    const found = newer !== null && isNewerAuction(newer) ? auctionAt(newer) : null
    if (found !== null) return found
    const stack = await contracts.resultsIfAny(id, 'get_sale_data')
    return stack !== null && intAt(stack, 0) === AUC ? auctionAt(stack) : null
  },
}

export interface Telemint {
  readonly tokenName: string
  readonly bidder: StdAddress | null
  readonly bid: bigint
  readonly bidAt: bigint
  readonly minBid: bigint
  readonly endTime: bigint
  readonly beneficiary: StdAddress | null
  readonly initialMinBid: bigint
  readonly maxBid: bigint
  readonly minBidStep: bigint
  readonly minExtendTime: bigint
  readonly duration: bigint
  readonly royalty: { readonly numerator: bigint; readonly denominator: bigint; readonly to: StdAddress | null }
}

const LONGEST_NAME = 1024

/** User names and numbers that are sold by themselves. */
export const telemintKind: ContractKind<Telemint> = {
  methods: ['get_telemint_token_name'],
  async read(contracts, id) {
    const named = await contracts.results(id, 'get_telemint_token_name')
    const cell = named === null ? undefined : sliceAt(named, 0)
    const bytes = cell === undefined ? null : orNull(() => snakeBytes(openCell(cell), LONGEST_NAME))
    const tokenName = bytes && utf8Text(bytes)
    if (tokenName === null) return null
    // It throws when there is no auction.
    const state = await contracts.resultsIfAny(id, 'get_telemint_auction_state')
    const config = await contracts.resultsIfAny(id, 'get_telemint_auction_config')
    const royalty = await contracts.resultsIfAny(id, 'royalty_params')
    if (config === null || royalty === null) return null
    const now = new Places(state ?? NO_AUCTION)
    const terms = new Places(config)
    const share = new Places(royalty)
    const facts = {
      tokenName,
      bidder: now.addressOrNone(0),
      bid: now.int(1),
      bidAt: now.int(2),
      minBid: now.int(3),
      endTime: now.int(4),
      beneficiary: terms.addressOrNone(0),
      initialMinBid: terms.int(1),
      maxBid: terms.int(2),
      minBidStep: terms.int(3),
      minExtendTime: terms.int(4),
      duration: terms.int(5),
      royalty: { numerator: share.int(0), denominator: share.int(1), to: share.addressOrNone(2) },
    }
    return now.isWrong || terms.isWrong || share.isWrong ? null : facts
  },
}

const NO_AUCTION: Results = [
  { kind: 'null' },
  ...Array.from({ length: 4 }, () => ({ kind: 'int', value: 0n }) as const),
]
