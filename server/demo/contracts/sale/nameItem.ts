// Deployment of names that auction themselves, and the messages they accept.

import { type Builder, beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountAddress, type Deployment, operationBody, snake } from '../../../devchain/index.ts'
import { storeAccount } from '../body.ts'
import { deployment } from '../code.ts'

export interface NameAuctionTerms {
  readonly beneficiary: AccountAddress
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
  readonly royalty: { readonly numerator: number; readonly denominator: number; readonly destination: AccountAddress }
  readonly terms: NameAuctionTerms
  /** Unix seconds the first auction ends at. */
  readonly endsAt: number
}

const ops = { startAuction: 0x487a8e81, cancelAuction: 0x371638ae } as const

function termsCell({ beneficiary, initialMinBid, maxBid = 0n, ...terms }: NameAuctionTerms): Cell {
  const prices = storeAccount(beginCell(), beneficiary).storeCoins(initialMinBid).storeCoins(maxBid)
  const times = prices.storeUint(terms.minBidStep, 8).storeUint(terms.minExtendTime, 32)
  return times.storeUint(terms.duration, 32).end()
}

/** No bid yet. */
const freshAuction = ({ initialMinBid }: NameAuctionTerms, endsAt: number): Builder =>
  storeAccount(beginCell(), null).storeCoins(0n).storeUint(0, 32).storeCoins(initialMinBid).storeUint(endsAt, 32)

/** A name in its first auction. */
export function nameItem({ name, content, royalty, terms, endsAt }: NameItemParts): Deployment {
  const { numerator, denominator, destination } = royalty
  const about = beginCell()
    .storeRef(snake(Buffer.from(name, 'utf8')))
    .storeRef(content)
  storeAccount(about.storeUint(numerator, 16).storeUint(denominator, 16), destination)
  const data = storeAccount(beginCell().storeRef(about.end()), null).storeRef(termsCell(terms))
  return deployment('sale/nameItem', data.storeMaybeRef(freshAuction(terms, endsAt).end()).end())
}

/** For a name, from its owner: opens an auction. */
export const nameStartAuctionBody = (queryId: bigint, terms: NameAuctionTerms): Cell =>
  operationBody(ops.startAuction, queryId).storeRef(termsCell(terms)).end()

/** For a name, from its owner: ends an auction without bids. */
export const nameCancelAuctionBody = (queryId: bigint): Cell => operationBody(ops.cancelAuction, queryId).end()
