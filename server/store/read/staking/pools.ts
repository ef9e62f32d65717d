// Nominator pools, who is in them, and what happened on their ledgers.

import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import {
  type LedgerEventType,
  type NominatorEventRow,
  type NominatorEventType,
  type NominatorPoolRow,
  nominatorEvents,
  nominatorPools,
  type PoolNominatorRow,
  type PoolValidatorEventRow,
  poolNominators,
  poolValidatorEvents,
} from '../../tables/staking.ts'
import { leadOf, listRead } from '../assets/list.ts'
import { byBytes, byNumber, type RowOrder } from '../order.ts'
import type { PagedRead, PageRequest } from '../page.ts'
import type { StoreRead } from '../read.ts'
import { NEWEST, type TimeWindow, withinWindow } from './times.ts'

/** A pool with one of its nominators, null for one without. */
export interface PoolWithNominator {
  readonly pool: NominatorPoolRow
  readonly nominator: PoolNominatorRow | null
}

/** A pool with each of its nominators, by account, in one statement: both are of one block. Nothing for an account that is no pool. */
export const poolRead = (account: AccountKey): StoreRead<PoolWithNominator> => ({
  statement: sql`select ${nominatorPools.select('t')}, ${poolNominators.select('n')}
    from nominator_pools t left join pool_nominators n on n.pool = t.account
    where t.account = ${account} and t.broken_mc_seqno is null order by n.nominator`,
  toValue: (row) => ({
    pool: nominatorPools.decode(row),
    nominator: row.nominator === null ? null : poolNominators.decode(row),
  }),
})

/** Pools a nominator is in, by account. */
export const poolsOfRead = (nominator: AccountKey, request: PageRequest): PagedRead<PoolNominatorRow> =>
  listRead(
    {
      table: poolNominators,
      key: 'pool',
      order: [byBytes('pool', 'asc')],
      conditions: [sql`exists (select from nominator_pools p where p.account = t.pool and p.broken_mc_seqno is null)`],
      leads: leadOf('nominator', [nominator]),
    },
    request,
  )

interface NominatorEventFilter {
  readonly pool: AccountKey
  readonly nominator?: AccountKey | undefined
  readonly type?: NominatorEventType | undefined
  readonly window: TimeWindow
}

const NEWEST_PLACE: RowOrder = [...NEWEST, byNumber('event_index', 'desc')]

export const nominatorEventsRead = (
  { pool, nominator, type, window }: NominatorEventFilter,
  request: PageRequest,
): PagedRead<NominatorEventRow> =>
  listRead(
    {
      table: nominatorEvents,
      key: 'tx_hash',
      order: NEWEST_PLACE,
      conditions: [
        ...(nominator === undefined ? [] : [sql`t.nominator = ${nominator}`]),
        // As the index of rewards has it: a parameter would hide that it fits.
        ...(type === undefined ? [] : [type === 'reward' ? sql`t.type = 'reward'` : sql`t.type = ${type}`]),
        ...withinWindow('utime', window),
      ],
      leads: leadOf('pool', [pool]),
    },
    request,
  )

interface PoolValidatorFilter {
  readonly pool?: AccountKey | undefined
  readonly validator?: AccountKey | undefined
  readonly type?: LedgerEventType | undefined
  readonly window: TimeWindow
}

export const poolValidatorEventsRead = (
  { pool, validator, type, window }: PoolValidatorFilter,
  request: PageRequest,
): PagedRead<PoolValidatorEventRow> =>
  listRead(
    {
      table: poolValidatorEvents,
      key: 'tx_hash',
      order: NEWEST,
      conditions: [
        ...(pool === undefined ? [] : [sql`t.pool = ${pool}`]),
        ...(validator === undefined ? [] : [sql`t.validator = ${validator}`]),
        ...(type === undefined ? [] : [sql`t.type = ${type}`]),
        ...withinWindow('utime', window),
      ],
      leads: [],
    },
    request,
  )
