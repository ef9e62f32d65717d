// Which actions of a trace a subscription shows, whatever account they concern.

import { type LiveAction, type LiveTrace, toLiveAction } from '../../methods/index.ts'
import type { Subscription } from '../streamSubscription.ts'

/** The last to end first, and of those the last to begin. */
function byLatest({ row: a }: LiveAction, { row: b }: LiveAction): number {
  if (a.endLt !== b.endLt) return a.endLt > b.endLt ? -1 : 1
  return a.startLt === b.startLt ? 0 : a.startLt > b.startLt ? -1 : 1
}

/** Those of the types it named, and not the parts of one that it understands as a whole. */
export const shownActions = (
  actions: readonly LiveAction[],
  { actionTypes, supportedTypes }: Pick<Subscription, 'actionTypes' | 'supportedTypes'>,
): LiveAction[] =>
  actions
    .filter(
      ({ row }) =>
        (actionTypes?.has(row.type) ?? true) &&
        supportedTypes.has(row.type) &&
        !row.ancestorTypes.some((type) => supportedTypes.has(type)),
    )
    .sort(byLatest)

/** The same for all lists of the same actions. */
export const keyOfActions = (actions: readonly LiveAction[]): string =>
  actions.map(({ row }) => Buffer.from(row.actionId).toString('base64')).join()

export const shownActionsJson = (trace: LiveTrace, actions: readonly LiveAction[]) =>
  actions.map((action) => toLiveAction(trace, action))
