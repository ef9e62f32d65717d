// Actions of one trace that concern subscribed accounts.

import { toBase64 } from '../../../shared/base64.ts'
import { finalityOfActions, type LiveTrace, rawOfKey } from '../../methods/index.ts'
import type { NotificationType } from './notification.ts'
import { shownOf, writingActions } from './shownActions.ts'

export const actionNotices: NotificationType<LiveTrace> = {
  name: 'actions',
  place: 1,
  finality: finalityOfActions,
  audience: (trace, routes) => routes.ofParts(trace.actions.map(({ row }) => row.accounts.map(rawOfKey))),
  selector(trace) {
    const shown = shownOf(trace.actions)
    return {
      key(subscription, parts) {
        const { actions: own, key } = shown(subscription, parts)
        return own.length === 0 ? null : key
      },
      *write(subscription, parts) {
        const { actions: own } = shown(subscription, parts)
        const { text, accounts } = yield* writingActions(trace, own)
        return { members: { trace_external_hash_norm: toBase64(trace.hashNorm), actions: text }, accounts }
      },
    }
  },
}
