// Actions of some types, or of all but some, in the order of the ends of their traces.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type ActionFilter, atOrAfter, kindConditions, type ListedActions, traceEnds } from './actionFilter.ts'
import { isDeep } from './deepPage.ts'
import { nearFirst } from './nearRows.ts'
import { orderBy } from './order.ts'
import { boundsOfPart } from './page.ts'
import { LATEST_LT } from './range.ts'

/**
 * Of each type no more rows than the page can have, and all of the last time, along the index of types alone, in which system actions
 * are separate: where the server expects few, it would sort all of the type.
 */
export const ofKinds = (
  filter: ActionFilter,
  where: SqlText,
  { order, request }: ListedActions,
  mark = sql`true`,
): SqlText => sql`select a.*
  from (select distinct w.type, w.is_system from action_kinds w where ${kindConditions(filter)} and ${mark}) w cross join lateral (
    select a.* from actions a where a.type = w.type and a.is_system = w.is_system
      and ${where} ${orderBy(order.slice(0, 1), sql`a`)} ${boundsOfPart(request, 'with ties')}) a`

/** How many rows of a type are read at a time: of forty types, not many more than the page needs, in not many turns. */
const shareOf = (needed: number): number => Math.max(16, needed >> 5)

const FIRST_PLACE = -1n

/** Comparisons, ends of a list, and which place of some comes last. */
const WAYS = {
  asc: { beyond: sql.raw('>'), before: sql.raw('<'), start: FIRST_PLACE, end: LATEST_LT, last: sql.raw('max') },
  desc: { beyond: sql.raw('<'), before: sql.raw('>'), start: LATEST_LT, end: FIRST_PLACE, last: sql.raw('min') },
} as const

/**
 * The same far behind the start: read are a share of each type, then more of those whose last one is in front of where the page would
 * end by what is known. At that end no more of any type can be missing in front of it, and only rows up to there are read whole.
 */
function deepOfKinds(filter: ActionFilter, where: SqlText, listed: ListedActions, mark: SqlText): SqlText {
  const { order, request } = listed
  const [first] = order
  if (first === undefined) throw new TypeError('the list has no order')
  const needed = request.limit + 1 + request.offset
  const place = sql`a.${sql.identifier(first.name)}`
  const direction = sql.identifier(first.direction)
  const { beyond, before, start, end, last } = WAYS[first.direction]
  const share = shareOf(needed)
  const next = sql`select k.type, k.is_system, c.place from unnest(s.types, s.systems, s.lasts) as k (type, is_system, last)
      cross join lateral (select ${place} as place from actions a
        where a.type = k.type and a.is_system = k.is_system and ${place} ${beyond} k.last and ${where}
        order by ${place} ${direction} fetch first (${share}) rows with ties) c`
  const turn = sql`with read as materialized (${next}),
      known as materialized (select p.place from (
        select p.place from unnest(s.places) p (place) union all select r.place from read r) p
        order by p.place ${direction} limit ${needed}),
      open as (select r.type, r.is_system, ${last}(r.place) as last from read r group by r.type, r.is_system
        having count(*) >= ${share} and ((select count(*) from known) < ${needed}
          or ${last}(r.place) ${before} (select ${last}(n.place) from known n)))
    select (select array_agg(n.place) from known n) as places, array_agg(o.type) as types,
      array_agg(o.is_system) as systems, array_agg(o.last) as lasts from open o`
  const kinds = sql`select distinct w.type, w.is_system from action_kinds w where ${kindConditions(filter)} and ${mark}`
  const edge = sql`(select case when cardinality(e.places) >= ${needed} then (
      select ${last}(p.place) from unnest(e.places) p (place)) else ${end}::int8 end
    from edge e)`
  const upTo = sql`${where} and ${place} ${before}= ${edge}`
  return sql`with recursive steps as (
      select 0 as turn, '{}'::int8[] as places, array_agg(k.type) as types, array_agg(k.is_system) as systems,
        array_agg(${start}::int8) as lasts from (${kinds}) k
      union all
      select s.turn + 1, n.places, n.types, n.systems, n.lasts from steps s cross join lateral (${turn}) n
        where cardinality(s.types) > 0
    ), edge as materialized (select s.places from steps s order by s.turn desc limit 1)
    select * from (${ofKinds(filter, upTo, listed, mark)}) a`
}

/** All but some types: those that are not of the system are first looked for among all of these, as many as three pages have. */
export function ofMostKinds(filter: ActionFilter, where: SqlText, listed: ListedActions): SqlText {
  const { order, request } = listed
  const bounded = [sql`not a.is_system`, ...traceEnds(filter, sql`a`), ...atOrAfter(order, request, sql`a`)]
  const along = sql`select a.* from actions a where ${sql.join(bounded, ' and ')} ${orderBy(order.slice(0, 1), sql`a`)}`
  const near = (first: SqlText) =>
    sql`select a.* from (${first}) a where ${where} ${orderBy(order, sql`a`)} ${boundsOfPart(request)}`
  const all = (isWanted: SqlText) => {
    const mark = sql`not w.is_system and ${isWanted}`
    return isDeep(request) ? deepOfKinds(filter, where, listed, mark) : ofKinds(filter, where, listed, mark)
  }
  const system = ofKinds(filter, where, listed, sql`w.is_system`)
  return sql`select * from (${nearFirst({ along, near, all }, request)}) a union all select * from (${system}) a`
}
