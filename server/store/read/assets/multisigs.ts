// Wallets of several owners, and the orders they decide on.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type MultisigOrderRow, type MultisigRow } from '../../tables/contracts.ts'
import type { Direction } from '../order.ts'
import type { PageAsk, PagedRead } from '../page.ts'
import type { Read } from '../read.ts'
import { byLastLt, isOneOf, leadOf, listRead } from './list.ts'

export interface MultisigFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  /** Who may sign or propose. */
  readonly members?: readonly AccountKey[] | undefined
}

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
      table: contractTables.multisigs,
      key: 'account',
      order: byLastLt(sort),
      conditions,
      leads: [],
    },
    ask,
  )
}

export interface OrderFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly multisigs?: readonly AccountKey[] | undefined
}

const ORDERS = contractTables.multisigOrders

/** By what they did last. */
export const ordersRead = (
  { accounts, multisigs }: OrderFilter,
  ask: PageAsk,
  sort: Direction,
): PagedRead<MultisigOrderRow> =>
  listRead(
    {
      table: ORDERS,
      key: 'account',
      order: byLastLt(sort),
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: leadOf('multisig', multisigs),
    },
    ask,
  )

/** All orders of some multisigs, each one's by their seqnos, no more than `most`. */
export const ordersOfRead = (multisigs: readonly AccountKey[], most: number): Read<MultisigOrderRow> => ({
  statement: sql`select ${ORDERS.select('t')} from multisig_orders t where t.multisig = any(${multisigs})
    order by t.multisig, t.order_seqno, t.account limit ${most}`,
  toValue: ORDERS.decode,
})
