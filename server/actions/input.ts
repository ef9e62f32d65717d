// What the classifier is given: one complete trace, and what is known of its accounts. Addresses and hashes are texts as
// they go over the wire, so that a rule compares and passes them on without conversion.

export interface TraceMessage {
  /** Base64. */
  readonly hash: string
  readonly kind: 'internal' | 'externalIn' | 'externalOut'
  /** `<workchain>:<64 hex>`, uppercase; null outside of the chain. */
  readonly source: string | null
  readonly destination: string | null
  readonly value: bigint | null
  readonly extraCurrencies: Readonly<Record<string, string>>
  readonly createdLt: bigint | null
  readonly createdAt: number | null
  /** First 32 bits of the body, unsigned; null when it has fewer. */
  readonly opcode: number | null
  readonly bounce: boolean
  readonly bounced: boolean
  /** Bag of cells. */
  readonly body: Uint8Array
  readonly init: Uint8Array | null
}

export interface TraceTransaction {
  /** Base64. */
  readonly hash: string
  readonly account: string
  readonly lt: bigint
  readonly now: number
  readonly origStatus: string
  readonly endStatus: string
  readonly aborted: boolean
  /** Whether the compute phase was skipped because there was nothing to pay it with. */
  readonly lackedGas: boolean
  /** Of the compute phase; null where there was none. */
  readonly exitCode: number | null
  /** Started by the clock, not by a message. */
  readonly isTickTock: boolean
  readonly inMessage: TraceMessage | null
  readonly outMessages: readonly TraceMessage[]
}

export interface TraceInput {
  readonly traceId: string
  /** Of the external message it began with, and its normalized hash. */
  readonly externalHash: string | null
  readonly externalHashNorm: string | null
  readonly mcSeqnoEnd: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly transactions: readonly TraceTransaction[]
}

/** A contract that sells an item. */
export interface SaleFacts {
  readonly nft: string
  readonly nftOwner: string | null
  readonly marketplace: string | null
  /** Full price of a sale, last bid of an auction. */
  readonly price: bigint | null
  /** Who takes which part of the price of a sale, as it says itself. */
  readonly shares?: SaleShares
}

export interface SaleShares {
  readonly marketplaceFee: bigint | null
  readonly feeAddress: string | null
  readonly royalty: bigint | null
  readonly royaltyAddress: string | null
}

/** What is known of one account; a role it does not have is left out. */
export interface AccountFacts {
  readonly interfaces: readonly string[]
  /** Base64. */
  readonly codeHash: string | null
  readonly jettonMaster?: { readonly admin: string | null }
  readonly jettonWallet?: { readonly owner: string; readonly jetton: string }
  readonly nftItem?: {
    readonly index: bigint
    readonly collection: string | null
    readonly owner: string | null
    readonly content: Readonly<Record<string, unknown>> | null
  }
  /** Its domain, as `name.ton`. */
  readonly domain?: string
  readonly nftCollection?: { readonly owner: string | null }
  readonly sale?: SaleFacts
  readonly auction?: SaleFacts
  readonly multisigOrder?: { readonly signers: readonly string[] }
  /** The two assets of a pool; null is TON. */
  readonly dedustPool?: { readonly assets: readonly (string | null)[] }
  /** Bag of cells of its data, where a rule needs it. */
  readonly data?: Uint8Array
}

/** By address. */
export type AccountsFacts = ReadonlyMap<string, AccountFacts>
