// Calls of the first tabs of an account.

import { afterCursor, type Query, query } from './explorerQuery.ts'

/** Which rows of a history come first. */
export type ListOrder = 'newest' | 'oldest'

export const sorted = (order: ListOrder) => (order === 'oldest' ? { sort: 'asc' as const } : {})

/** Rows of a list: of the page that comes with the document, and of each that is loaded below it. */
interface PageSizes {
  readonly first: number
  readonly next: number
}

const sizeOf = ({ first, next }: PageSizes, cursor: string | undefined) => ({
  limit: cursor === undefined ? first : next,
})

/** With so many of them the page of a busy account is below 80 kB. */
export const TRACES: PageSizes = { first: 5, next: 20 }

/** Messages of one page: some 50 kB. */
const MOST_MESSAGES = 600

/** How many rows the next page has, when those of the last one had so many messages. */
const nextSize = ({ first, next }: PageSizes, rows: number, messages: number): number =>
  Math.min(next, Math.max(first, Math.floor((rows * MOST_MESSAGES) / Math.max(1, messages))))

export const nextTraces = (traces: number, messages: number): number => nextSize(TRACES, traces, messages)

/** Of a trace with more, a list shows the part of the account. */
const MOST_OF_TRACE = 12

/** Unix seconds, each included. */
export interface TimeBounds {
  readonly start_utime?: number
  readonly end_utime?: number
}

/** `next` is the size of a page that is not the first one. */
export const accountTraces = (
  account: string,
  cursor?: string,
  bounds: TimeBounds = {},
  order: ListOrder = 'newest',
  next = TRACES.next,
) =>
  query('v3.traces', {
    account,
    ...sizeOf({ ...TRACES, next }, cursor),
    include_actions: true,
    max_transactions: MOST_OF_TRACE,
    ...bounds,
    ...sorted(order),
    ...afterCursor(cursor),
  })

/** Actions of some types: the service leaves out the others, so that rare ones are found at once. */
export const accountActions = (
  account: string,
  types: readonly string[],
  cursor?: string,
  bounds: TimeBounds = {},
  order: ListOrder = 'newest',
) =>
  query('v3.actions', {
    account,
    action_type: [...types],
    limit: 20,
    include_accounts: true,
    include_balance_changes: true,
    ...bounds,
    ...sorted(order),
    ...afterCursor(cursor),
  })

/**
 * With the usual number of them the page of a wallet is below 80 kB. One transaction can have 255 messages: the first page begins
 * with few, and has more where these are small.
 */
const TRANSACTIONS = { few: 2, usual: 15, next: 60 }

export const nextTransactions = (transactions: number, messages: number): number =>
  nextSize({ first: 1, next: TRANSACTIONS.next }, transactions, messages)

interface Sender {
  readonly out_msgs: readonly unknown[]
}

/** Messages that some transactions received and sent. */
export const messagesOf = (transactions: readonly Sender[]): number =>
  transactions.reduce((sum, { out_msgs: sent }) => sum + 1 + sent.length, 0)

/** Whether the usual number of transactions is a page of some 50 kB, by the first ones. */
export const areSmall = (first: readonly Sender[]): boolean =>
  nextTransactions(first.length, messagesOf(first)) >= TRANSACTIONS.usual

const transactionsOf = (
  account: string,
  limit: number,
  cursor: string | undefined,
  bounds: TimeBounds,
  order: ListOrder,
) => query('v3.transactions', { account: [account], limit, ...bounds, ...sorted(order), ...afterCursor(cursor) })

export const firstTransactions = (
  account: string,
  size: 'few' | 'usual',
  bounds: TimeBounds = {},
  order: ListOrder = 'newest',
) => transactionsOf(account, TRANSACTIONS[size], undefined, bounds, order)

export const furtherTransactions = (
  account: string,
  cursor: string,
  bounds: TimeBounds,
  order: ListOrder,
  limit = TRANSACTIONS.next,
) => transactionsOf(account, limit, cursor, bounds, order)

export const jettonsOf = (owner: string, cursor?: string) =>
  query('v3.jetton.wallets', { owner_address: [owner], exclude_zero_balance: true, limit: 100, ...afterCursor(cursor) })

export const itemsOf = (owner: string, cursor?: string) =>
  query('v3.nft.items', { owner_address: [owner], include_on_sale: true, limit: 60, ...afterCursor(cursor) })

export const itemsOfCollection = (collection: string, cursor?: string) =>
  query('v3.nft.items', { collection_address: [collection], include_on_sale: true, limit: 60, ...afterCursor(cursor) })

/** Names that lead to an account: those of its owner, and of anyone else. */
export const domainsOf = (wallet: string, cursor?: string) =>
  query('v3.dns.records', { wallet, limit: 20, ...afterCursor(cursor) })

export const saleAt = (address: string) => query('v3.nft.sales', { address: [address] })

interface SoldItem {
  readonly sale_contract_address?: string | undefined
  readonly auction_contract_address?: string | undefined
}

/** The contract that holds an item while it is on sale. */
export const saleOf = ({ sale_contract_address, auction_contract_address }: SoldItem): string | undefined =>
  sale_contract_address ?? auction_contract_address

/** Items in the first call and in each further one. The first call comes with the document, which has to stay small. */
const SALES = { first: 20, next: 200 }

/** Queries for the prices of those items that are on sale. */
export function salesOf(items: readonly SoldItem[]): readonly Query<'v3.nft.sales'>[] {
  const all = items.flatMap((item) => saleOf(item) ?? [])
  const calls: Query<'v3.nft.sales'>[] = []
  for (let at = 0; at < all.length; ) {
    const address = all.slice(at, at + (at === 0 ? SALES.first : SALES.next))
    calls.push(query('v3.nft.sales', { address }))
    at += address.length
  }
  return calls
}

export const jettonWalletAt = (address: string) => query('v3.jetton.wallets', { address: [address] })
export const jettonMasterAt = (address: string) => query('v3.jetton.masters', { address: [address] })
export const itemAt = (address: string) => query('v3.nft.items', { address: [address] })

const TOKENS = { jetton_wallet: jettonWalletAt, jetton_master: jettonMasterAt, nft_item: itemAt } as const

/** What the head of an account shows of it as a token. */
export const tokenAt = (address: string, interfaces: readonly string[]): readonly Query[] =>
  Object.entries(TOKENS).flatMap(([kind, queryOf]) => (interfaces.includes(kind) ? [queryOf(address)] : []))

export const pendingOfAccount = (account: string) => query('v3.pendingActions', { account })
