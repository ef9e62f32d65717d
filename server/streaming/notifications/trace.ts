// A whole trace, for those who named the message it began with.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfTransaction,
  finalityOfActions,
  type LiveTrace,
  lookingWhetherTooLarge,
  TRACE_TOO_LARGE,
  toLiveTree,
} from '../../methods/index.ts'
import { JsonText, writingEach } from '../jsonText.ts'
import { audienceOf } from '../streamRoutes.ts'
import type { NotificationContent, NotificationType } from './notification.ts'
import { shownOf, writingActions } from './shownActions.ts'

export const trace: NotificationType<LiveTrace> = {
  name: 'trace',
  place: 2,
  finality: finalityOfActions,
  audience: ({ hash, hashNorm }, routes) =>
    audienceOf([hash, hashNorm].flatMap((one) => [...routes.ofHash(toBase64(one))])),
  selector(subject, texts) {
    const { hashNorm, nodes, actions, isTooLarge } = subject
    const shown = shownOf(actions)
    let known: NotificationContent['members'] | null = null
    /** All but the actions is the same for all who receive it. */
    function* shared(): Generator<void, NotificationContent['members']> {
      if (known !== null) return known
      const isBrief = yield* lookingWhetherTooLarge(nodes)
      const transactions = yield* writingEach(
        nodes,
        (node) => `"${toBase64(node.found.row.hash)}":${texts.of(subject, node, isBrief)}`,
      )
      known = {
        trace_external_hash_norm: toBase64(hashNorm),
        ...(isTooLarge ? { is_incomplete: true, warning: TRACE_TOO_LARGE } : {}),
        trace: toLiveTree(subject),
        transactions: new JsonText(`{${transactions.join()}}`),
      }
      return known
    }
    return {
      key: (subscription) => shown(subscription).key,
      *write(subscription) {
        const { actions: own } = shown(subscription)
        const written = yield* writingActions(subject, own)
        return {
          members: { ...(yield* shared()), ...(own.length === 0 ? {} : { actions: written.text }) },
          accounts: [...nodes.flatMap(({ found }) => accountsOfTransaction(found)), ...written.accounts],
        }
      },
    }
  },
}
