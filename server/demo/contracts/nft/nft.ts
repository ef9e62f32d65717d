// Deployment of collections and items, soulbound ones included, and the messages they accept (TEP-62, TEP-66, TEP-85).

import { nft } from '../../../bodies/index.ts'
import { beginCell, bigKey, type Cell, type Codec, dictKind, emptyDict } from '../../../cell/index.ts'
import { type AccountId, type Deployment, operationBody } from '../../../devchain/index.ts'
import { cellWriter, type OrderPayload, payloadParts, storeAddressOrNone } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface Royalty {
  /** The share is numerator / denominator; each fits 16 bits. */
  readonly numerator: number
  readonly denominator: number
  readonly destination: AccountId
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
  readonly owner: AccountId | null
  /** Contract of its items; `nft/item` by default. */
  readonly itemKind?: ItemKind
}

export interface NewItem {
  readonly owner: AccountId
  /** The end of a link (`linkPart`), or complete content. */
  readonly content: Cell
  /** May revoke it; only for soulbound items. */
  readonly authority?: AccountId
  /** Nanotons for the item. */
  readonly value: bigint
}

export interface NftTransferOrder {
  readonly queryId: bigint
  readonly to: AccountId
  /** Receives the rest of the value. */
  readonly responseTo: AccountId | null
  readonly customPayload?: Cell
  /** Nanotons sent to the new owner with the payload; zero sends no notification. */
  readonly forwardAmount?: bigint
  readonly forwardPayload?: OrderPayload
}

export interface OwnershipQuestion {
  readonly queryId: bigint
  /** The account that is notified. */
  readonly to: AccountId
  readonly payload: Cell
  readonly withContent: boolean
}

const royaltyCell = ({ numerator, denominator, destination }: Royalty): Cell =>
  storeAddressOrNone(beginCell().storeUint(numerator, 16).storeUint(denominator, 16), destination).end()

const contentsCell = ({ content, commonLink }: CollectionContent): Cell =>
  beginCell()
    .storeRef(content)
    .storeRef(beginCell().storeBytes(Buffer.from(commonLink, 'utf8')).end())
    .end()

/** A collection without items. */
export function nftCollectionInit(parts: CollectionParts): Deployment {
  const data = storeAddressOrNone(beginCell(), parts.owner)
    .storeUint(0, 64)
    .storeRef(contentsCell(parts))
    .storeRef(contractCode(parts.itemKind ?? 'nft/item'))
    .storeRef(royaltyCell(parts.royalty))
  return deployment('nft/collection', data.end())
}

/** The item of an index as its collection deploys it. */
export const nftItemInit = (collection: AccountId, index: bigint, kind: ItemKind = 'nft/item'): Deployment =>
  deployment(kind, storeAddressOrNone(beginCell().storeUint(index, 64), collection).end())

/** An item without a collection; its content is complete. */
export function singleNft(index: bigint, owner: AccountId, content: Cell): Deployment {
  const data = storeAddressOrNone(storeAddressOrNone(beginCell().storeUint(index, 64), null), owner).storeRef(content)
  return deployment('nft/item', data.end())
}

function newItemCell({ owner, content, authority }: NewItem): Cell {
  const builder = storeAddressOrNone(beginCell(), owner).storeRef(content)
  return (authority === undefined ? builder : storeAddressOrNone(builder, authority)).end()
}

const writeMint = cellWriter(nft.mint)
const writeMintBatch = cellWriter(nft.mintBatch)
const writeChangeOwner = cellWriter(nft.changeOwner)
const writeChangeContent = cellWriter(nft.changeContent)

/** For a collection, from its owner: mints one item; the index must be the next. */
export const nftMintBody = (queryId: bigint, index: bigint, item: NewItem): Cell =>
  writeMint({ queryId, index, value: item.value, item: newItemCell(item) })

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
  return writeMintBatch({ queryId, items: root })
}

/** For a collection, from its owner. */
export const nftChangeOwnerBody = (queryId: bigint, owner: AccountId): Cell => writeChangeOwner({ queryId, owner })

/** For a collection, from its owner. */
export const nftChangeContentBody = (queryId: bigint, content: CollectionContent): Cell =>
  writeChangeContent({ queryId, contents: contentsCell(content), royalty: royaltyCell(content.royalty) })

/** For a collection, from any account. */
export const nftRoyaltyBody = (queryId: bigint): Cell => operationBody(nft.getRoyaltyParams.opcode, queryId).end()

const writeTransfer = cellWriter(nft.transfer)

/** For an item, from its owner. */
export const nftTransferBody = (transfer: NftTransferOrder): Cell =>
  writeTransfer({
    queryId: transfer.queryId,
    newOwner: transfer.to,
    responseDestination: transfer.responseTo,
    customPayload: transfer.customPayload ?? null,
    forwardAmount: transfer.forwardAmount ?? 0n,
    forwardPayload: payloadParts(transfer.forwardPayload),
  })

/** For an item, from any account: queries its index and collection. */
export const nftStaticDataBody = (queryId: bigint): Cell => operationBody(nft.getStaticData.opcode, queryId).end()

const writeProve = cellWriter(nft.proveOwnership)
const writeRequestOwner = cellWriter(nft.requestOwner)

const question = ({ queryId, to, payload, withContent }: OwnershipQuestion) => ({
  queryId,
  dest: to,
  forwardPayload: payload,
  withContent,
})

/** For a soulbound item, from its owner: proves ownership to an account. */
export const soulboundProveBody = (details: OwnershipQuestion): Cell => writeProve(question(details))

/** For a soulbound item, from any account. */
export const soulboundRequestOwnerBody = (details: OwnershipQuestion): Cell => writeRequestOwner(question(details))

/** For a soulbound item, from its owner: destroys it. */
export const soulboundDestroyBody = (queryId: bigint): Cell => operationBody(nft.destroy.opcode, queryId).end()

/** For a soulbound item, from its authority. */
export const soulboundRevokeBody = (queryId: bigint): Cell => operationBody(nft.revoke.opcode, queryId).end()

/** For a soulbound item, from its owner: withdraws TON that storage does not need. */
export const soulboundTakeExcessBody = (queryId: bigint): Cell => operationBody(nft.takeExcess.opcode, queryId).end()
