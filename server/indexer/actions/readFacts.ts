// What the index knows of the accounts of some traces.

import {
  type AccountFacts,
  accountsToKnow,
  type Facts,
  factsToFollow,
  type SaleFacts,
  type TraceInput,
} from '../../actions/index.ts'
import {
  type AccountFactsRow,
  type AccountKey,
  factsRead,
  type QueryOptions,
  readAll,
  type Sql,
} from '../../store/index.ts'
import { accountKey } from '../parse/accountKey.ts'
import { base64, rawAddress } from './traceInput.ts'

/** What a sale or an auction is about: its price, or the last bid. */
interface SaleDetails {
  readonly full_price?: string
  readonly last_bid?: string
}

const end = (key: AccountKey | null): string | null => key && rawAddress(key)

function sellerOf({ nft, nftOwner, marketplace, details }: NonNullable<AccountFactsRow['sale']>): SaleFacts {
  // The cast: this program wrote the text.
  const { full_price: fullPrice, last_bid: lastBid } = JSON.parse(details) as SaleDetails
  const price = fullPrice ?? lastBid
  return {
    nft: rawAddress(nft),
    nftOwner: end(nftOwner),
    marketplace: end(marketplace),
    price: price === undefined ? null : BigInt(price),
  }
}

export function toFacts({
  codeHash,
  interfaces,
  jettonWallet,
  nftItem,
  sale,
  orderSigners,
}: AccountFactsRow): AccountFacts {
  return {
    interfaces,
    codeHash: codeHash && base64(codeHash),
    ...(jettonWallet && {
      jettonWallet: { owner: rawAddress(jettonWallet.owner), jetton: rawAddress(jettonWallet.jetton) },
    }),
    ...(nftItem && {
      nftItem: {
        ...{ index: nftItem.index, collection: end(nftItem.collection), owner: end(nftItem.owner) },
        content: nftItem.content,
      },
    }),
    ...(sale?.kind === 'sale' && { sale: sellerOf(sale) }),
    ...(sale?.kind === 'auction' && { auction: sellerOf(sale) }),
    ...(orderSigners && { multisigOrder: { signers: orderSigners.map(rawAddress) } }),
  }
}

/** Null for what no account of the index can be called. */
function keyOf(address: string): AccountKey | null {
  const [, workchain, hex] = /^(-?\d{1,3}):([0-9A-F]{64})$/.exec(address) ?? []
  const number = Number(workchain)
  return hex === undefined || number < -128 || number > 127 ? null : accountKey(number, Buffer.from(hex, 'hex'))
}

/** Accounts of one statement. */
const MOST_ACCOUNTS = 10_000

/** Of those of the accounts of which anything is known, with their addresses. */
export async function readAccountFacts(
  from: Sql,
  addresses: ReadonlySet<string>,
  options?: QueryOptions,
): Promise<[string, AccountFacts][]> {
  const keys = [...addresses].map(keyOf).filter((key) => key !== null)
  const found: [string, AccountFacts][] = []
  for (let at = 0; at < keys.length; at += MOST_ACCOUNTS)
    for (const row of await readAll(from, factsRead(keys.slice(at, at + MOST_ACCOUNTS)), options))
      found.push([rawAddress(row.account), toFacts(row)])
  return found
}

type ReadFacts = (addresses: ReadonlySet<string>) => Promise<Iterable<readonly [string, AccountFacts]>>

/** Of all whom the traces name, and of the items in the hands of those among them that sell. */
export async function factsOfTraces(traces: readonly TraceInput[], read: ReadFacts): Promise<Facts> {
  const named = new Set(traces.flatMap((trace) => [...accountsToKnow(trace)]))
  const facts = new Map(await read(named))
  const items = factsToFollow(facts)
  if (items.size > 0) for (const [address, known] of await read(items)) facts.set(address, known)
  return facts
}

/** The same, as far as the store knows. */
export const readFacts = (from: Sql, traces: readonly TraceInput[], options?: QueryOptions): Promise<Facts> =>
  factsOfTraces(traces, (addresses) => readAccountFacts(from, addresses, options))
