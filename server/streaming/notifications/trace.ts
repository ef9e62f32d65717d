// A whole trace, for those who named the message it began with.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfDetails,
  accountsOfTransaction,
  areTooLarge,
  finalityOfActions,
  type LiveTrace,
  toLiveTransaction,
  toLiveTree,
} from '../../methods/index.ts'
import { audienceOf } from '../streamRoutes.ts'
import type { NotificationContent, NotificationType } from './notification.ts'
import { shownActionsJson, shownOf } from './shownActions.ts'

export const trace: NotificationType<LiveTrace> = {
  name: 'trace',
  place: 2,
  needsAddresses: false,
  finality: finalityOfActions,
  audience: ({ hash, hashNorm }, routes) =>
    audienceOf([hash, hashNorm].flatMap((one) => [...routes.ofHash(toBase64(one))])),
  selector(subject) {
    const { hashNorm, nodes, actions } = subject
    const shown = shownOf(actions)
    let known: NotificationContent['members'] | null = null
    /** All but the actions is the same for all who receive it. */
    const shared = () => {
      const isBrief = known === null && areTooLarge(nodes)
      known ??= {
        trace_external_hash_norm: toBase64(hashNorm),
        trace: toLiveTree(subject),
        transactions: Object.fromEntries(
          nodes.map((node) => [toBase64(node.found.row.hash), toLiveTransaction(subject, node, isBrief)]),
        ),
      }
      return known
    }
    return {
      key: (subscription) => shown(subscription).key,
      write(subscription) {
        const { actions: own } = shown(subscription)
        const written = shownActionsJson(subject, own)
        return {
          members: { ...shared(), ...(written.length === 0 ? {} : { actions: written }) },
          accounts: [
            ...nodes.flatMap(({ found }) => accountsOfTransaction(found)),
            ...own.flatMap(({ row }) => row.accounts),
            ...written.flatMap(({ details }) => accountsOfDetails(details)),
          ],
        }
      },
    }
  },
}
