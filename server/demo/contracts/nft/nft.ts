// Deployment of collections and items, soulbound ones included, and the messages they accept (TEP-62, TEP-66, TEP-85).

import { beginCell, bigKey, type Cell, type Codec, dictKind, emptyDict } from '../../../cell/index.ts'
import { type AccountAddress, type Deployment, operationBody } from '../../../devchain/index.ts'
import { type Payload, storeAccount, storePayload } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface Royalty {
  /** The share is numerator / denominator; each fits 16 bits. */
  readonly numerator: number
  readonly denominator: number
  readonly destination: AccountAddress
}

export interface CollectionContent {
  /** Of the collection itself, as in TEP-64. */
  readonly content: Cell
  /** Common beginning of the items' links. */
  readonly commonLink: string
  readonly royalty: Royalty
}

export type ItemKind = 'nft/item' | 'nft/soulbound'

export interface CollectionParts extends CollectionContent {
  /** May mint and change; no account when null. */
  readonly owner: AccountAddress | null
  /** Contract of its items; `nft/item` by default. */
  readonly itemKind?: ItemKind
}

export interface NewItem {
  readonly owner: AccountAddress
  /** The end of a link (`linkPart`), or complete content. */
  readonly content: Cell
  /** May revoke it; only for soulbound items. */
  readonly authority?: AccountAddress
  /** Nanotons for the item. */
  readonly value: bigint
}

export interface NftTransfer {
  readonly queryId: bigint
  readonly to: AccountAddress
  /** Receives the rest of the value. */
  readonly responseTo: AccountAddress | null
  readonly customPayload?: Cell
  /** Nanotons sent to the new owner with the payload; zero sends no notification. */
  readonly forwardAmount?: bigint
  readonly forwardPayload?: Payload
}

export interface OwnershipQuestion {
  readonly queryId: bigint
  /** The account that is notified. */
  readonly to: AccountAddress
  readonly payload: Cell
  readonly withContent: boolean
}

const ops = {
  mint: 1,
  mintBatch: 2,
  changeOwner: 3,
  changeContent: 4,
  transfer: 0x5fcc3d14,
  getStaticData: 0x2fcb26a2,
  getRoyaltyParams: 0x693d3950,
  proveOwnership: 0x04ded148,
  requestOwner: 0xd0c3bfea,
  destroy: 0x1f04537a,
  revoke: 0x6f89f5e3,
  takeExcess: 0xd136d3b3,
} as const

const royaltyCell = ({ numerator, denominator, destination }: Royalty): Cell =>
  storeAccount(beginCell().storeUint(numerator, 16).storeUint(denominator, 16), destination).end()

const contentsCell = ({ content, commonLink }: CollectionContent): Cell =>
  beginCell()
    .storeRef(content)
    .storeRef(beginCell().storeBytes(Buffer.from(commonLink, 'utf8')).end())
    .end()

/** A collection without items. */
export function nftCollection(parts: CollectionParts): Deployment {
  const data = storeAccount(beginCell(), parts.owner)
    .storeUint(0, 64)
    .storeRef(contentsCell(parts))
    .storeRef(contractCode(parts.itemKind ?? 'nft/item'))
    .storeRef(royaltyCell(parts.royalty))
  return deployment('nft/collection', data.end())
}

/** The item of an index as its collection deploys it. */
export const nftItem = (collection: AccountAddress, index: bigint, kind: ItemKind = 'nft/item'): Deployment =>
  deployment(kind, storeAccount(beginCell().storeUint(index, 64), collection).end())

/** An item without a collection; its content is complete. */
export function singleNft(index: bigint, owner: AccountAddress, content: Cell): Deployment {
  const data = storeAccount(storeAccount(beginCell().storeUint(index, 64), null), owner).storeRef(content)
  return deployment('nft/item', data.end())
}

function newItemCell({ owner, content, authority }: NewItem): Cell {
  const builder = storeAccount(beginCell(), owner).storeRef(content)
  return (authority === undefined ? builder : storeAccount(builder, authority)).end()
}

/** For a collection, from its owner: mints one item; the index must be the next. */
export const nftMintBody = (queryId: bigint, index: bigint, item: NewItem): Cell =>
  operationBody(ops.mint, queryId).storeUint(index, 64).storeCoins(item.value).storeRef(newItemCell(item)).end()

const newItem: Codec<NewItem> = {
  load: () => {
    throw new TypeError('A batch is written, never read')
  },
  store: (builder, item) => {
    builder.storeCoins(item.value).storeRef(newItemCell(item))
  },
}
const batchKind = dictKind(bigKey(64), newItem)

/** For a collection, from its owner: mints up to 250 items, from index `first` on. Throws RangeError for none, or more. */
export function nftMintBatchBody(queryId: bigint, first: bigint, items: readonly NewItem[]): Cell {
  const entries = items.map((item, place) => [first + BigInt(place), item] as const)
  const { root } = emptyDict(batchKind).update(entries)
  if (root === null || items.length > 250) throw new RangeError(`A batch has 1 to 250 items, not ${items.length}`)
  return operationBody(ops.mintBatch, queryId).storeRef(root).end()
}

/** For a collection, from its owner. */
export const nftChangeOwnerBody = (queryId: bigint, owner: AccountAddress): Cell =>
  storeAccount(operationBody(ops.changeOwner, queryId), owner).end()

/** For a collection, from its owner. */
export const nftChangeContentBody = (queryId: bigint, content: CollectionContent): Cell =>
  operationBody(ops.changeContent, queryId).storeRef(contentsCell(content)).storeRef(royaltyCell(content.royalty)).end()

/** For a collection, from any account. */
export const nftRoyaltyBody = (queryId: bigint): Cell => operationBody(ops.getRoyaltyParams, queryId).end()

/** For an item, from its owner. */
export function nftTransferBody(transfer: NftTransfer): Cell {
  const { queryId, to, responseTo, customPayload = null, forwardAmount = 0n, forwardPayload = null } = transfer
  const head = storeAccount(storeAccount(operationBody(ops.transfer, queryId), to), responseTo)
  return storePayload(head.storeMaybeRef(customPayload).storeCoins(forwardAmount), forwardPayload).end()
}

/** For an item, from any account: queries its index and collection. */
export const nftStaticDataBody = (queryId: bigint): Cell => operationBody(ops.getStaticData, queryId).end()

const question = (op: number, { queryId, to, payload, withContent }: OwnershipQuestion): Cell =>
  storeAccount(operationBody(op, queryId), to).storeRef(payload).storeBit(withContent).end()

/** For a soulbound item, from its owner: proves ownership to an account. */
export const soulboundProveBody = (asked: OwnershipQuestion): Cell => question(ops.proveOwnership, asked)

/** For a soulbound item, from any account. */
export const soulboundRequestOwnerBody = (asked: OwnershipQuestion): Cell => question(ops.requestOwner, asked)

/** For a soulbound item, from its owner: destroys it. */
export const soulboundDestroyBody = (queryId: bigint): Cell => operationBody(ops.destroy, queryId).end()

/** For a soulbound item, from its authority. */
export const soulboundRevokeBody = (queryId: bigint): Cell => operationBody(ops.revoke, queryId).end()

/** For a soulbound item, from its owner: withdraws TON that storage does not need. */
export const soulboundTakeExcessBody = (queryId: bigint): Cell => operationBody(ops.takeExcess, queryId).end()
