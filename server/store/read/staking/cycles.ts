// Sets of validators, their members, and complaints about them. What elections say of a set is found by the hash of the set.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import { account, bytea, int4, nullable, numeric, uint32 } from '../../tables/column.ts'
import { decoderOf } from '../../tables/decoder.ts'
import { type ComplaintRow, type CycleRow, complaints, cycles, cycleValidators } from '../../tables/elections.ts'
import { listRead } from '../assets/list.ts'
import { byBytes, byNumber } from '../order.ts'
import type { PagedRead, PageRequest } from '../page.ts'
import type { StoreRead } from '../read.ts'
import type { ValidatorFilter } from './elections.ts'
import { type TimeWindow, withinWindow } from './times.ts'

interface CycleFilter extends ValidatorFilter {
  readonly cycleStart?: number | undefined
  readonly electionId?: number | undefined
  /** Bounds of the start of the cycle. */
  readonly window: TimeWindow
}

/** Elections whose set a cycle has; the first to be known counts. */
const electionOf = (cycle: SqlText): SqlText =>
  sql`(select e.election_id from past_elections e where e.validator_set_hash = ${cycle}.validator_set_hash
    order by e.election_id limit 1)`

/** Cycles with a member that all of the filter fits; null when there is no filter. */
function cyclesWith({ holder, adnl, publicKey }: ValidatorFilter): SqlText | null {
  const fits: SqlText[] = [
    ...(adnl === undefined ? [] : [sql`v.adnl = ${adnl}`]),
    ...(publicKey === undefined ? [] : [sql`v.public_key = ${publicKey}`]),
    ...(holder === undefined ? [] : [sql`f.holder = ${holder}`]),
  ]
  if (fits.length === 0) return null
  const members =
    holder === undefined
      ? sql`cycle_validators v`
      : sql`frozen_stakes f
          join past_elections e on e.election_id = f.election_id
          join cycles c on c.validator_set_hash = e.validator_set_hash
          join cycle_validators v on v.cycle_start = c.cycle_start and v.public_key = f.public_key`
  return sql`t.cycle_start in (select v.cycle_start from ${members} where ${sql.join(fits, ' and ')})`
}

export function cyclesRead(
  { cycleStart, electionId, window, ...validator }: CycleFilter,
  request: PageRequest,
): PagedRead<CycleRow> {
  const members = cyclesWith(validator)
  const conditions = [
    ...(cycleStart === undefined ? [] : [sql`t.cycle_start = ${cycleStart}`]),
    ...(electionId === undefined
      ? []
      : [
          sql`t.validator_set_hash in (select e.validator_set_hash from past_elections e
            where e.election_id = ${electionId})`,
        ]),
    ...(members === null ? [] : [members]),
    ...withinWindow('cycle_start', window),
  ]
  return listRead(
    { table: cycles, key: 'cycle_start', order: [byNumber('cycle_start', 'desc')], conditions, leads: [] },
    request,
  )
}

const decodeElected = decoderOf({
  cycleStart: uint32,
  electionId: uint32,
  totalStake: numeric,
  minStake: nullable(numeric),
  maxStake: nullable(numeric),
})

/** What its election says of a cycle: smallest and largest stake only when there is one for each member. */
export type ElectedCycle = ReturnType<typeof decodeElected>

export const electedCyclesRead = (cycleStarts: readonly number[]): StoreRead<ElectedCycle> => ({
  statement: sql`select c.cycle_start, e.election_id, e.total_stake,
      case when known.count = c.total then known.least end as min_stake,
      case when known.count = c.total then known.most end as max_stake
    from cycles c
      join past_elections e on e.election_id = ${electionOf(sql`c`)}
      cross join lateral (select count(*) as count, min(f.stake) as least, max(f.stake) as most
        from frozen_stakes f where f.election_id = e.election_id) known
    where c.cycle_start = any(${cycleStarts}::int8[])`,
  toValue: decodeElected,
})

const decodeMember = decoderOf({
  ...cycleValidators.fields,
  holder: nullable(account),
  stake: nullable(numeric),
  maxFactor: nullable(uint32),
})

/** A validator of a cycle, with what its election says of it where that is known. */
export type CycleMember = ReturnType<typeof decodeMember>

/** What a holder has staked for in an election: found by the holder, not among all members. */
const keysOf = (holder: Uint8Array, election: SqlText): SqlText =>
  sql`select f.public_key from frozen_stakes f where f.holder = ${holder} and f.election_id = ${election}
    union select p.public_key from election_participants p where p.holder = ${holder} and p.election_id = ${election}`

/** Of these cycles, by place. */
export function cycleMembersRead(
  cycleStarts: readonly number[],
  { holder, adnl, publicKey }: ValidatorFilter,
): StoreRead<CycleMember> {
  const conditions = [
    sql`v.cycle_start = any(${cycleStarts}::int8[])`,
    ...(adnl === undefined ? [] : [sql`v.adnl = ${adnl}`]),
    ...(publicKey === undefined ? [] : [sql`v.public_key = ${publicKey}`]),
    ...(holder === undefined ? [] : [sql`coalesce(p.holder, f.holder) = ${holder}`]),
  ]
  const members =
    holder === undefined
      ? sql`cycle_validators v
          join cycles c on c.cycle_start = v.cycle_start
          left join past_elections e on e.election_id = ${electionOf(sql`c`)}`
      : sql`cycles c
          join past_elections e on e.election_id = ${electionOf(sql`c`)}
          cross join lateral (${keysOf(holder, sql`e.election_id`)}) held
          join cycle_validators v on v.cycle_start = c.cycle_start and v.public_key = held.public_key`
  return {
    statement: sql`select ${cycleValidators.select('v')}, coalesce(p.holder, f.holder) as holder, f.stake, p.max_factor
      from ${members}
        left join frozen_stakes f on f.election_id = e.election_id and f.public_key = v.public_key
        left join election_participants p on p.election_id = e.election_id and p.public_key = v.public_key
      where ${sql.join(conditions, ' and ')}
      order by v.cycle_start desc, v.index`,
    toValue: decodeMember,
  }
}

interface ComplaintFilter extends ValidatorFilter {
  readonly cycleStart?: number | undefined
  readonly electionId?: number | undefined
  /** Bounds of the time of creation. */
  readonly window: TimeWindow
}

/** The newest first. */
export function complaintsRead(
  { cycleStart, electionId, window, holder, adnl, publicKey }: ComplaintFilter,
  request: PageRequest,
): PagedRead<ComplaintRow> {
  const conditions = [
    ...(electionId === undefined ? [] : [sql`t.election_id = ${electionId}`]),
    ...(publicKey === undefined ? [] : [sql`t.public_key = ${publicKey}`]),
    ...(cycleStart === undefined
      ? []
      : [
          sql`t.election_id in (select e.election_id from past_elections e
            join cycles c on c.validator_set_hash = e.validator_set_hash where c.cycle_start = ${cycleStart})`,
        ]),
    ...(holder === undefined
      ? []
      : [
          sql`(t.election_id, t.public_key) in (
            select f.election_id, f.public_key from frozen_stakes f where f.holder = ${holder})`,
        ]),
    ...(adnl === undefined
      ? []
      : [
          sql`(t.election_id, t.public_key) in (
            select p.election_id, p.public_key from election_participants p where p.adnl = ${adnl}
            union select e.election_id, v.public_key from cycle_validators v
              join cycles c on c.cycle_start = v.cycle_start
              join past_elections e on e.validator_set_hash = c.validator_set_hash where v.adnl = ${adnl})`,
        ]),
    ...withinWindow('created_at', window),
  ]
  return listRead(
    {
      table: complaints,
      key: 'hash',
      order: [byNumber('created_at', 'desc'), byBytes('hash', 'asc'), byNumber('election_id', 'asc')],
      conditions,
      leads: [],
    },
    request,
  )
}

/** Complaints about the members of these cycles, the newest first. */
export const complaintsOfCyclesRead = (cycleStarts: readonly number[]): StoreRead<ComplaintRow> => ({
  statement: sql`select ${complaints.select('t')} from complaints t
    where t.election_id in (select e.election_id from past_elections e
      join cycles c on c.validator_set_hash = e.validator_set_hash where c.cycle_start = any(${cycleStarts}::int8[]))
    order by t.created_at desc, t.hash`,
  toValue: complaints.decode,
})

const decodeAccused = decoderOf({
  electionId: uint32,
  publicKey: bytea,
  cycleStart: nullable(uint32),
  totalWeight: nullable(numeric),
  adnl: nullable(bytea),
  holder: nullable(account),
})

/** The accused validator of an election; unknown parts are null. */
export type Accused = ReturnType<typeof decodeAccused>

export const accusedRead = (electionIds: readonly number[], keys: readonly Uint8Array[]): StoreRead<Accused> => ({
  statement: sql`select a.election_id, a.public_key, c.cycle_start, c.total_weight,
      coalesce(v.adnl, p.adnl) as adnl, coalesce(p.holder, f.holder) as holder
    from unnest(${electionIds}::int8[], ${keys}::bytea[]) as a (election_id, public_key)
      left join past_elections e on e.election_id = a.election_id
      left join cycles c on c.validator_set_hash = e.validator_set_hash
      left join cycle_validators v on v.cycle_start = c.cycle_start and v.public_key = a.public_key
      left join election_participants p on p.election_id = a.election_id and p.public_key = a.public_key
      left join frozen_stakes f on f.election_id = a.election_id and f.public_key = a.public_key`,
  toValue: decodeAccused,
})

const decodeVoter = decoderOf({
  setHash: bytea,
  totalWeight: numeric,
  index: nullable(int4),
  publicKey: nullable(bytea),
  adnl: nullable(bytea),
  weight: nullable(numeric),
})

/** A member of a set that decides on complaints. */
export type Voter = ReturnType<typeof decodeVoter>

/** Of each set, who is in these places; one row without a member for a set that has no member in them. */
export const votersRead = (setHashes: readonly Uint8Array[], places: readonly number[]): StoreRead<Voter> => ({
  statement: sql`select c.validator_set_hash as set_hash, c.total_weight, v.index, v.public_key, v.adnl, v.weight
    from cycles c left join cycle_validators v on v.cycle_start = c.cycle_start and v.index = any(${places}::int4[])
    where c.validator_set_hash = any(${setHashes}::bytea[])`,
  toValue: decodeVoter,
})
