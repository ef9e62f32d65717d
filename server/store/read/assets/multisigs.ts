// Wallets of several owners, and the orders they decide on.

import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type MultisigOrderRow, type MultisigRow } from '../../tables/contracts.ts'
import type { SizedList } from '../listBytes.ts'
import type { SortDirection } from '../order.ts'
import type { PageRequest } from '../page.ts'
import type { StoreRead } from '../read.ts'
import { byLastLt, isOneOf, isSingle, type Lead, type ListedRead, leadOf, listRead } from './list.ts'

export interface MultisigFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  /** Accounts that may sign or propose. */
  readonly members?: readonly AccountKey[] | undefined
}

/** Multisigs of some members: one is found by each of its members. */
const ofMembers = (members: readonly AccountKey[]): Lead => ({
  values: members,
  from: sql`(select member, multisig as account, last_tx_lt from multisig_members) t`,
  where: (member) => sql`t.member = ${member}`,
  mayRepeat: true,
})

/** By their last transactions. */
export const multisigsRead = (
  { accounts, members }: MultisigFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<MultisigRow> =>
  listRead(
    {
      table: contractTables.multisigs,
      key: 'account',
      order: byLastLt(sort),
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: members === undefined ? [] : [ofMembers(members)],
      accounts: ['account', 'signers', 'proposers'],
      isSteady: accounts?.length === 1 && members === undefined,
    },
    request,
  )

export interface OrderFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly multisigs?: readonly AccountKey[] | undefined
}

const ORDERS = contractTables.multisigOrders

/** By their last transactions. */
export const ordersRead = (
  { accounts, multisigs }: OrderFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<MultisigOrderRow> =>
  listRead(
    {
      table: ORDERS,
      key: 'account',
      order: byLastLt(sort),
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: leadOf('multisig', multisigs),
      accounts: ['account', 'multisig', 'signers'],
      isSteady: isSingle(accounts, multisigs),
    },
    request,
  )

/** Orders of these multisigs, those of each by seqno, at most `most` in all. */
export const ordersOfRead = (
  multisigs: readonly AccountKey[],
  most: number,
): StoreRead<MultisigOrderRow> & Pick<SizedList, 'named'> => ({
  named: { columns: ORDERS.columns, accounts: ['account', 'multisig', 'signers'] },
  statement: sql`select ${ORDERS.select('t')} from multisig_orders t where t.multisig = any(${multisigs})
    order by t.multisig, t.order_seqno, t.account limit ${most}`,
  toValue: ORDERS.decode,
})
