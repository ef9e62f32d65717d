// Calls of the other tabs of an account.

import { type ListOrder, sorted, type TimeBounds } from './accountQueries.ts'
import { afterCursor, query } from './explorerQuery.ts'

const POINTS = 300

/** Balances after the newest transactions, or at the end of each interval of so many seconds. */
export const balanceOf = (account: string, interval?: number) =>
  query('v3.balanceHistory', { account, limit: POINTS, ...(interval === undefined ? {} : { interval }) })

export const holdersOf = (jetton: string, cursor?: string) =>
  query('v3.jetton.wallets', {
    jetton_address: [jetton],
    exclude_zero_balance: true,
    sort: 'desc',
    limit: 100,
    ...afterCursor(cursor),
  })

export const vestingAt = (address: string) => query('v3.vesting', { contract_address: [address] })

export const multisigAt = (address: string) =>
  query('v3.multisig.wallets', { address: [address], include_orders: false })

export const orderAt = (address: string) => query('v3.multisig.orders', { address: [address], parse_actions: true })

/** Decoded orders are large. */
const ORDERS = 50

export const ordersOf = (multisig_address: string) =>
  query('v3.multisig.orders', { multisig_address: [multisig_address], parse_actions: true, limit: ORDERS })

/** Rows of one call of a list that is saved. */
const SAVED = 100

/** Actions of some types, or of all. */
export const actionsToSave = (
  account: string,
  types: readonly string[] | null,
  cursor: string | undefined,
  bounds: TimeBounds,
  order: ListOrder,
) =>
  query('v3.actions', {
    account,
    limit: SAVED,
    include_accounts: true,
    include_balance_changes: true,
    ...(types === null ? {} : { action_type: [...types] }),
    ...bounds,
    ...sorted(order),
    ...afterCursor(cursor),
  })
