// Elections with their participants, and pending stakes.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import { type AccountKey, int4, nullable } from '../../tables/column.ts'
import {
  type ElectionParticipantRow,
  type ElectionRow,
  electionParticipants,
  elections,
} from '../../tables/elections.ts'
import { type StakeEventRow, type StakeEventType, stakeEvents } from '../../tables/staking.ts'
import { listRead } from '../assets/list.ts'
import { byNumber } from '../order.ts'
import type { PagedRead, PageRequest } from '../page.ts'
import type { StoreRead } from '../read.ts'
import { NEWEST, type TimeWindow, withinWindow } from './times.ts'

/** Of a validator: by what it is known. */
export interface ValidatorFilter {
  readonly holder?: AccountKey | undefined
  readonly adnl?: Uint8Array | undefined
  readonly publicKey?: Uint8Array | undefined
}

interface StakeEventFilter extends ValidatorFilter {
  readonly type?: StakeEventType | undefined
  readonly window: TimeWindow
}

/** Conditions on rows of an alias with these columns. */
function validatorIs({ holder, adnl, publicKey }: ValidatorFilter, alias: SqlText): SqlText[] {
  return [
    ...(holder === undefined ? [] : [sql`${alias}.holder = ${holder}`]),
    ...(adnl === undefined ? [] : [sql`${alias}.adnl = ${adnl}`]),
    ...(publicKey === undefined ? [] : [sql`${alias}.public_key = ${publicKey}`]),
  ]
}

export const stakeEventsRead = (
  { type, window, ...validator }: StakeEventFilter,
  request: PageRequest,
): PagedRead<StakeEventRow> =>
  listRead(
    {
      table: stakeEvents,
      key: 'tx_hash',
      order: NEWEST,
      conditions: [
        ...validatorIs(validator, sql`t`),
        ...(type === undefined ? [] : [sql`t.type = ${type}`]),
        ...withinWindow('utime', window),
      ],
      leads: [],
    },
    request,
  )

interface ElectionFilter extends ValidatorFilter {
  readonly electionId?: number | undefined
  readonly finished?: boolean | undefined
  /** Bounds of the election id. */
  readonly window: TimeWindow
}

export function electionsRead(
  { electionId, finished, window, ...validator }: ElectionFilter,
  request: PageRequest,
): PagedRead<ElectionRow> {
  const isParticipant = validatorIs(validator, sql`p`)
  const conditions = [
    ...(electionId === undefined ? [] : [sql`t.election_id = ${electionId}`]),
    ...(finished === undefined ? [] : [sql`t.finished = ${finished}`]),
    ...(isParticipant.length === 0
      ? []
      : [
          sql`t.election_id in (select p.election_id from election_participants p
            where ${sql.join(isParticipant, ' and ')})`,
        ]),
    ...withinWindow('election_id', window),
  ]
  return listRead(
    { table: elections, key: 'election_id', order: [byNumber('election_id', 'desc')], conditions, leads: [] },
    request,
  )
}

export interface ParticipantFound extends ElectionParticipantRow {
  /** In the set that was elected; null when not elected, or the set is unknown. */
  readonly index: number | null
}

/** An election with one of its participants, null for one without. */
export interface ElectionWithParticipant {
  readonly election: ElectionRow
  readonly participant: ParticipantFound | null
}

const place = nullable(int4)

/** Of these elections, in the order of their list, the largest stake first. In one statement, so that totals are those of the stakes. */
export const participantsRead = (
  electionIds: readonly number[],
  validator: ValidatorFilter,
): StoreRead<ElectionWithParticipant> => ({
  statement: sql`select ${elections.select('t')}, ${electionParticipants.select('p', { except: ['electionId'] })}, v.index
    from elections t
      left join election_participants p
        on ${sql.join([sql`p.election_id = t.election_id`, ...validatorIs(validator, sql`p`)], ' and ')}
      left join past_elections e on e.election_id = p.election_id
      left join cycles c on c.validator_set_hash = e.validator_set_hash
      left join cycle_validators v on v.cycle_start = c.cycle_start and v.public_key = p.public_key
    where t.election_id = any(${electionIds}::int8[])
    order by t.election_id desc, p.stake desc, p.public_key`,
  toValue: (row) => ({
    election: elections.decode(row),
    participant:
      row.public_key === null ? null : { ...electionParticipants.decode(row), index: place.decode(row.index) },
  }),
})
