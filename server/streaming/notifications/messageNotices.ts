// Messages of some opcodes in one trace, the last first: of the accounts that a subscription named, or of all.

import { toBase64 } from '../../../shared/base64.ts'
import {
  finalityOf,
  type LiveMessage,
  type LiveTrace,
  lookingWhetherMessagesTooLarge,
  messagesOfTrace,
  rawOfKey,
  toLiveMessage,
} from '../../methods/index.ts'
import { JsonText, writingList } from '../jsonText.ts'
import { nameOfParts } from '../streamRoutes.ts'
import type { NotificationType } from './notification.ts'

const sentAt = ({ row: { createdLt } }: LiveMessage): bigint => createdLt ?? 0n

const byLatest = (a: LiveMessage, b: LiveMessage): number =>
  sentAt(a) === sentAt(b) ? 0 : sentAt(a) > sentAt(b) ? -1 : 1

const endsOf = ({ row: { source, destination } }: LiveMessage) => [source, destination].filter((one) => one !== null)

export const messageNotices: NotificationType<LiveTrace> = {
  name: 'messages',
  place: 3,
  // One between two accounts is read with the transaction that received it.
  parts: 'all',
  finality: finalityOf,
  audience: (trace, routes) =>
    routes.findingByMessages(
      messagesOfTrace(trace).map((one) => ({ opcode: one.row.opcode, accounts: endsOf(one).map(rawOfKey) })),
    ),
  selector(trace) {
    const all = messagesOfTrace(trace)
    /** Of several opcodes some receive messages that others receive alone. */
    const whole = new Map<LiveMessage, string>()
    const brief: typeof whole = new Map()
    const write = (message: LiveMessage, isBrief: boolean): string => {
      const written = isBrief ? brief : whole
      const known = written.get(message) ?? JSON.stringify(toLiveMessage(message, isBrief))
      written.set(message, known)
      return known
    }
    return {
      key: (_, parts) => nameOfParts(parts),
      *write(_, parts) {
        const wanted = parts.flatMap((part) => all[part] ?? [])
        const isBrief = yield* lookingWhetherMessagesTooLarge(wanted.map(({ row }) => row))
        const texts = writingList(wanted.toSorted(byLatest), (one) => write(one, isBrief))
        return {
          members: {
            trace_external_hash_norm: toBase64(trace.hashNorm),
            messages: new JsonText(yield* texts),
          },
          accounts: wanted.flatMap(endsOf),
        }
      },
    }
  },
}
