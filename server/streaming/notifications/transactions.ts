// Transactions of subscribed accounts in one trace, the last first.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfTransaction,
  finalityOf,
  type LiveNode,
  type LiveTrace,
  rawOfKey,
  toLiveTransaction,
} from '../../methods/index.ts'
import type { NotificationType } from './notification.ts'

const byLatest = ({ found: { row: a } }: LiveNode, { found: { row: b } }: LiveNode): number =>
  a.lt === b.lt ? 0 : a.lt > b.lt ? -1 : 1

const accountsOf = ({ nodes }: LiveTrace): string[] => nodes.map(({ found }) => rawOfKey(found.row.account))

export const transactions: NotificationType<LiveTrace> = {
  name: 'transactions',
  place: 0,
  needsAddresses: true,
  finality: finalityOf,
  audience: (trace, routes) => routes.ofAddresses(accountsOf(trace)),
  selector(trace) {
    const nodes = trace.nodes.map((node, key) => ({ node, key, raw: rawOfKey(node.found.row.account) }))
    return ({ addresses }) => {
      const wanted = nodes.filter(({ raw }) => addresses.has(raw))
      if (wanted.length === 0) return null
      return {
        key: wanted.map(({ key }) => key).join(),
        write: () => ({
          members: {
            trace_external_hash_norm: toBase64(trace.hashNorm),
            transactions: wanted
              .map(({ node }) => node)
              .sort(byLatest)
              .map((node) => toLiveTransaction(trace, node)),
          },
          accounts: wanted.flatMap(({ node }) => accountsOfTransaction(node.found)),
        }),
      }
    }
  },
}
