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
import type { PagedRead, PageRequest } from '../page.ts'
import { isAccount } from '../shortKey.ts'
import { type TimeAndLtBounds, withinBounds } from '../timesOfLts.ts'
import { type IndexedList, isOneOf, type Lead, listRead } from './list.ts'

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

interface EventQuery {
  /** The most selective filter first: it leads, the others are conditions on its rows. */
  readonly named: readonly Named[]
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

const fits = (columns: readonly string[], accounts: readonly AccountKey[]): SqlText =>
  sql`(${sql.join(
    columns.map((column) => isOneOf(column, accounts)),
    ' or ',
  )})`

/** By a column that indexes of events begin with. */
const leadOf = (column: string, values: readonly AccountKey[]): Lead => ({
  values,
  where: (value) => isAccount(sql`t.${sql.identifier(column)}`, value),
})

function eventsRead<T>(
  list: Pick<IndexedList<T>, 'table' | 'conditions'>,
  { named, filter, sort }: EventQuery,
  request: PageRequest,
): PagedRead<T> {
  const given = named.flatMap(({ columns, accounts }) => (accounts === undefined ? [] : [{ columns, accounts }]))
  const [first, ...others] = given
  const leads = first ? first.columns.map((column) => leadOf(column, first.accounts)) : []
  const further = others.map(({ columns, accounts }) => fits(columns, accounts))
  const conditions = [
    ...list.conditions,
    ...withinBounds({ seconds: sql`t.tx_now`, lt: sql`t.tx_lt` }, filter),
    ...further,
  ]
  return listRead({ ...list, key: 'tx_hash', order: orderOf(filter, sort), conditions, leads }, request)
}

const anyOf = (column: string, accounts: readonly AccountKey[] | undefined): Named => ({ columns: [column], accounts })
const one = (column: string, account: AccountKey | undefined): Named => anyOf(column, account && [account])

/** Transfers that the sending wallet did not refuse. */
export const jettonTransfersRead = (
  filter: JettonTransferFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<JettonTransferRow> =>
  eventsRead(
    { table: jettonTransfers, conditions: [sql`not t.aborted`] },
    {
      named: [
        anyOf('source_wallet', filter.wallets),
        ends(filter, ['source', 'destination']),
        one('jetton', filter.jetton),
      ],
      filter,
      sort,
    },
    request,
  )

export const jettonBurnsRead = (
  filter: JettonBurnFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<JettonBurnRow> =>
  eventsRead(
    { table: jettonBurns, conditions: [] },
    {
      named: [anyOf('jetton_wallet', filter.wallets), anyOf('owner', filter.owners), one('jetton', filter.jetton)],
      filter,
      sort,
    },
    request,
  )

export const nftTransfersRead = (
  filter: NftTransferFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<NftTransferRow> =>
  eventsRead(
    { table: nftTransfers, conditions: [] },
    {
      named: [
        anyOf('nft', filter.items),
        ends(filter, ['old_owner', 'new_owner']),
        one('collection', filter.collection),
      ],
      filter,
      sort,
    },
    request,
  )
