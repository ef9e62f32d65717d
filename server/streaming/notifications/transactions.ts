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
  select(trace, { addresses }) {
    const wanted = trace.nodes.filter(({ found }) => addresses.has(rawOfKey(found.row.account)))
    if (wanted.length === 0) return null
    return {
      key: wanted.map(({ found }) => toBase64(found.row.hash)).join(),
      write: () => ({
        members: {
          trace_external_hash_norm: toBase64(trace.hashNorm),
          transactions: wanted.sort(byLatest).map((node) => toLiveTransaction(trace, node)),
        },
        accounts: wanted.flatMap(({ found }) => accountsOfTransaction(found)),
      }),
    }
  },
}
