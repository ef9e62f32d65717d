import type { Result } from '../../../shared/registry.ts'
import type { messagesV3 } from '../../../shared/v3/messages.ts'
import { SlicedWork, type Slicing } from '../../fairness/index.ts'
import {
  type ListedMessage,
  messagesRead,
  readMessagePage,
  readSides,
  type Sql,
  TextBytes,
  withTimesOfLts,
} from '../../store/index.ts'
import type { WritingHandlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { accountsAtEnds, addListedMessage } from '../view/v3/messageText.ts'
import { Written, writeObject } from '../written.ts'
import { demandKept } from './demandKept.ts'
import { type SideObjects, wishesOf, writtenSides } from './sideObjects.ts'

type Methods = typeof messagesV3
type Page = Result<Methods['v3.messages']>

const [COMMA, BEGINNING, END] = [44, 91, 93]

/** Of one slice of a list. */
const page = new TextBytes()

/** The text of a list, in slices. */
async function writeMessages(
  messages: readonly ListedMessage[],
  caller: Slicing | undefined,
): Promise<Written<Page['messages']>> {
  const slices = new SlicedWork(caller)
  const pieces: Buffer[] = []
  page.begin()
  page.byte(BEGINNING)
  for (const [i, message] of messages.entries()) {
    if (slices.isDue) {
      // Other lists are written until the next slice.
      pieces.push(page.takeBytes())
      await slices.rest()
      page.begin()
    }
    if (i > 0) page.byte(COMMA)
    addListedMessage(message, page)
  }
  page.byte(END)
  pieces.push(page.takeBytes())
  return new Written(pieces)
}

export const indexedMessageHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.messages'(params, call) {
    const { ask, cursor } = openPage('v3.messages', params)
    const { msg_hash, hash, body_hash, source, destination, opcode, direction, sort } = params
    const filter = {
      hashes: msg_hash ?? (hash ? [hash] : undefined),
      bodyHash: body_hash,
      source,
      destination,
      opcode,
      startUtime: params.start_utime,
      endUtime: params.end_utime,
      startLt: params.start_lt,
      endLt: params.end_lt,
      direction,
      excludeExternals: params.exclude_externals,
      onlyExternals: params.only_externals,
    }
    await demandKept(store, filter, call)
    // Messages with a body are found by logical time.
    const bounded = body_hash === undefined ? await withTimesOfLts(store, filter, call) : filter
    const { messages, next } = await readMessagePage(store, messagesRead(bounded, ask, sort), call)
    const sides = await readSides(store, [...accountsAtEnds(messages).values()], wishesOf(call), call)
    const extras = await writtenSides(side, sides, call)
    const written = await writeMessages(messages, call.caller)
    return writeObject<Page>({ messages: written, cursor: cursor(next), ...extras })
  },
})
