// Transfers and burns of tokens: by logical time, or by seconds when bounded in seconds.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import {
  type JettonBurnRow,
  type JettonTransferRow,
  jettonBurns,
  jettonTransfers,
  type NftTransferRow,
  nftTransfers,
} from '../../tables/events.ts'
import { byBytes, byNumber, type RowOrder, type SortDirection } from '../order.ts'
import type { PageRequest } from '../page.ts'
import { areAccounts, isAccount } from '../shortKey.ts'
import { type TimeAndLtBounds, withinBounds } from '../timesOfLts.ts'
import { type IndexedList, isOneOf, type Lead, type ListedRead, listRead } from './list.ts'

/** Columns whose names and tokens are next to a list. */
export const ACCOUNTS_OF_EVENTS = {
  jettonTransfers: ['source', 'destination', 'source_wallet', 'jetton', 'response_destination'],
  jettonBurns: ['owner', 'jetton_wallet', 'jetton', 'response_destination'],
  nftTransfers: ['nft', 'collection', 'old_owner', 'new_owner', 'response_destination'],
} as const

export interface JettonTransferFilter extends TimeAndLtBounds {
  readonly owners?: readonly AccountKey[] | undefined
  /** Whether the owner sent or received; null for both. */
  readonly direction: 'in' | 'out' | null
  /** The wallets that sent. */
  readonly wallets?: readonly AccountKey[] | undefined
  readonly jetton?: AccountKey | undefined
}

export interface JettonBurnFilter extends TimeAndLtBounds {
  readonly owners?: readonly AccountKey[] | undefined
  readonly wallets?: readonly AccountKey[] | undefined
  readonly jetton?: AccountKey | undefined
}

export interface NftTransferFilter extends TimeAndLtBounds {
  readonly owners?: readonly AccountKey[] | undefined
  readonly direction: 'in' | 'out' | null
  readonly items?: readonly AccountKey[] | undefined
  readonly collection?: AccountKey | undefined
}

function orderOf({ startUtime, endUtime }: TimeAndLtBounds, sort: SortDirection): RowOrder {
  const byLt = [byNumber('tx_lt', sort), byBytes('tx_hash', sort)]
  return startUtime === undefined && endUtime === undefined ? byLt : [byNumber('tx_now', sort), ...byLt]
}

/** Accounts of the filter, in any of these columns. */
interface Named {
  readonly columns: readonly string[]
  readonly accounts: readonly AccountKey[] | undefined
}

interface Given extends Named {
  readonly accounts: readonly AccountKey[]
}

interface EventQuery {
  /** Wallets or items: the most selective, which lead. */
  readonly contracts: Named
  readonly owners: Named
  /** One jetton or collection. */
  readonly token: Named
  readonly filter: TimeAndLtBounds
  readonly sort: SortDirection
}

/** Owners at one end of a transfer, or at either. */
function ends(
  { owners, direction }: Pick<JettonTransferFilter, 'owners' | 'direction'>,
  [from, to]: readonly [string, string],
): Named {
  const columns = direction === null ? [from, to] : [direction === 'in' ? to : from]
  return { columns, accounts: owners }
}

const fits = ({ columns, accounts }: Given): SqlText =>
  sql`(${sql.join(
    columns.map((column) => isOneOf(column, accounts)),
    ' or ',
  )})`

const columnOf = (name: string): SqlText => sql`t.${sql.identifier(name)}`

/** By columns that indexes of events begin with. */
const leadsOf = ({ columns, accounts }: Given): Lead[] =>
  columns.map((column) => ({ values: accounts, where: (value) => isAccount(columnOf(column), value) }))

/** Of owners and a token: indexes begin with each two. */
const leadsOfPairs = (owners: Given, token: Given): Lead[] =>
  owners.columns.flatMap((column) =>
    token.columns.flatMap((other) =>
      token.accounts.map((account) => ({
        values: owners.accounts,
        where: (value) => areAccounts([columnOf(column), columnOf(other)], [value, sql`${account}`]),
      })),
    ),
  )

const leadsOfBoth = (first: Given, second: Given | undefined): Lead[] =>
  second === undefined ? leadsOf(first) : leadsOfPairs(first, second)

/** Each is a condition of its own: of more the statement would be long, and take long to plan. */
const MOST_WAYS = 64

/** What owners, a token, or both leave of the events of a contract; null where that is too long to be an index condition. */
function alongOf(first: Given, second: Given | undefined): SqlText | null {
  const ways = leadsOfBoth(first, second).flatMap(({ values, where }) => values.map((value) => where(sql`${value}`)))
  if (ways.length > MOST_WAYS) return null
  return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, ' or ')})`
}

const isGiven = (named: Named): named is Given => named.accounts !== undefined

function eventsRead<T>(
  list: Pick<IndexedList<T>, 'table' | 'conditions' | 'accounts'>,
  { contracts, owners, token, filter, sort }: EventQuery,
  request: PageRequest,
): ListedRead<T> {
  const [first, ...others] = [contracts, owners, token].filter(isGiven)
  const isPair = first === owners && others[0] === token
  const leads = first === undefined ? [] : leadsOfBoth(first, isPair ? others[0] : undefined)
  const [second, third] = isPair ? [] : others
  const along = second === undefined ? null : alongOf(second, third)
  const further = isPair ? [] : others.map(fits)
  const conditions = [
    ...list.conditions,
    ...withinBounds({ seconds: sql`t.tx_now`, lt: sql`t.tx_lt` }, filter),
    ...(along === null ? further : []),
  ]
  const order = orderOf(filter, sort)
  const rarely = along === null ? undefined : { fits: sql.join(further, ' and '), along }
  const shape = { key: 'tx_hash', order, indexed: order.length - 1, isSteady: further.length === 0 }
  return listRead({ ...list, ...shape, conditions, rarely, leads }, request)
}

const anyOf = (column: string, accounts: readonly AccountKey[] | undefined): Named => ({ columns: [column], accounts })
const one = (column: string, account: AccountKey | undefined): Named => anyOf(column, account && [account])

/** Transfers that the sending wallet did not refuse. */
export const jettonTransfersRead = (
  filter: JettonTransferFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<JettonTransferRow> =>
  eventsRead(
    { table: jettonTransfers, accounts: ACCOUNTS_OF_EVENTS.jettonTransfers, conditions: [sql`not t.aborted`] },
    {
      contracts: anyOf('source_wallet', filter.wallets),
      owners: ends(filter, ['source', 'destination']),
      token: one('jetton', filter.jetton),
      filter,
      sort,
    },
    request,
  )

export const jettonBurnsRead = (
  filter: JettonBurnFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<JettonBurnRow> =>
  eventsRead(
    { table: jettonBurns, accounts: ACCOUNTS_OF_EVENTS.jettonBurns, conditions: [] },
    {
      contracts: anyOf('jetton_wallet', filter.wallets),
      owners: anyOf('owner', filter.owners),
      token: one('jetton', filter.jetton),
      filter,
      sort,
    },
    request,
  )

export const nftTransfersRead = (
  filter: NftTransferFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<NftTransferRow> =>
  eventsRead(
    { table: nftTransfers, accounts: ACCOUNTS_OF_EVENTS.nftTransfers, conditions: [] },
    {
      contracts: anyOf('nft', filter.items),
      owners: ends(filter, ['old_owner', 'new_owner']),
      token: one('collection', filter.collection),
      filter,
      sort,
    },
    request,
  )
