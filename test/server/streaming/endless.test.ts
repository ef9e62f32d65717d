// Traces that go on and on: what is read of them, and for whom.

import { expect, test } from 'vitest'
import type { LiveTraces } from '../../../server/methods/index.ts'
import { RecentParts } from '../../../server/methods/live/recentParts.ts'
import { visitBlock } from '../../../server/streaming/emitBlock.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { filledRows } from '../../setup/filler.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
const [row] = filled.traces
if (usual === undefined || row === undefined) throw new Error('nothing was filled')

const goesOn = { ...row, traceId: usual.row.traceId, externalHash: usual.row.hash, state: 'pending' as const }
// The cast: nothing else of a block is read.
const blockOf = (mcSeqno: number, nodes: number) =>
  ({
    mcSeqno,
    rootHash: Buffer.alloc(32, mcSeqno),
    transactions: [usual],
    actions: [],
    blocks: [],
    jettonWallets: [],
    changed: [],
    traces: [{ ...goesOn, mcSeqnoStart: 1, mcSeqnoEnd: mcSeqno, nodes }],
  }) as unknown as Parameters<RecentParts['add']>[0]

async function readsFor(minFinality: 'pending' | 'finalized', nodes: number): Promise<number> {
  const routes = new RoutesToMany()
  routes.add(textReader([], { types: new Set(['transactions']), addresses: new Set([RECEIVER]), minFinality }))
  let reads = 0
  // The cast: these two are what a block asks for.
  const traces = {
    earlierThan: (_: unknown, begun: readonly unknown[]) => {
      reads += begun.length
      return Promise.resolve(new Map())
    },
    ofBlock: () => Promise.resolve(null),
  } as unknown as LiveTraces
  const pace = { isDue: false, rest: () => Promise.resolve() }
  const parts = { routes, traces, pace, log: { warn: () => undefined }, onTrace: () => undefined }
  await visitBlock(parts, blockOf(9, nodes), { finality: 'finalized', after: -1, visit: () => Promise.resolve() })
  return reads
}

test('a trace that goes on is not read for those who hear only of its end, nor once it is very long', async () => {
  expect(await readsFor('finalized', 10)).toBe(0)
  expect(await readsFor('pending', 10)).toBe(1)
  expect(await readsFor('pending', 5000)).toBe(0)
})

test('a trace that began before it was followed is read once, not with each of its blocks', () => {
  const parts = new RecentParts()
  parts.add(blockOf(5, 10))
  expect(parts.before(blockOf(6, 10), goesOn.traceId)).toBeUndefined()
  parts.learn(blockOf(6, 10), goesOn.traceId, [usual, usual])
  parts.add(blockOf(6, 10))
  expect(parts.before(blockOf(7, 10), goesOn.traceId)).toHaveLength(3)
})
