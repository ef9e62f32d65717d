// What traces did, row by row, and what is known of accounts when that is told.

import type { Content, NftSaleKind } from './assetRows.ts'
import type { AccountKey } from './rows.ts'

export interface ActionRow {
  readonly traceId: Uint8Array
  readonly actionId: Uint8Array
  readonly type: string
  readonly success: boolean
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly traceEndLt: bigint
  readonly traceEndUtime: number
  readonly traceMcSeqnoEnd: number
  /** Of the message the trace began with, and its normalized hash when it came from outside. */
  readonly traceExternalHash: Uint8Array | null
  readonly traceExternalHashNorm: Uint8Array | null
  readonly transactions: readonly Uint8Array[]
  readonly accounts: readonly AccountKey[]
  /** Finished JSON, as it goes over the wire. */
  readonly details: string
  readonly parentActionId: Uint8Array | null
  /** Types of the actions it is a part of. */
  readonly ancestorTypes: readonly string[]
  readonly parentGaslessAction: Uint8Array | null
}

/** An action as it is written. */
export interface WrittenAction extends ActionRow {
  /** Made of nothing but the chain's own housekeeping, which lists may leave out. */
  readonly isSystem: boolean
}

/** What traces that were completed turned out to do. */
export interface ActionWrites {
  readonly actions: readonly WrittenAction[]
  /** Traces whose actions are nothing but their messages, since telling more of them failed. */
  readonly failed: readonly Uint8Array[]
  /** Traces that are too large to be told of. */
  readonly broken: readonly Uint8Array[]
}

/** What is known of an account; null where it is no such thing. */
export interface AccountFactsRow {
  readonly account: AccountKey
  readonly codeHash: Uint8Array | null
  readonly interfaces: readonly string[]
  readonly jettonWallet: { readonly owner: AccountKey; readonly jetton: AccountKey } | null
  readonly nftItem: {
    readonly index: bigint
    readonly collection: AccountKey | null
    readonly owner: AccountKey | null
    readonly content: Content | null
  } | null
  readonly sale: {
    readonly kind: NftSaleKind
    readonly nft: AccountKey
    readonly nftOwner: AccountKey | null
    readonly marketplace: AccountKey | null
    /** JSON, as in `NftSaleRow`. */
    readonly details: string
  } | null
  /** The name an item stands for. */
  readonly domain: string | null
  /** What a pool of DeDust exchanges; null among them is TON. */
  readonly dedustAssets: readonly (AccountKey | null)[] | null
  /** Who may sign an order of a shared wallet. */
  readonly orderSigners: readonly AccountKey[] | null
}
