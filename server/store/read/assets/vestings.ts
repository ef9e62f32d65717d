// Wallets whose TON is unlocked over time.

import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type VestingRow } from '../../tables/contracts.ts'
import type { PageRequest } from '../page.ts'
import { BY_ACCOUNT, isOneOf, isSingle, type Lead, type ListedRead, leadOf, listRead } from './list.ts'

export interface VestingFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  /** Senders and owners. */
  readonly members?: readonly AccountKey[] | undefined
  /** Also accounts that locked TON may be sent to. */
  readonly withWhitelist: boolean
}

const listed = (values: readonly AccountKey[]): Lead => ({
  values,
  from: sql`(select member, vesting as account from vesting_whitelists) t`,
  where: (member) => sql`t.member = ${member}`,
})

/** By account. */
export const vestingsRead = (
  { accounts, members, withWhitelist }: VestingFilter,
  request: PageRequest,
): ListedRead<VestingRow> =>
  listRead(
    {
      table: contractTables.vestings,
      key: 'account',
      order: BY_ACCOUNT,
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      accounts: ['account', 'sender', 'owner', 'whitelist'],
      isSteady: isSingle(accounts, members),
      leads: [
        ...leadOf('sender', members),
        ...leadOf('owner', members),
        ...(members !== undefined && withWhitelist ? [listed(members)] : []),
      ],
    },
    request,
  )
