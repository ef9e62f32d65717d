// Transactions of subscribed accounts in one trace, the last first.

import { toBase64 } from '../../../shared/base64.ts'
import {
  accountsOfTransaction,
  finalityOf,
  type LiveNode,
  type LiveTrace,
  lookingWhetherTooLarge,
  rawOfKey,
} from '../../methods/index.ts'
import { JsonText, writingList } from '../jsonText.ts'
import { nameOfParts } from '../streamRoutes.ts'
import type { NotificationType } from './notification.ts'

const byLatest = ({ found: { row: a } }: LiveNode, { found: { row: b } }: LiveNode): number =>
  a.lt === b.lt ? 0 : a.lt > b.lt ? -1 : 1

export const transactionNotices: NotificationType<LiveTrace> = {
  name: 'transactions',
  place: 0,
  parts: 'named',
  finality: finalityOf,
  audience: (trace, routes) => routes.ofParts(trace.nodes.map(({ found }) => [rawOfKey(found.row.account)])),
  selector(trace, texts) {
    return {
      key: (_, parts) => nameOfParts(parts),
      *write(_, parts) {
        const wanted = parts.flatMap((part) => trace.nodes[part] ?? [])
        const isBrief = yield* lookingWhetherTooLarge(wanted)
        const list = yield* writingList(wanted.toSorted(byLatest), (node) => texts.of(trace, node, isBrief))
        yield
        return {
          members: {
            trace_external_hash_norm: toBase64(trace.hashNorm),
            transactions: new JsonText(list),
          },
          accounts: wanted.flatMap(({ found }) => accountsOfTransaction(found)),
        }
      },
    }
  },
}
