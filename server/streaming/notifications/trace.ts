// A whole trace, for those who named the message it began with.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfDetails,
  accountsOfTransaction,
  finalityOfActions,
  type LiveTrace,
  toLiveTransaction,
  toLiveTree,
} from '../../methods/index.ts'
import type { NotificationType } from './notification.ts'
import { keyOfActions, shownActions, shownActionsJson } from './shownActions.ts'

export const trace: NotificationType<LiveTrace> = {
  name: 'trace',
  place: 2,
  needsAddresses: false,
  finality: finalityOfActions,
  audience: ({ hash, hashNorm }, routes) =>
    new Set([hash, hashNorm].flatMap((one) => [...routes.ofHash(toBase64(one))])),
  selector(subject) {
    const { hash, hashNorm, nodes, actions } = subject
    const names = [toBase64(hash), toBase64(hashNorm)]
    return (subscription) => {
      if (!names.some((name) => subscription.hashes.has(name))) return null
      const shown = shownActions(actions, subscription)
      return {
        key: keyOfActions(shown),
        write() {
          const written = shownActionsJson(subject, shown)
          return {
            members: {
              trace_external_hash_norm: toBase64(hashNorm),
              trace: toLiveTree(subject),
              transactions: Object.fromEntries(
                nodes.map((node) => [toBase64(node.found.row.hash), toLiveTransaction(subject, node)]),
              ),
              ...(written.length === 0 ? {} : { actions: written }),
            },
            accounts: [
              ...nodes.flatMap(({ found }) => accountsOfTransaction(found)),
              ...shown.flatMap(({ row }) => row.accounts),
              ...written.flatMap(({ details }) => accountsOfDetails(details)),
            ],
          }
        },
      }
    }
  },
}
