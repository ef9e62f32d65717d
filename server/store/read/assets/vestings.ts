// Wallets whose coins are set free bit by bit.

import type { VestingRow } from '../../assetRows.ts'
import type { Row } from '../../database.ts'
import type { AccountKey } from '../../rows.ts'
import { sql } from '../../sql.ts'
import type { PageAsk, PagedRead } from '../page.ts'
import { BY_ACCOUNT, CONTRACT, contractOf } from './contract.ts'
import { isOneOf, type Lead, leadOf, listRead } from './list.ts'

export interface VestingFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  /** Who sent the coins, or is to have them. */
  readonly members?: readonly AccountKey[] | undefined
  /** Whoever coins may go to while they are locked is a member too. */
  readonly withWhitelist: boolean
}

// The casts: the columns are of these types.
const vestingOf = (row: Row): VestingRow => ({
  startTime: row.start_time as bigint,
  totalDuration: row.total_duration as bigint,
  unlockPeriod: row.unlock_period as bigint,
  cliffDuration: row.cliff_duration as bigint,
  totalAmount: row.total_amount as bigint,
  sender: row.sender as AccountKey,
  owner: row.owner as AccountKey,
  whitelist: row.whitelist as readonly AccountKey[],
  ...contractOf(row),
})

const listed = (values: readonly AccountKey[]): Lead => ({
  values,
  from: sql`vesting_whitelists w join vestings t on t.account = w.vesting`,
  where: (member) => sql`w.member = ${member}`,
})

/** By account. */
export const vestingsRead = (
  { accounts, members, withWhitelist }: VestingFilter,
  ask: PageAsk,
): PagedRead<VestingRow> =>
  listRead(
    {
      table: 'vestings',
      key: 'account',
      columns: sql.raw(`${CONTRACT}, t.start_time, t.total_duration, t.unlock_period, t.cliff_duration, t.total_amount,
        t.sender, t.owner, t.whitelist`),
      order: BY_ACCOUNT,
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: [
        ...leadOf('sender', members),
        ...leadOf('owner', members),
        ...(members !== undefined && withWhitelist ? [listed(members)] : []),
      ],
      toValue: vestingOf,
    },
    ask,
  )
