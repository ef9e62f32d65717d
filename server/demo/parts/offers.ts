// More outcomes of a sale: a changed price, a cancelled auction, an auction with a winner, a name that its owner auctions
// again.

import type { Deployment } from '../../devchain/index.ts'
import {
  auctionCancelBody,
  auctionFinishBody,
  fixedPriceSale,
  listingPayload,
  marketplace,
  type NameAuctionTerms,
  nameCancelAuctionBody,
  nameItem,
  nameStartAuctionBody,
  nftItemInit,
  nftTransferBody,
  offChainContent,
  saleAuction,
  saleUpdateBody,
  topUpBody,
} from '../contracts/index.ts'
import { type Act, roundName, type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { demoCollection } from './items.ts'
import { PART_TITLES } from './titles.ts'

const DAY = 86_400
/** The body of a top-up: its TON is no bid. */
const TOP_UP = topUpBody(0n)
/** Seconds the auction is open; it ends within the script. */
const SHORT = 120
/** A bid of the maximum: it ends the auction at once. */
const MOST = scriptCoins(12)

const termsOf = ({ cast }: Scene): NameAuctionTerms => ({
  beneficiary: cast.wallet(6).address,
  initialMinBid: scriptCoins(2),
  maxBid: MOST,
  minBidStep: 5,
  minExtendTime: 3600,
  duration: 7 * DAY,
})

const nameOf = (scene: Scene): Deployment =>
  nameItem({
    name: roundName('meadow', scene.round),
    content: offChainContent(`https://demo.invalid/names/${roundName('meadow', scene.round)}.json`),
    royalty: { numerator: 5, denominator: 100, destination: scene.cast.wallet(5).address },
    terms: termsOf(scene),
    endsAt: scene.start + 30 * DAY,
  })

/** The sellers of the part, and how an item gets to one. */
interface Sellers {
  readonly name: Deployment
  readonly sale: Deployment
  readonly calledOff: Deployment
  readonly won: Deployment
  readonly fees: { readonly fee: bigint; readonly royalty: bigint }
  list(index: number, owner: number, seller: Deployment): Act
}

function sellersOf(scene: Scene): Sellers {
  const { cast, round, start } = scene
  const { wallet } = cast
  const market = marketplace(round)
  const item = (index: number) => nftItemInit(demoCollection(cast, round).address, BigInt(index)).address
  const parts = (index: number, owner: number) => ({
    marketplace: market.address,
    item: item(index),
    owner: wallet(owner).address,
    createdAt: start,
  })
  const fees = { fee: scriptCoins(1), royalty: scriptCoins(1) }
  const share = { factor: 5, base: 100 }
  const bids = (endsAt: number) => ({
    minBid: scriptCoins(1),
    minStep: 5,
    endsAt,
    stepTime: 30,
    fee: { ...share, to: wallet(4).address },
    royalty: { ...share, to: wallet(5).address },
  })
  return {
    name: nameOf(scene),
    sale: fixedPriceSale({
      ...parts(7, 8),
      ...fees,
      price: scriptCoins(30),
      feeTo: wallet(4).address,
      royaltyTo: wallet(5).address,
    }),
    calledOff: saleAuction({ ...parts(1, 1), ...bids(start + 30 * DAY) }),
    won: saleAuction({ ...parts(0, 9), ...bids(start + SHORT) }),
    fees,
    list(index, owner, seller) {
      const from = wallet(owner)
      const forward = { forwardAmount: scriptCoins(0.3), forwardPayload: listingPayload(seller) }
      const body = nftTransferBody({ queryId: 60n, to: market.address, responseTo: from.address, ...forward })
      return { by: from, sends: [{ to: item(index), value: scriptCoins(0.5), body }] }
    },
  }
}

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const { name, sale, calledOff, won, fees, list } = sellersOf(scene)
  return [
    {
      acts: [
        { by: wallet(6), sends: [{ to: name, value: scriptCoins(0.5), bounce: false, body: TOP_UP }] },
        list(7, 8, sale),
        list(1, 1, calledOff),
        list(0, 9, won),
      ],
    },
    {
      acts: [
        {
          by: wallet(8),
          sends: [
            {
              to: sale.address,
              value: scriptCoins(0.1),
              body: saleUpdateBody(61n, { ...fees, price: scriptCoins(28) }),
            },
          ],
        },
        { by: wallet(1), sends: [{ to: calledOff.address, value: scriptCoins(0.3), body: auctionCancelBody() }] },
        { by: wallet(2), sends: [{ to: won.address, value: scriptCoins(3) }] },
        { by: wallet(3), sends: [{ to: name.address, value: MOST }] },
      ],
    },
    {
      wait: SHORT + 60,
      acts: [
        { by: wallet(9), sends: [{ to: won.address, value: scriptCoins(0.3), body: auctionFinishBody() }] },
        {
          by: wallet(3),
          sends: [{ to: name.address, value: scriptCoins(0.1), body: nameStartAuctionBody(62n, termsOf(scene)) }],
        },
      ],
    },
    {
      acts: [
        { by: wallet(3), sends: [{ to: name.address, value: scriptCoins(0.1), body: nameCancelAuctionBody(63n) }] },
      ],
    },
  ]
}

export const offersPart: ScriptPart = {
  name: 'offers',
  title: PART_TITLES.offers,
  mark: (scene) => nameOf(scene).address,
  steps,
}
