// Pages of transfers and burns as they are written: see `sidePage.ts`.

import type { SqlRow } from '../../database.ts'
import { sql } from '../../sql.ts'
import { nullable } from '../../tables/column.ts'
import { decoderOf } from '../../tables/decoder.ts'
import { eventTables } from '../../tables/events.ts'
import type { TableColumn } from '../../tables/table.ts'
import { type ReadSidePage, type SidePageShape, sidePageReader } from '../sidePage.ts'
import { span } from '../spanColumn.ts'
import { ACCOUNTS_OF_EVENTS } from './events.ts'

const { txLt, txNow, aborted } = eventTables.jettonTransfers.fields

const EVENT = {
  txHash: span,
  txLt,
  txNow,
  aborted,
  traceId: span,
  queryId: span,
  responseDestination: nullable(span),
  customPayload: nullable(span),
}

const decodeTransfer = decoderOf({
  ...EVENT,
  source: span,
  destination: span,
  amount: span,
  sourceWallet: span,
  token: span,
  forwardTonAmount: nullable(span),
  forwardPayload: nullable(span),
})

const decodeBurn = decoderOf({ ...EVENT, holder: span, jettonWallet: span, token: span, amount: span })

const decodeItemTransfer = decoderOf({
  ...EVENT,
  nft: span,
  collection: nullable(span),
  oldOwner: span,
  newOwner: span,
  forwardAmount: nullable(span),
  forwardPayload: nullable(span),
})

/** To be used at once, as all rows of such pages are. */
export type ListedTransfer = ReturnType<typeof decodeTransfer>
export type ListedBurn = ReturnType<typeof decodeBurn>
export type ListedItemTransfer = ReturnType<typeof decodeItemTransfer>

type EventTable = (typeof eventTables)[keyof typeof eventTables]

/** Names of columns that tokens of the page have as well, which are not received as spans. */
const OTHER_NAMES: Readonly<Record<string, string>> = { jetton: 'token', owner: 'holder' }

const nameOf = (name: string): string => OTHER_NAMES[name] ?? name

/** Bytes as they are, amounts in digits. */
function shapeOf({ columns }: EventTable, accounts: readonly string[]): Omit<SidePageShape<unknown>, 'toValue'> {
  const isAmount = ({ sqlType }: TableColumn): boolean => sqlType === 'numeric'
  const found = columns
    .filter(({ role }) => role !== 'search')
    .map((column) => ({ ...column, as: nameOf(column.name), isAmount: isAmount(column) }))
  const ofRow = sql.join(accounts.map((name) => sql`(l.${sql.identifier(name)})`))
  return {
    types: Object.fromEntries(found.map(({ as, sqlType, isAmount }) => [as, isAmount ? 'text' : sqlType])),
    columns: Object.fromEntries(
      found.map(({ name, as, isAmount }) => [as, sql`l.${sql.identifier(name)}${sql.raw(isAmount ? '::text' : '')}`]),
    ),
    spans: found.filter(({ sqlType, isAmount }) => isAmount || sqlType === 'bytea').map(({ as }) => as),
    mentioned: sql`select distinct o.account from listed l cross join lateral (values ${ofRow}) o (account)
      where l.is_shown and o.account is not null`,
  }
}

const pageOf = <T>(table: EventTable, accounts: readonly string[], toValue: (row: SqlRow) => T): ReadSidePage<T> =>
  sidePageReader({ ...shapeOf(table, accounts), toValue })

const { jettonTransfers, jettonBurns, nftTransfers } = eventTables

/** Readers of their pages. */
export const eventPages = {
  jettonTransfers: pageOf(jettonTransfers, ACCOUNTS_OF_EVENTS.jettonTransfers, decodeTransfer),
  jettonBurns: pageOf(jettonBurns, ACCOUNTS_OF_EVENTS.jettonBurns, decodeBurn),
  nftTransfers: pageOf(nftTransfers, ACCOUNTS_OF_EVENTS.nftTransfers, decodeItemTransfer),
}
