// Actions of one trace that concern subscribed accounts.

import { toBase64 } from '../../../shared/base64.ts'
import { accountsOfDetails, finalityOfActions, type LiveTrace, rawOfKey } from '../../methods/index.ts'
import type { NotificationType } from './notification.ts'
import { shownActions, shownActionsJson } from './shownActions.ts'

const accountsOf = ({ actions }: LiveTrace): string[] => actions.flatMap(({ row }) => row.accounts.map(rawOfKey))

export const actions: NotificationType<LiveTrace> = {
  name: 'actions',
  place: 1,
  needsAddresses: true,
  finality: finalityOfActions,
  audience: (trace, routes) => routes.ofAddresses(accountsOf(trace)),
  selector(trace) {
    const all = trace.actions.map((action) => ({ action, raws: action.row.accounts.map(rawOfKey) }))
    const numbers = new Map(trace.actions.map((action, number) => [action, number]))
    return (subscription) => {
      const near = all.filter(({ raws }) => raws.some((raw) => subscription.addresses.has(raw)))
      const shown = shownActions(
        near.map(({ action }) => action),
        subscription,
      )
      if (shown.length === 0) return null
      return {
        key: shown.map((action) => numbers.get(action)).join(),
        write() {
          const written = shownActionsJson(trace, shown)
          return {
            members: { trace_external_hash_norm: toBase64(trace.hashNorm), actions: written },
            accounts: [
              ...shown.flatMap(({ row }) => row.accounts),
              ...written.flatMap(({ details }) => accountsOfDetails(details)),
            ],
          }
        },
      }
    }
  },
}
