// What tokens did, transaction by transaction: by logical time, or by time when bounded in time.

import type { JettonBurnRow, JettonTransferRow, NftTransferRow } from '../../assetRows.ts'
import type { Row, SqlText } from '../../database.ts'
import type { AccountKey } from '../../rows.ts'
import { sql } from '../../sql.ts'
import { byBytes, byNumber, type Direction, type Order } from '../order.ts'
import type { PageAsk, PagedRead } from '../page.ts'
import { isOneOf, type List, leadOf, listRead } from './list.ts'

/** When they were, bounds included. */
interface Times {
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
}

export interface JettonTransferFilter extends Times {
  readonly owners?: readonly AccountKey[] | undefined
  /** Which end an owner is at; null for either. */
  readonly direction: 'in' | 'out' | null
  /** The wallets that sent. */
  readonly wallets?: readonly AccountKey[] | undefined
  readonly jetton?: AccountKey | undefined
}

export interface JettonBurnFilter extends Times {
  readonly owners?: readonly AccountKey[] | undefined
  readonly wallets?: readonly AccountKey[] | undefined
  readonly jetton?: AccountKey | undefined
}

export interface NftTransferFilter extends Times {
  readonly owners?: readonly AccountKey[] | undefined
  readonly direction: 'in' | 'out' | null
  readonly items?: readonly AccountKey[] | undefined
  readonly collection?: AccountKey | undefined
}

const EVENT =
  't.tx_hash, t.tx_lt, t.tx_now, t.aborted, t.trace_id, t.query_id, t.response_destination, t.custom_payload'

const eventOf = (row: Row) => ({
  txHash: row.tx_hash as Uint8Array,
  txLt: row.tx_lt as bigint,
  txNow: Number(row.tx_now),
  aborted: row.aborted as boolean,
  traceId: row.trace_id as Uint8Array,
  queryId: row.query_id as bigint,
  responseDestination: row.response_destination as AccountKey | null,
  customPayload: row.custom_payload as Uint8Array | null,
})

function orderOf({ startUtime, endUtime }: Times, sort: Direction): Order {
  const byLt = [byNumber('tx_lt', sort), byBytes('tx_hash', sort)]
  return startUtime === undefined && endUtime === undefined ? byLt : [byNumber('tx_now', sort), ...byLt]
}

function timesOf({ startUtime, endUtime, startLt, endLt }: Times): SqlText[] {
  const parts: SqlText[] = []
  if (startUtime !== undefined) parts.push(sql`t.tx_now >= ${startUtime}`)
  if (endUtime !== undefined) parts.push(sql`t.tx_now <= ${endUtime}`)
  if (startLt !== undefined) parts.push(sql`t.tx_lt >= ${startLt}`)
  if (endLt !== undefined) parts.push(sql`t.tx_lt <= ${endLt}`)
  return parts
}

/** Accounts that were named, in any of some columns. */
interface Named {
  readonly columns: readonly string[]
  readonly accounts: readonly AccountKey[] | undefined
}

interface Asked {
  /** What finds the fewest rows first: it leads, and the others are held against its rows. */
  readonly named: readonly Named[]
  readonly filter: Times
  readonly sort: Direction
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

function eventsRead<T>(
  list: Pick<List<T>, 'table' | 'columns' | 'toValue' | 'conditions'>,
  { named, filter, sort }: Asked,
  ask: PageAsk,
): PagedRead<T> {
  const given = named.flatMap(({ columns, accounts }) => (accounts === undefined ? [] : [{ columns, accounts }]))
  const [first, ...others] = given
  const leads = first ? first.columns.flatMap((column) => leadOf(column, first.accounts)) : []
  const held = others.map(({ columns, accounts }) => fits(columns, accounts))
  const conditions = [...list.conditions, ...timesOf(filter), ...held]
  return listRead({ ...list, key: 'tx_hash', order: orderOf(filter, sort), conditions, leads }, ask)
}

const anyOf = (column: string, accounts: readonly AccountKey[] | undefined): Named => ({ columns: [column], accounts })
const one = (column: string, account: AccountKey | undefined): Named => anyOf(column, account && [account])

/** Transfers that were not refused by the wallet they were asked of. */
export const jettonTransfersRead = (
  filter: JettonTransferFilter,
  ask: PageAsk,
  sort: Direction,
): PagedRead<JettonTransferRow> =>
  eventsRead(
    {
      table: 'jetton_transfers',
      columns: sql.raw(`${EVENT}, t.source, t.destination, t.amount, t.source_wallet, t.jetton, t.forward_ton_amount,
        t.forward_payload`),
      conditions: [sql`not t.aborted`],
      toValue: (row) => ({
        source: row.source as AccountKey,
        destination: row.destination as AccountKey,
        amount: row.amount as bigint,
        sourceWallet: row.source_wallet as AccountKey,
        jetton: row.jetton as AccountKey,
        forwardTonAmount: row.forward_ton_amount as bigint | null,
        forwardPayload: row.forward_payload as Uint8Array | null,
        ...eventOf(row),
      }),
    },
    {
      named: [
        anyOf('source_wallet', filter.wallets),
        ends(filter, ['source', 'destination']),
        one('jetton', filter.jetton),
      ],
      filter,
      sort,
    },
    ask,
  )

export const jettonBurnsRead = (filter: JettonBurnFilter, ask: PageAsk, sort: Direction): PagedRead<JettonBurnRow> =>
  eventsRead(
    {
      table: 'jetton_burns',
      columns: sql.raw(`${EVENT}, t.owner, t.jetton_wallet, t.jetton, t.amount`),
      conditions: [],
      toValue: (row) => ({
        owner: row.owner as AccountKey,
        jettonWallet: row.jetton_wallet as AccountKey,
        jetton: row.jetton as AccountKey,
        amount: row.amount as bigint,
        ...eventOf(row),
      }),
    },
    {
      named: [anyOf('jetton_wallet', filter.wallets), anyOf('owner', filter.owners), one('jetton', filter.jetton)],
      filter,
      sort,
    },
    ask,
  )

export const nftTransfersRead = (filter: NftTransferFilter, ask: PageAsk, sort: Direction): PagedRead<NftTransferRow> =>
  eventsRead(
    {
      table: 'nft_transfers',
      columns: sql.raw(`${EVENT}, t.nft, t.collection, t.old_owner, t.new_owner, t.forward_amount, t.forward_payload`),
      conditions: [],
      toValue: (row) => ({
        nft: row.nft as AccountKey,
        collection: row.collection as AccountKey | null,
        oldOwner: row.old_owner as AccountKey,
        newOwner: row.new_owner as AccountKey,
        forwardAmount: row.forward_amount as bigint | null,
        forwardPayload: row.forward_payload as Uint8Array | null,
        ...eventOf(row),
      }),
    },
    {
      named: [
        anyOf('nft', filter.items),
        ends(filter, ['old_owner', 'new_owner']),
        one('collection', filter.collection),
      ],
      filter,
      sort,
    },
    ask,
  )
