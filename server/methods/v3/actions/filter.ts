// Filters of a list of actions for the store: which of them apply when several are given.

import type { Params } from '../../../../shared/registry.ts'
import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { supportedTypes } from '../../../actions/index.ts'
import type { ActionFilter, ActionRow } from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { timesOf } from '../assets/eventFilter.ts'

export type ActionsQuery = Params<(typeof actionsV3)['v3.actions']>

/** The types a caller understands, one word of a header going before those of the query. */
export const typesOfCaller = (words: readonly string[] | undefined, { modifiers }: Call): string[] => [
  ...supportedTypes(modifiers.actionsVersion === null ? (words ?? []) : [modifiers.actionsVersion]),
]

/** Whether a caller who understands these types is shown an action, not the parts of one it is shown already. */
export function isShown(types: readonly string[]): (action: { readonly row: ActionRow }) => boolean {
  const known = new Set(types)
  return ({ row }) => known.has(row.type) && !row.ancestorTypes.some((type) => known.has(type))
}

const some = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined)

/** What the program can make of a trace. */
const ALL_TYPES = [...supportedTypes([])]

function isOfAll(types: readonly string[]): boolean {
  const known = new Set(types)
  return ALL_TYPES.every((type) => known.has(type))
}

export function filterOf(query: ActionsQuery, call: Call): ActionFilter {
  const hiddenWithin = typesOfCaller(query.supported_action_types, call)
  const named = some(query.action_type)
  const { account, action_id: actionIds, trace_id: traceIds } = query
  // Actions or traces that are named are returned, whatever the other filters.
  if (actionIds !== undefined || (traceIds !== undefined && account === undefined))
    return { actionIds, traceIds, hiddenWithin, types: named === undefined ? hiddenWithin : undefined }
  return {
    account,
    traceIds,
    isInitiator: query.initiated_by_account,
    txHashes: query.tx_hash,
    msgHashes: query.msg_hash,
    mcSeqno: query.mc_seqno,
    types: named ?? hiddenWithin,
    isOfAllTypes: named === undefined && isOfAll(hiddenWithin),
    exceptTypes: some(query.exclude_action_type),
    hiddenWithin,
    excludeSystem: query.exclude_system,
    ...timesOf(query),
  }
}
