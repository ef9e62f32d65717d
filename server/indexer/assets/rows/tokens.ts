// Jettons, collections, items and domains as rows.

import { hashToHex } from '../../../cell/index.ts'
import type {
  BareItem,
  DomainAuction,
  DomainContent,
  JettonMasterData,
  JettonWalletData,
  NftCollectionData,
} from '../../../contracts/index.ts'
import type {
  ContractRow,
  DnsRecordRow,
  JettonMasterRow,
  JettonWalletRow,
  NftCollectionRow,
  NftItemRow,
} from '../../../store/index.ts'
import { type DnsCategory, type DnsRecord, dnsCategoryHash, type TokenContent } from '../../../tlb/index.ts'
import { contentRow, int64, keyOf, keyOrNull } from './values.ts'

export const masterRow = (head: ContractRow, facts: JettonMasterData): JettonMasterRow => ({
  totalSupply: facts.totalSupply,
  mintable: facts.mintable,
  admin: keyOrNull(facts.admin),
  content: contentRow(facts.content),
  walletCodeHash: facts.walletCode.hashBytes(),
  airdropRoot: facts.airdropRoot,
  ...head,
})

export const walletRow = (head: ContractRow, facts: JettonWalletData): JettonWalletRow => ({
  balance: facts.balance,
  owner: keyOf(facts.owner),
  jetton: keyOf(facts.master),
  claimed: facts.isClaimed,
  ...head,
})

export const collectionRow = (head: ContractRow, facts: NftCollectionData): NftCollectionRow => ({
  owner: keyOrNull(facts.owner),
  nextItemIndex: facts.nextIndex,
  content: contentRow(facts.content),
  ...head,
})

/** An item with what its collection says about it, and its domain name if it is one. */
export interface WholeItem {
  readonly item: BareItem
  readonly content: TokenContent | null
  readonly domain: string | null
}

export function itemRow(head: ContractRow, { item, content, domain }: WholeItem): NftItemRow {
  const attributes = content === null ? null : contentRow(content)
  return {
    init: item.isInit,
    index: item.index,
    collection: keyOrNull(item.collection),
    owner: keyOrNull(item.owner),
    content: domain === null ? attributes : { ...attributes, domain },
    ...head,
  }
}

export interface WholeDomain {
  readonly item: BareItem
  readonly content: DomainContent
  readonly auction: DomainAuction | null
  readonly lastFillUp: bigint | null
}

const KEYS: Readonly<Record<DnsCategory, string>> = {
  wallet: hashToHex(dnsCategoryHash('wallet')),
  site: hashToHex(dnsCategoryHash('site')),
  storage: hashToHex(dnsCategoryHash('storage')),
  dns_next_resolver: hashToHex(dnsCategoryHash('dns_next_resolver')),
}

const bagIn = (record: DnsRecord | undefined): Uint8Array | null =>
  record?.kind === 'storageAddress' ? record.bagId : null

export function domainRow(head: ContractRow, { item, content, auction, lastFillUp }: WholeDomain): DnsRecordRow {
  const { account, lastTxLt } = head
  const record = (category: DnsCategory): DnsRecord | undefined => content.records.get(KEYS[category])
  const wallet = record('wallet')
  const site = record('site')
  const next = record('dns_next_resolver')
  return {
    account,
    domain: content.domain,
    owner: keyOrNull(item.owner),
    wallet: wallet?.kind === 'smcAddress' ? keyOf(wallet.address) : null,
    nextResolver: next?.kind === 'nextResolver' ? keyOf(next.address) : null,
    siteAdnl: site?.kind === 'adnlAddress' ? site.adnl : null,
    // Sites in TON Storage have their bag in the record of the site.
    storageBag: bagIn(record('storage')) ?? bagIn(site),
    maxBidder: keyOrNull(auction?.maxBidder ?? null),
    maxBid: auction?.maxBid ?? null,
    auctionEnd: auction === null ? null : int64(auction.end),
    lastFillUp: lastFillUp === null ? null : int64(lastFillUp),
    lastTxLt,
  }
}
