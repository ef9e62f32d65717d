import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, NextCursor, Sort } from '../page.ts'
import { EndFilter, HashFilter, HashList, OpcodeFilter, timeBounds } from './filters.ts'
import { AddressBook, Metadata, sideExample } from './sideObjects.ts'
import { chainExamples, Message } from './transaction.ts'
import { Direction } from './transactions.ts'
import { readsV3 } from './values.ts'

const MessagesPage = z
  .object({ messages: z.array(Message), address_book: AddressBook, metadata: Metadata, cursor: NextCursor })
  .meta({ id: 'MessagesPage' })

/** An older name of `msg_hash`: not looked at beside it, nor when it is no hash. */
const OldHash = z
  .string()
  .max(128)
  .transform((text) => HashFilter.safeParse(text).data)
  .meta({ description: 'Older name of `msg_hash`.' })

export const messages = {
  'v3.messages': method({
    summary: 'Messages by when they were sent, each once, with the transactions that sent it and took it in.',
    group: 'messages',
    params: z.strictObject({
      msg_hash: HashList.optional().meta({ description: 'Either of its hashes.' }),
      hash: OldHash.optional(),
      body_hash: HashFilter.optional(),
      source: EndFilter.optional().meta({ description: '`null` for messages from outside.' }),
      destination: EndFilter.optional().meta({ description: '`null` for messages that leave the chain.' }),
      opcode: OpcodeFilter.optional(),
      ...timeBounds,
      direction: Direction.optional().meta({ description: 'As taken in by a transaction, or as sent by one.' }),
      exclude_externals: z.boolean().default(false).meta({ description: 'Without messages from outside.' }),
      only_externals: z.boolean().default(false).meta({ description: 'Nothing but messages from outside.' }),
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
