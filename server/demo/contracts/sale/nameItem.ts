// Deployment of names that auction themselves, and the messages they accept.

import { everyday, nameAuctionConfig, sales } from '../../../bodies/index.ts'
import { type Builder, beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountId, type Deployment, operationBody, snake } from '../../../devchain/index.ts'
import { cellWriter, storeAddressOrNone } from '../body.ts'
import { deployment } from '../code.ts'

export interface NameAuctionTerms {
  readonly beneficiary: AccountId
  readonly initialMinBid: bigint
  /** A bid of this amount ends the auction; no maximum by default. */
  readonly maxBid?: bigint
  /** Per cent by which a bid must exceed the previous one. */
  readonly minBidStep: number
  /** Minimum seconds that the auction is open after a bid. */
  readonly minExtendTime: number
  /** Seconds. */
  readonly duration: number
}

export interface NameItemParts {
  readonly name: string
  readonly content: Cell
  readonly royalty: { readonly numerator: number; readonly denominator: number; readonly destination: AccountId }
  readonly terms: NameAuctionTerms
  /** Unix seconds the first auction ends at. */
  readonly endsAt: number
}

const configOf = (terms: NameAuctionTerms) => ({
  beneficiaryAddress: terms.beneficiary,
  initialMinBid: terms.initialMinBid,
  maxBid: terms.maxBid ?? 0n,
  minBidStep: terms.minBidStep,
  minExtendTime: terms.minExtendTime,
  duration: terms.duration,
})

const writeTerms = cellWriter(nameAuctionConfig)
const writeStart = cellWriter(sales.startNameAuction)

/** No bid yet. */
const freshAuction = ({ initialMinBid }: NameAuctionTerms, endsAt: number): Builder =>
  storeAddressOrNone(beginCell(), null).storeCoins(0n).storeUint(0, 32).storeCoins(initialMinBid).storeUint(endsAt, 32)

/** A name in its first auction. */
export function nameItem({ name, content, royalty, terms, endsAt }: NameItemParts): Deployment {
  const { numerator, denominator, destination } = royalty
  const about = beginCell()
    .storeRef(snake(Buffer.from(name, 'utf8')))
    .storeRef(content)
  storeAddressOrNone(about.storeUint(numerator, 16).storeUint(denominator, 16), destination)
  const data = storeAddressOrNone(beginCell().storeRef(about.end()), null).storeRef(writeTerms(configOf(terms)))
  return deployment('sale/nameItem', data.storeMaybeRef(freshAuction(terms, endsAt).end()).end())
}

/** For a name, from any account: TON that is no bid. */
export const topUpBody = (queryId: bigint): Cell => operationBody(everyday.topUp.opcode, queryId).end()

/** For a name, from its owner: opens an auction. */
export const nameStartAuctionBody = (queryId: bigint, terms: NameAuctionTerms): Cell =>
  writeStart({ queryId, auctionConfig: configOf(terms) })

/** For a name, from its owner: ends an auction without bids. */
export const nameCancelAuctionBody = (queryId: bigint): Cell =>
  operationBody(sales.cancelNameAuction.opcode, queryId).end()
