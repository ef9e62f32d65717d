import type { Result } from '../../../shared/registry.ts'
import type { messagesV3 } from '../../../shared/v3/messages.ts'
import { type ByteSpan, messagesRead, readMessagePage, type Sql, withTimesOfLts } from '../../store/index.ts'
import type { WritingHandlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { accountsAtEnds, addListedMessage } from '../view/v3/messageText.ts'
import { writeObject } from '../written.ts'
import { readBounded } from './bounded/boundedLists.ts'
import { demandShortPage, FEW_MESSAGES } from './bounded/boundedParts.ts'
import { whileKept } from './kept/demandKept.ts'
import { writeNamedRows } from './names/namedRows.ts'
import { wishesOfList } from './names/namesOfList.ts'
import type { SideObjects } from './names/sideObjects.ts'

type Methods = typeof messagesV3
type Page = Result<Methods['v3.messages']>

const ROW = { add: addListedMessage, accountsOf: accountsAtEnds }

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
    const { next, ...page } = await whileKept(store, filter, async () => {
      // Messages with a body are found by logical time.
      const bounded = body_hash === undefined ? await withTimesOfLts(store, filter, call) : filter
      return await readBounded(ask, FEW_MESSAGES, {
        readOf: (of) => messagesRead(bounded, of, sort),
        demand: (list) => demandShortPage(store, list, call),
        read: (list) => readMessagePage(store, list, wishesOfList(call), call),
      })
    })
    const { text, names } = await writeNamedRows<ByteSpan, Page['messages'][number]>(page, ROW, {
      store,
      side,
      call,
    })
    return writeObject<Page>({ messages: text, cursor: cursor(next), ...names })
  },
})
