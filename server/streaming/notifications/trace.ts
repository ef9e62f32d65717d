// A whole trace, for those who named the message it began with.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfTransaction,
  finalityOfActions,
  type LiveTrace,
  lookingWhetherTooLarge,
  makingLiveTree,
  TRACE_TOO_LARGE,
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
      const list = new JsonText(`{${transactions.join()}}`)
      yield
      const tree = yield* makingLiveTree(subject)
      yield
      known = {
        trace_external_hash_norm: toBase64(hashNorm),
        ...(isTooLarge ? { is_incomplete: true, warning: TRACE_TOO_LARGE } : {}),
        trace: new JsonText(JSON.stringify(tree)),
        transactions: list,
      }
      yield
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
