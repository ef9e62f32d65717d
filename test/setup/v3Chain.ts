// The chain methods of v3 over a filled database, and the rows that are in it for a test to think about by itself.

import { indexedBlockHandlers } from '../../server/methods/v3/blocks.ts'
import { indexedMessageHandlers } from '../../server/methods/v3/messages.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { indexedTransactionHandlers } from '../../server/methods/v3/transactions.ts'
import {
  type BlockRow,
  type MessageRow,
  type ShardTopRow,
  type Sql,
  type WrittenTransaction,
  writeMasterBlocks,
} from '../../server/store/index.ts'
import { blocksV3 } from '../../shared/v3/blocks.ts'
import { messagesV3 } from '../../shared/v3/messages.ts'
import { transactionsV3 } from '../../shared/v3/transactions.ts'
import { openEmptiedStore } from './emptiedStore.ts'
import { type FillPlan, filledRows } from './filler.ts'
import type { MemoryStore } from './memoryStore.ts'
import { forAllTests, serveMethods, type TestService } from './service.ts'

export const v3Chain = { ...blocksV3, ...messagesV3, ...transactionsV3 }

export interface FilledRows {
  readonly blocks: readonly BlockRow[]
  readonly tops: readonly ShardTopRow[]
  readonly transactions: readonly WrittenTransaction[]
  readonly messages: readonly MessageRow[]
}

export interface V3Chain {
  readonly service: TestService
  readonly store: MemoryStore
  readonly rows: FilledRows
}

/** Over whatever is in a database. */
export function serveV3Over(store: Sql): Promise<TestService> {
  const side = createSideObjects({ store, testOnly: true })
  return serveMethods({
    registry: v3Chain,
    handlers: () => ({
      ...indexedBlockHandlers(store),
      ...indexedMessageHandlers(store, side),
      ...indexedTransactionHandlers(store, side),
    }),
  })
}

async function serveV3Chain(plan: FillPlan): Promise<V3Chain & AsyncDisposable> {
  const store = await openEmptiedStore()
  const rows = { blocks: [], tops: [], transactions: [], messages: [] } as {
    -readonly [K in keyof FilledRows]: FilledRows[K][number][]
  }
  for (const some of filledRows(plan)) {
    await store.transaction((to) => writeMasterBlocks(to, some))
    rows.blocks.push(...some.blocks)
    rows.tops.push(...some.shardTops)
    rows.transactions.push(...some.transactions)
    rows.messages.push(...some.messages)
  }
  const service = await serveV3Over(store.read)
  return {
    service,
    store,
    rows,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await store.close()
    },
  }
}

/** One for all tests of a file. */
export const v3ForAllTests = (plan: FillPlan): (() => V3Chain) => forAllTests(() => serveV3Chain(plan))
