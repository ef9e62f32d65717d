import type { messagesV3 } from '../../../shared/v3/messages.ts'
import { inSlices } from '../../fairness/index.ts'
import { messagesRead, readPage, type Sql, withTimesOfLts } from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { accountsOfMessage, toListedMessage } from '../view/v3/message.ts'
import { demandKept } from './demandKept.ts'
import { type SideObjects, sideObjectsFor } from './sideObjects.ts'

export const indexedMessageHandlers = (store: Sql, side: SideObjects): Handlers<typeof messagesV3> => ({
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
    const { rows, next } = await readPage(store, messagesRead(bounded, ask, sort), call)
    const extras = await sideObjectsFor(side, rows.flatMap(accountsOfMessage), call)
    return { messages: await inSlices(rows, toListedMessage, call.caller), cursor: cursor(next), ...extras }
  },
})
