import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, Sort } from '../page.ts'
import { EndFilter, HashFilter, HashList, OpcodeFilter, timeBounds } from './filters.ts'
import { sideExample, sidePageFields } from './sideObjects.ts'
import { chainExamples, Message } from './transaction.ts'
import { Direction } from './transactions.ts'
import { readsV3 } from './values.ts'

const MessagesPage = z
  .object({ messages: z.array(Message).describe('Messages of this page.'), ...sidePageFields })
  .meta({ id: 'MessagesPage' })

/** Legacy alias of `msg_hash`; ignored when `msg_hash` is given, or when it does not parse. */
const OldHash = z
  .string()
  .max(128)
  .transform((text) => HashFilter.safeParse(text).data)
  .meta({ description: 'Older name of `msg_hash`.' })

export const messagesV3 = {
  'v3.messages': method({
    summary: 'Messages by time of sending, each with the transactions that sent and received it.',
    description:
      'To find messages by opcode, body, sender or recipient, those not received yet included. For everything a message led to use v3.traces with `msg_hash`.',
    group: 'messages',
    params: z.strictObject({
      msg_hash: HashList.optional().describe('Only messages with one of these hashes or normalized hashes.'),
      hash: OldHash.optional(),
      body_hash: HashFilter.optional().describe('Only messages with this body hash.'),
      source: EndFilter.optional().describe('Only messages from this account; `null` for messages from outside.'),
      destination: EndFilter.optional().describe(
        'Only messages to this account; `null` for messages that leave the chain.',
      ),
      opcode: OpcodeFilter.optional().describe('Only messages with this opcode.'),
      ...timeBounds,
      direction: Direction.optional().describe(
        '`in` for messages received by a transaction, `out` for messages sent by one.',
      ),
      exclude_externals: z.boolean().default(false).describe('Leave out messages from outside.'),
      only_externals: z.boolean().default(false).describe('Only messages from outside.'),
      ...cursorPage(),
      sort: Sort,
    }),
    result: MessagesPage,
    rest: readsV3('messages'),
    freshness: 'index',
    paged: true,
    example: {
      params: { msg_hash: [chainExamples.sent.hash] },
      result: {
        messages: [
          {
            ...chainExamples.sent,
            in_msg_tx_hash: '9hsNgT8wcEArHHQQ3HlbCGMWsTX4xKGYQSmkyVZd4Lo=',
            out_msg_tx_hash: chainExamples.transaction.hash,
          },
        ],
        ...sideExample,
        cursor: null,
      },
    },
  }),
}
