// Facts about the accounts of traces, read from rows of the index.

import {
  type AccountFacts,
  type AccountsFacts,
  gatherFacts,
  type SaleFacts,
  type TraceInput,
} from '../../actions/index.ts'
import { base64Of } from '../../cell/index.ts'
import type { AccountFactsRow, AccountKey } from '../../store/index.ts'
import { rawAccountKey } from '../parse/accountKey.ts'
import { rawAddress } from './traceInput.ts'

/** What a sale or an auction is about: its price and who shares it, or the last bid. */
interface SaleDetails {
  readonly full_price?: string
  readonly marketplace_fee?: string
  readonly marketplace_fee_address?: string
  readonly royalty_amount?: string
  readonly royalty_address?: string
  readonly last_bid?: string
}

const end = (key: AccountKey | null): string | null => key && rawAddress(key)

const amountOf = (digits: string | undefined): bigint | null => (digits === undefined ? null : BigInt(digits))

const sharesOf = (details: SaleDetails): NonNullable<SaleFacts['shares']> => ({
  marketplaceFee: amountOf(details.marketplace_fee),
  feeAddress: details.marketplace_fee_address ?? null,
  royalty: amountOf(details.royalty_amount),
  royaltyAddress: details.royalty_address ?? null,
})

function sellerOf({ nft, nftOwner, marketplace, details }: NonNullable<AccountFactsRow['sale']>): SaleFacts {
  // The cast: this program wrote the text.
  const { full_price: fullPrice, last_bid: lastBid, ...shares } = JSON.parse(details) as SaleDetails
  const price = fullPrice ?? lastBid
  return {
    nft: rawAddress(nft),
    nftOwner: end(nftOwner),
    marketplace: end(marketplace),
    price: amountOf(price),
    ...(fullPrice !== undefined && { shares: sharesOf(shares) }),
  }
}

export function toFacts(row: AccountFactsRow): AccountFacts {
  const { codeHash, interfaces, jettonWallet, nftItem, sale, orderSigners, domain, dedustAssets } = row
  return {
    interfaces,
    codeHash: codeHash && base64Of(codeHash),
    ...(jettonWallet && {
      jettonWallet: { owner: rawAddress(jettonWallet.owner), jetton: rawAddress(jettonWallet.jetton) },
    }),
    ...(nftItem && {
      nftItem: {
        index: nftItem.index,
        collection: end(nftItem.collection),
        owner: end(nftItem.owner),
        content: nftItem.content,
      },
    }),
    ...(sale?.kind === 'sale' && { sale: sellerOf(sale) }),
    ...(sale?.kind === 'auction' && { auction: sellerOf(sale) }),
    ...(domain !== null && { domain }),
    ...(dedustAssets && { dedustPool: { assets: dedustAssets.map(end) } }),
    ...(orderSigners && { multisigOrder: { signers: orderSigners.map(rawAddress) } }),
  }
}

/** Accounts of one statement. */
const MOST_ACCOUNTS = 10_000

/** Source of rows of accounts; accounts without rows are left out. */
export interface FactRows {
  facts(accounts: readonly AccountKey[]): Promise<readonly AccountFactsRow[]>
  data(accounts: readonly AccountKey[]): Promise<readonly { readonly account: AccountKey; readonly data: Uint8Array }[]>
}

/** Facts of the accounts that have rows, with their addresses. */
export async function readAccountFacts(
  from: FactRows,
  addresses: ReadonlySet<string>,
): Promise<[string, AccountFacts][]> {
  const keys = [...addresses].map(rawAccountKey).filter((key) => key !== null)
  const found: [string, AccountFacts][] = []
  for (let at = 0; at < keys.length; at += MOST_ACCOUNTS)
    for (const row of await from.facts(keys.slice(at, at + MOST_ACCOUNTS)))
      found.push([rawAddress(row.account), toFacts(row)])
  return found
}

/** Data of the accounts that have data. */
export async function readData(from: FactRows, addresses: ReadonlySet<string>): Promise<[string, Uint8Array][]> {
  const keys = [...addresses].map(rawAccountKey).filter((key) => key !== null)
  const rows = keys.length === 0 ? [] : await from.data(keys)
  return rows.map(({ account, data }) => [rawAddress(account), data])
}

/** Facts of traces, from rows. */
export const readFacts = (from: FactRows, traces: readonly TraceInput[]): Promise<AccountsFacts> =>
  gatherFacts(traces, {
    facts: (addresses) => readAccountFacts(from, addresses),
    data: (addresses) => readData(from, addresses),
  })
