// All methods of v3 in a running service: the index is a filled one, the node an embedded chain of its own. The rows of
// the index are there for a test to think about by itself.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedChain } from '../../server/app/chain/chainService.ts'
import { noIndex } from '../../server/app/database/indexService.ts'
import { Settings } from '../../server/app/settings/settings.ts'
import { RunSettings } from '../../server/contracts/index.ts'
import { createFollowedSending } from '../../server/methods/followedSending.ts'
import { indexedHandlers } from '../../server/methods/v3/indexed.ts'
import { createLog } from '../../server/observe/index.ts'
import {
  type AccountRow,
  type MasterBlockRows,
  type TraceRow,
  type TransactionRow,
  writeMasterBlocks,
} from '../../server/store/index.ts'
import { indexed } from '../../shared/v3/indexed.ts'
import { openEmptiedStore } from './emptiedStore.ts'
import { type FillPlan, filledRows } from './filler.ts'
import type { MemoryStore } from './memoryStore.ts'
import { forAllTests, serveMethods, type TestService } from './service.ts'

/** What is in the index, as it stands at the end. */
export interface Known {
  readonly accounts: ReadonlyMap<string, AccountRow>
  readonly traces: ReadonlyMap<string, TraceRow>
  readonly transactions: readonly TransactionRow[]
}

export interface V3Service {
  readonly service: TestService
  readonly store: MemoryStore
  readonly known: Known
}

const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function remember(known: { accounts: Map<string, AccountRow>; traces: Map<string, TraceRow> }, rows: MasterBlockRows) {
  for (const row of rows.accounts) known.accounts.set(nameOf(row.account), row)
  for (const row of rows.traces) known.traces.set(nameOf(row.traceId), row)
}

async function serveV3(plan: FillPlan): Promise<V3Service & AsyncDisposable> {
  const store = await openEmptiedStore()
  const known = { accounts: new Map<string, AccountRow>(), traces: new Map<string, TraceRow>() }
  const transactions: TransactionRow[] = []
  for (const rows of filledRows(plan)) {
    await store.transaction((to) => writeMasterBlocks(to, rows))
    remember(known, rows)
    transactions.push(...rows.transactions)
  }
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-chain-'))
  const log = createLog({ format: 'json', level: 'silent' })
  const chain = await openEmbeddedChain(Settings.parse({ data, mining: 'manual', seed: 'none' }), log)
  const { pool } = chain
  const parts = {
    chain: chain.chain,
    pool,
    settings: new RunSettings(chain.chain),
    store: store.read,
    index: noIndex.view,
  }
  const needs = { ...parts, ...createFollowedSending(parts), testOnly: false }
  const service = await serveMethods({ registry: indexed, handlers: () => indexedHandlers(needs), chain })
  return {
    service,
    store,
    known: { ...known, transactions },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await chain.close()
      await store.close()
      await rm(data, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** One for all tests of a file. */
export const v3ForAll = (plan: FillPlan): (() => V3Service) => forAllTests(() => serveV3(plan))
