// A collection whose items the faucet mints for any account: items are transferred, sold, auctioned, withdrawn from sale.

import { type AccountId, commentBody, type Deployment, type WellKnownAccount } from '../../devchain/index.ts'
import {
  auctionFinishBody,
  fixedPriceSale,
  linkPart,
  listingPayload,
  marketplace,
  nameItem,
  nftCollectionInit,
  nftItemInit,
  nftMintBatchBody,
  nftMintBody,
  nftTransferBody,
  offChainContent,
  onChainContent,
  SALE_TRANSFER_VALUE,
  saleAuction,
  saleCancelBody,
  topUpBody,
} from '../contracts/index.ts'
import {
  type Cast,
  roundName,
  type Scene,
  type ScriptPart,
  type ScriptSending,
  type ScriptStep,
  scriptCoins,
} from '../script.ts'
import { PART_TITLES } from './titles.ts'

const ITEM_VALUE = scriptCoins(0.05)
const MINT_VALUE = scriptCoins(0.2)
const DAY = 86_400
/** Address of a marketplace on the public network: sales that name it are classified as purchases. */
const KNOWN_MARKETPLACE = {
  workchain: 0,
  hash: new Uint8Array(Buffer.from('584ee61b2dff0837116d0fcb5078d93964bcbe9c05fd6a141b1bfca5d6a43e18', 'hex')),
}
/** The body of a top-up: its TON is no bid. */
const TOP_UP = topUpBody(0n)
/** Seconds an auction is open; it ends within the script. */
const SHORT = 300

/** The collection of the faucet. */
export const demoCollection = ({ faucet, wallet }: Pick<Cast, 'faucet' | 'wallet'>, round = 0): Deployment =>
  nftCollectionInit({
    owner: faucet.address,
    content: onChainContent({
      name: roundName('Demo Items', round),
      description: 'Items to try things with. They are worth nothing.',
      image: 'https://demo.invalid/items.png',
    }),
    commonLink: `https://demo.invalid/${roundName('items', round)}/`,
    royalty: { numerator: 5, denominator: 100, destination: wallet(5).address },
  })

const newItem = (index: bigint, owner: AccountId) => ({
  owner,
  content: linkPart(`${index}.json`),
  value: ITEM_VALUE,
})

/** The message from the owner of a collection that mints the next item. */
export const mintingItem = (collection: Deployment, index: bigint, owner: AccountId) => ({
  to: collection.address,
  value: MINT_VALUE,
  body: nftMintBody(index, index, newItem(index, owner)),
})

interface Handover {
  readonly queryId: bigint
  readonly from: WellKnownAccount
  readonly to: AccountId
  readonly note?: string
}

/** The message from the owner of an item that transfers it. */
function handing(item: AccountId, { queryId, from, to, note }: Handover): ScriptSending {
  const forward =
    note === undefined
      ? {}
      : { forwardAmount: scriptCoins(0.02), forwardPayload: { form: 'inline', cell: commentBody(note) } as const }
  return {
    to: item,
    value: scriptCoins(0.2),
    body: nftTransferBody({ queryId, to, responseTo: from.address, ...forward }),
  }
}

/** The contracts that sell items 2 to 6; item n is listed by wallet n + 1. */
function sellers({ cast, round, start }: Scene) {
  const { wallet } = cast
  const market = marketplace(round)
  const collection = demoCollection(cast, round)
  const parts = (index: number) => ({
    marketplace: market.address,
    item: nftItemInit(collection.address, BigInt(index)).address,
    owner: wallet(index + 1).address,
    createdAt: start,
  })
  const prices = (price: number) => ({
    price: scriptCoins(price),
    feeTo: wallet(4).address,
    fee: scriptCoins(price / 20),
    royaltyTo: wallet(5).address,
    royalty: scriptCoins(price / 20),
  })
  const share = { factor: 5, base: 100 }
  const bids = (endsAt: number) => ({
    minBid: scriptCoins(1),
    minStep: 5,
    endsAt,
    stepTime: 60,
    fee: { ...share, to: wallet(4).address },
    royalty: { ...share, to: wallet(5).address },
  })
  return {
    onSale: fixedPriceSale({ ...parts(2), ...prices(40) }),
    sold: fixedPriceSale({ ...parts(3), marketplace: KNOWN_MARKETPLACE, ...prices(15) }, 4),
    openAuction: saleAuction({ ...parts(4), ...bids(start + 30 * DAY), maxBid: scriptCoins(1000) }),
    wonAuction: saleAuction({ ...parts(5), ...bids(start + SHORT) }, 4),
    cancelled: fixedPriceSale({ ...parts(6), ...prices(25) }),
  }
}

/** An item that auctions itself for a month. */
const demoName = ({ cast: { wallet }, round, start }: Scene): Deployment =>
  nameItem({
    name: roundName('harbour', round),
    content: offChainContent(`https://demo.invalid/names/${roundName('harbour', round)}.json`),
    royalty: { numerator: 5, denominator: 100, destination: wallet(5).address },
    terms: {
      beneficiary: wallet(6).address,
      initialMinBid: scriptCoins(2),
      maxBid: scriptCoins(500),
      minBidStep: 5,
      minExtendTime: 3600,
      duration: 7 * DAY,
    },
    endsAt: start + 30 * DAY,
  })

function steps(scene: Scene): ScriptStep[] {
  const { cast, round } = scene
  const { wallet } = cast
  const collection = demoCollection(cast, round)
  const market = marketplace(round)
  const name = demoName(scene)
  const { onSale, sold, openAuction, wonAuction, cancelled } = sellers(scene)
  const item = (index: number) => nftItemInit(collection.address, BigInt(index)).address
  const first = Array.from({ length: 8 }, (_, index) => newItem(BigInt(index), wallet(index + 1).address))
  const batch = { to: collection.address, value: scriptCoins(1), body: nftMintBatchBody(1n, 0n, first) }
  const list = (index: number, seller: Deployment) => {
    const from = wallet(index + 1)
    const forward = { forwardAmount: scriptCoins(0.3), forwardPayload: listingPayload(seller) }
    const body = nftTransferBody({ queryId: 40n, to: market.address, responseTo: from.address, ...forward })
    return { by: from, sends: [{ to: item(index), value: scriptCoins(0.5), body }] }
  }
  const bid = (number: number, auction: Deployment, amount: number) => ({
    by: wallet(number),
    sends: [{ to: auction.address, value: scriptCoins(amount) }],
  })
  return [
    {
      acts: [
        { by: wallet(7), sends: [{ to: collection, value: scriptCoins(0.5), bounce: false }] },
        { by: wallet(4), sends: [{ to: market, value: scriptCoins(0.5), bounce: false }] },
        { by: wallet(6), sends: [{ to: name, value: scriptCoins(0.5), bounce: false, body: TOP_UP }] },
      ],
    },
    { acts: [{ by: 'faucet', sends: [batch] }] },
    {
      acts: [
        {
          by: wallet(1),
          sends: [handing(item(0), { queryId: 41n, from: wallet(1), to: wallet(9).address, note: 'For you' })],
        },
        { by: wallet(2), sends: [handing(item(1), { queryId: 42n, from: wallet(2), to: wallet(1).address })] },
        // Fails: the sender is not the owner.
        { by: wallet(8), sends: [handing(item(2), { queryId: 43n, from: wallet(8), to: wallet(8).address })] },
      ],
    },
    { acts: [list(2, onSale), list(3, sold), list(4, openAuction), list(5, wonAuction), list(6, cancelled)] },
    {
      acts: [
        { by: wallet(9), sends: [{ to: sold.address, value: scriptCoins(15) + SALE_TRANSFER_VALUE }] },
        { by: wallet(7), sends: [{ to: cancelled.address, value: scriptCoins(0.3), body: saleCancelBody(44n) }] },
        bid(8, openAuction, 5),
        bid(2, wonAuction, 3),
      ],
    },
    { acts: [bid(10, openAuction, 8), bid(1, wonAuction, 4), bid(3, name, 2.5)] },
    {
      wait: SHORT + 60,
      acts: [
        { by: wallet(1), sends: [{ to: wonAuction.address, value: scriptCoins(0.3), body: auctionFinishBody(45n) }] },
      ],
    },
  ]
}

export const itemsPart: ScriptPart = {
  name: 'nft',
  title: PART_TITLES.nft,
  mark: ({ cast, round }) => demoCollection(cast, round).address,
  steps,
}
