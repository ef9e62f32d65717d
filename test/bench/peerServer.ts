// The methods of v3 over an index that stands still, in a process of their own, with next to no cached replies: what `peer`
// measures. The address of the database is the first argument, or the folder of an embedded one. Sends its port once all
// transactions have their texts.

import { accountListHandlers } from '../../server/methods/v3/accounts.ts'
import { actionHandlers } from '../../server/methods/v3/actions/actions.ts'
import { assetHandlers } from '../../server/methods/v3/assets/assets.ts'
import { indexedBlockHandlers } from '../../server/methods/v3/blocks.ts'
import { indexedMessageHandlers } from '../../server/methods/v3/messages.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { keepTexts } from '../../server/methods/v3/texts/textKeeper.ts'
import { TracesPage, traceHandlers } from '../../server/methods/v3/traces.ts'
import { indexedTransactionHandlers } from '../../server/methods/v3/transactions.ts'
import type { Chain } from '../../server/node/index.ts'
import { openDatabase } from '../../server/store/index.ts'
import { accountsV3 } from '../../shared/v3/accounts.ts'
import { actionsV3 } from '../../shared/v3/actions.ts'
import { assets } from '../../shared/v3/assets/assets.ts'
import { blocksV3 } from '../../shared/v3/blocks.ts'
import { messagesV3 } from '../../shared/v3/messages.ts'
import { tracesV3 } from '../../shared/v3/traces.ts'
import { transactionsV3 } from '../../shared/v3/transactions.ts'
import { serveMethods } from '../setup/service.ts'

/** One for the database and the calls: a call with a time of its own is not sent as a prepared statement. */
const STATEMENT_MS = 3_000
const [, , place = ''] = process.argv
const isServer = /^postgres(ql)?:/.test(place)
const store = await openDatabase({
  database: isServer ? place : 'pglite',
  folder: isServer ? null : place,
  readTimeoutMs: STATEMENT_MS,
})
while ((await keepTexts(store)) !== null);
await store.transaction((to) => to.query({ text: 'analyze', values: [] }))
const side = createSideObjects({ store: store.read, testOnly: true })
// The cast: only methods that are not measured read the chain.
const chain = {} as Chain
const service = await serveMethods(
  {
    registry: { ...accountsV3, ...actionsV3, ...assets, ...blocksV3, ...messagesV3, ...tracesV3, ...transactionsV3 },
    handlers: () => ({
      ...accountListHandlers({ chain, store: store.read }, side),
      ...actionHandlers(store.read, side),
      'v3.pendingActions': () => Promise.reject(new Error('it is not measured')),
      ...assetHandlers(store.read, side),
      ...indexedBlockHandlers(store.read),
      ...indexedMessageHandlers(store.read, side),
      ...traceHandlers(new TracesPage(store.read, side)),
      ...indexedTransactionHandlers(store.read, side),
    }),
  },
  {
    config: { memoryMb: 1, limits: 'off', connectionsPerAddress: 1000, statementMs: STATEMENT_MS },
    checkResults: false,
  },
)
process.send?.({ port: service.port })
process.on('disconnect', () => {
  void service[Symbol.asyncDispose]()
    .then(() => store.close())
    .then(() => process.exit(0))
})
