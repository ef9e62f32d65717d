// Jettons: their masters, and the wallets that hold them.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type JettonMasterRow, type JettonWalletRow } from '../../tables/contracts.ts'
import { byAmount, byBytes, type RowOrder, type SortDirection } from '../order.ts'
import type { PageRequest } from '../page.ts'
import { BY_ACCOUNT, EVERY, isOneOf, isSingle, type Lead, type ListedRead, leadOf, listRead } from './list.ts'

export interface JettonMasterFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly admins?: readonly AccountKey[] | undefined
}

const anyAccount = (accounts: readonly AccountKey[] | undefined): SqlText[] =>
  accounts === undefined ? [] : [isOneOf('account', accounts)]

/** Masters by account. */
export const jettonMastersRead = (filter: JettonMasterFilter, request: PageRequest): ListedRead<JettonMasterRow> =>
  listRead(
    {
      table: contractTables.jettonMasters,
      key: 'account',
      order: BY_ACCOUNT,
      conditions: anyAccount(filter.accounts),
      leads: leadOf('admin', filter.admins),
      accounts: ['account', 'admin'],
      isSteady: isSingle(filter.accounts, filter.admins),
    },
    request,
  )

export interface JettonWalletFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly owners?: readonly AccountKey[] | undefined
  readonly jettons?: readonly AccountKey[] | undefined
  readonly excludeZero?: boolean | undefined
}

/** By balance, unless several accounts are named: then account by account, or owner by owner. */
function orderOf({ accounts, owners, jettons }: JettonWalletFilter, sort: SortDirection): RowOrder {
  const byBalance = [byAmount('balance', sort), byBytes('account', sort)]
  if (jettons?.length === 1) return byBalance
  if (owners !== undefined) return owners.length === 1 ? byBalance : [byBytes('owner', 'asc'), ...byBalance]
  return accounts === undefined ? byBalance : BY_ACCOUNT
}

const CAN_CLAIM = sql`t.balance = 0 and t.claimed = false and exists (select from jetton_masters m
  join airdrop_amounts a on a.root = m.airdrop_root where m.account = t.jetton and a.owner = t.owner and a.amount > 0)`

/** Up to so many pairs of owner and jetton are looked up one by one, in the index of both. */
const MOST_PAIRS = 1000

/**
 * Wallets of these owners for these jettons, by the index of both. Otherwise the planner would walk the list in its order, through all
 * wallets of an owner who has thousands.
 */
const ofBoth = (owners: readonly AccountKey[], jettons: readonly AccountKey[]): Lead => ({
  values: owners,
  where: (owner) => sql`t.account = any(array(select w.account from unnest(${jettons}::bytea[]) as j (jetton)
    join jetton_wallets w on w.owner = ${owner} and w.jetton = j.jetton))`,
})

function leadsOf({ owners, jettons }: JettonWalletFilter): Lead[] {
  if (owners === undefined) return leadOf('jetton', jettons)
  const arePairs = jettons !== undefined && owners.length * jettons.length <= MOST_PAIRS
  return arePairs ? [ofBoth(owners, jettons)] : leadOf('owner', owners)
}

/** What one owner has of one jetton. */
const isPair = ({ accounts, owners, jettons }: JettonWalletFilter): boolean =>
  accounts === undefined && owners?.length === 1 && jettons?.length === 1

/** Wallets with a balance, and empty ones that can still claim an amount: each empty one costs a search for its amount. */
function notEmpty({ values, where }: Lead, order: RowOrder): Lead[] {
  const withBalance = (value: SqlText) => sql`${where(value)} and t.balance > 0`
  const emptyIsLast = order.some(({ name, direction }) => name === 'balance' && direction === 'desc')
  const preceded = emptyIsLast ? { precededBy: withBalance } : {}
  return [
    { values, where: withBalance },
    { values, where: (value) => sql`${where(value)} and ${CAN_CLAIM}`, ...preceded },
  ]
}

export function jettonWalletsRead(
  filter: JettonWalletFilter,
  request: PageRequest,
  sort: SortDirection,
): ListedRead<JettonWalletRow> {
  const { accounts, owners, jettons, excludeZero } = filter
  const conditions = anyAccount(accounts)
  // An owner has few wallets, a jetton has many: with both in the filter, the owners lead.
  if (owners !== undefined && jettons !== undefined) conditions.push(isOneOf('jetton', jettons))
  const leads = leadsOf(filter)
  const order = orderOf(filter, sort)
  return listRead(
    {
      table: contractTables.jettonWallets,
      key: 'account',
      order,
      // Half of all wallets are empty.
      tied: true,
      conditions,
      accounts: ['account', 'owner', 'jetton'],
      isSteady: isSingle(accounts, owners, jettons) || isPair(filter),
      leads:
        excludeZero === true ? (leads.length === 0 ? [EVERY] : leads).flatMap((lead) => notEmpty(lead, order)) : leads,
    },
    request,
  )
}
