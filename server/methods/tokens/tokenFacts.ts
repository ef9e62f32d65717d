// What is known of a token once its contract was asked.

import type { Cell, StdAddress } from '../../cell/index.ts'
import type { DnsRecord, TokenContent } from '../../tlb/index.ts'

export interface JettonMaster {
  readonly kind: 'jettonMaster'
  readonly totalSupply: bigint
  readonly mintable: boolean
  readonly admin: StdAddress | null
  readonly content: TokenContent
  readonly walletCode: Cell
}

export interface JettonWallet {
  readonly kind: 'jettonWallet'
  readonly balance: bigint
  readonly owner: StdAddress
  readonly master: StdAddress
  /** Null for a wallet that knows no claims. */
  readonly isClaimed: boolean | null
  readonly walletCode: Cell
}

export interface NftCollection {
  readonly kind: 'nftCollection'
  readonly nextIndex: bigint
  readonly owner: StdAddress | null
  readonly content: TokenContent
}

export interface DomainContent {
  readonly kind: 'domain'
  readonly domain: string
  /** By the hash of the category in hex. */
  readonly records: ReadonlyMap<string, DnsRecord>
}

export interface NftItem {
  readonly kind: 'nftItem'
  readonly isInit: boolean
  readonly index: bigint
  readonly collection: StdAddress | null
  readonly owner: StdAddress | null
  readonly content: TokenContent | DomainContent
}

export type TokenFacts = JettonMaster | JettonWallet | NftCollection | NftItem
