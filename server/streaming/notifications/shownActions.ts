// Which actions of a trace a subscription shows, whatever account they concern.

import {
  accountsOfDetails,
  areDetailsTooLarge,
  byLatestEnd,
  type LiveAction,
  type LiveTrace,
  shownTypeOf,
  toLiveAction,
} from '../../methods/index.ts'
import type { AccountKey } from '../../store/index.ts'
import { JsonText, writingList } from '../jsonText.ts'
import { nameOfParts } from '../streamRoutes.ts'
import type { Subscription } from '../streamSubscription.ts'

/** Those of the types it named, and not the parts of one that it understands as a whole. */
const shownActions = (actions: readonly LiveAction[], { actionTypes, supportedTypes }: Wishes): LiveAction[] =>
  actions
    .filter(
      ({ row }) =>
        (actionTypes?.has(shownTypeOf(row)) ?? true) &&
        supportedTypes.has(row.type) &&
        !row.ancestorTypes.some((type) => supportedTypes.has(type)),
    )
    .sort(byLatestEnd)

export interface Shown {
  readonly actions: readonly LiveAction[]
  /** The same for all lists of the same actions. */
  readonly key: string
}

type Wishes = Pick<Subscription, 'actionTypes' | 'supportedTypes'>

/** What subscriptions show of some actions of a trace, or of all: found out once for those that wish the same. */
export function shownOf(all: readonly LiveAction[]): (wishes: Wishes, parts?: readonly number[]) => Shown {
  const known = new Map<string, Wishes & Shown>()
  const places = new Map(all.map((action, i) => [action, i]))
  return ({ actionTypes, supportedTypes }, parts) => {
    const name = parts === undefined ? '' : nameOfParts(parts)
    const found = known.get(name)
    if (found?.actionTypes === actionTypes && found.supportedTypes === supportedTypes) return found
    const wishes = { actionTypes, supportedTypes }
    const near = parts === undefined ? all : parts.flatMap((part) => all[part] ?? [])
    const actions = shownActions(near, wishes)
    const made = { ...wishes, actions, key: actions.map((one) => places.get(one)).join() }
    known.set(name, made)
    return made
  }
}

/** Actions as they are sent, with the accounts they mention. */
export function* writingActions(
  trace: LiveTrace,
  actions: readonly LiveAction[],
): Generator<void, { readonly text: JsonText; readonly accounts: readonly AccountKey[] }> {
  const accounts: AccountKey[] = []
  const isBrief = areDetailsTooLarge(actions)
  const text = yield* writingList(actions, (action) => {
    const written = toLiveAction(trace, action, isBrief)
    accounts.push(...action.row.accounts, ...accountsOfDetails(written.details))
    return JSON.stringify(written)
  })
  return { text: new JsonText(text), accounts }
}
