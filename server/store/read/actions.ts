// Actions of complete traces, by account, type, and end of their traces.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type ActionRow, actions } from '../tables/actions.ts'
import type { AccountKey } from '../tables/column.ts'
import { actionsOfAccount } from './accountActions.ts'
import { type ActionFilter, actionConditions, orderOfActions, traceEnds } from './actionFilter.ts'
import { ofKinds, ofMostKinds } from './actionsOfKinds.ts'
import { afterKey, orderBy, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest } from './page.ts'
import type { StoreRead } from './read.ts'
import { equalsAnyHash, equalsHash } from './shortKey.ts'

const COLUMNS = actions.select('a')

interface HiddenActions {
  readonly types: readonly string[]
  /** Parts of actions of these types are left out. */
  readonly hiddenWithin: readonly string[]
}

const namesIn = ({ actionIds, traceIds, txHashes, msgHashes, mcSeqno }: ActionFilter): number =>
  [actionIds, traceIds, txHashes, msgHashes, mcSeqno].filter((part) => part !== undefined).length

/** Whether few actions of all accounts match. */
const isNarrow = (filter: ActionFilter): boolean => namesIn(filter) > 0

/**
 * Whether the list has one way for all values: along one index in its order, or by what names few actions. Two lists of eighty types
 * take longer to plan than a page takes to read. What is named, and named otherwise or bounded as well, depends on the values.
 */
const isSteady = (filter: ActionFilter, { after }: PageRequest): boolean =>
  !isNarrow(filter) || (namesIn(filter) === 1 && after === null && traceEnds(filter, sql`a`).length === 0)

/** A page of actions: by the ends of their traces, and within a trace by their own. */
export function actionsRead(filter: ActionFilter, request: PageRequest, sort: SortDirection): PagedRead<ActionRow> {
  const order = orderOfActions(filter, sort)
  const shape = { toValue: actions.decode, order, limit: request.limit }
  const { account, types, exceptTypes, isOfAllTypes, excludeSystem = false } = filter
  const a = sql`a`
  const marked = (statement: SqlText) => (isSteady(filter, request) ? sql.steady(statement) : statement)
  if (account !== undefined && !isNarrow(filter)) {
    const found = actionsOfAccount(filter, account, { order, request })
    const statement = sql`select ${COLUMNS} from (${found}) a ${orderBy(order, a)}`
    return { statement: marked(statement), ...shape }
  }
  const after = request.after === null ? [] : [afterKey(order, request.after, a)]
  const concerned = account === undefined ? [] : [sql`${account} = any(a.accounts)`]
  const whereOf = (own: ActionFilter) =>
    sql.join([...actionConditions(own), ...concerned, ...traceEnds(filter, a), ...after], ' and ')
  const isOfSome = exceptTypes !== undefined || (types !== undefined && isOfAllTypes !== true)
  if (isOfSome && !isNarrow(filter)) {
    // Said again that they are not of the system, the planner would take the index of all that are not.
    const where = whereOf({ ...filter, excludeSystem: false })
    const found = exceptTypes === undefined ? ofKinds : ofMostKinds
    const statement = sql`select ${COLUMNS} from (${found(filter, where, { order, request })}) a ${orderBy(order, a)} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  const where = whereOf(filter)
  if (isNarrow(filter) || excludeSystem) {
    const statement = sql`select ${COLUMNS} from actions a where ${where} ${orderBy(order, a)} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  // All actions, along the index of system actions and the index of the others.
  const part = (mark: SqlText) =>
    sql`(select * from actions a where ${mark} and ${where} ${orderBy(order, a)} ${boundsOfPart(request)})`
  const parts = sql`${part(sql`not a.is_system`)} union all ${part(sql`a.is_system`)}`
  const statement = sql`select ${COLUMNS} from (${parts}) a ${orderBy(order, a)} ${bounds(request)}`
  return { statement: marked(statement), ...shape }
}

/** Actions of an account in some traces, the first ones of each, in the order they began. */
export const actionsOfAccountRead = (
  traceIds: readonly Uint8Array[],
  account: AccountKey,
  { types, hiddenWithin, most }: HiddenActions & { readonly most: number },
): StoreRead<ActionRow> => ({
  statement: sql`select ${COLUMNS} from unnest(${traceIds}::bytea[]) as wanted (trace_id) cross join lateral (
      select * from actions x where ${equalsHash(sql`x.trace_id`, sql`wanted.trace_id`)} and ${account} = any(x.accounts)
        and x.type = any(${types}::text[]) and not x.ancestor_types && ${hiddenWithin}::text[]
      order by x.start_lt, x.end_lt, x.action_id limit ${most}
    ) a order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})

/** All actions of some traces that are not hidden, in the order they began. */
export const actionsOfTracesRead = (
  traceIds: readonly Uint8Array[],
  { types, hiddenWithin }: HiddenActions,
): StoreRead<ActionRow> => ({
  statement: sql`select ${COLUMNS} from actions a where ${equalsAnyHash(sql`a.trace_id`, traceIds)}
    and a.type = any(${types}::text[]) and not a.ancestor_types && ${hiddenWithin}::text[]
    order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})
