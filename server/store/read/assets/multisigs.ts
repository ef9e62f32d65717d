// Wallets of several owners, and the orders they decide on.

import type { MultisigOrderRow, MultisigRow } from '../../assetRows.ts'
import type { Row, SqlText } from '../../database.ts'
import type { AccountKey } from '../../rows.ts'
import { sql } from '../../sql.ts'
import type { Direction } from '../order.ts'
import type { PageAsk, PagedRead } from '../page.ts'
import type { Read } from '../read.ts'
import { byLastLt, CONTRACT, contractOf } from './contract.ts'
import { isOneOf, leadOf, listRead } from './list.ts'

export interface MultisigFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  /** Who may sign or propose. */
  readonly members?: readonly AccountKey[] | undefined
}

// The casts: the columns are of these types.
const multisigOf = (row: Row): MultisigRow => ({
  nextOrderSeqno: row.next_order_seqno as bigint,
  threshold: row.threshold as bigint,
  signers: row.signers as readonly AccountKey[],
  proposers: row.proposers as readonly AccountKey[],
  ...contractOf(row),
})

/** By what they did last. */
export function multisigsRead(
  { accounts, members }: MultisigFilter,
  ask: PageAsk,
  sort: Direction,
): PagedRead<MultisigRow> {
  const conditions: SqlText[] = accounts === undefined ? [] : [isOneOf('account', accounts)]
  // Whoever is a member is one of few: those are found first, and put in order.
  if (members !== undefined)
    conditions.push(
      sql`t.account = any(array(select m.multisig from multisig_members m where m.member = any(${members})))`,
    )
  return listRead(
    {
      table: 'multisigs',
      key: 'account',
      columns: sql.raw(`${CONTRACT}, t.next_order_seqno, t.threshold, t.signers, t.proposers`),
      order: byLastLt(sort),
      conditions,
      leads: [],
      toValue: multisigOf,
    },
    ask,
  )
}

export interface OrderFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly multisigs?: readonly AccountKey[] | undefined
}

const ORDER = sql.raw(`${CONTRACT}, t.multisig, t.order_seqno, t.threshold, t.sent_for_execution, t.approvals_mask,
  t.approvals_num, t.expiration_date, t.signers, t.order_boc`)

const orderOf = (row: Row): MultisigOrderRow => ({
  multisig: row.multisig as AccountKey,
  orderSeqno: row.order_seqno as bigint,
  threshold: row.threshold as bigint,
  sentForExecution: row.sent_for_execution as boolean,
  approvalsMask: row.approvals_mask as bigint,
  approvalsNum: row.approvals_num as bigint,
  expirationDate: row.expiration_date as bigint,
  signers: row.signers as readonly AccountKey[],
  order: row.order_boc as Uint8Array,
  ...contractOf(row),
})

/** By what they did last. */
export const ordersRead = (
  { accounts, multisigs }: OrderFilter,
  ask: PageAsk,
  sort: Direction,
): PagedRead<MultisigOrderRow> =>
  listRead(
    {
      table: 'multisig_orders',
      key: 'account',
      columns: ORDER,
      order: byLastLt(sort),
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: leadOf('multisig', multisigs),
      toValue: orderOf,
    },
    ask,
  )

/** All orders of some multisigs, each one's by their seqnos, no more than `most`. */
export const ordersOfRead = (multisigs: readonly AccountKey[], most: number): Read<MultisigOrderRow> => ({
  statement: sql`select ${ORDER} from multisig_orders t where t.multisig = any(${multisigs})
    order by t.multisig, t.order_seqno, t.account limit ${most}`,
  toValue: orderOf,
})
