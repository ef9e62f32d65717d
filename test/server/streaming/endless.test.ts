// Traces that go on and on: what is read of them, and for whom.

import { expect, test, vi } from 'vitest'
import { LiveTraces, rawOfKey } from '../../../server/methods/index.ts'
import { RecentParts } from '../../../server/methods/live/recentParts.ts'
import { BlockNotices } from '../../../server/streaming/blockNotices.ts'
import { visitBlock } from '../../../server/streaming/emitBlock.ts'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { filledRows } from '../../setup/filler.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'
import { feedOf } from './hubScene.ts'

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
const [row] = filled.traces
if (usual === undefined || row === undefined) throw new Error('nothing was filled')

const account = rawOfKey(usual.row.account)
const goesOn = { ...row, traceId: usual.row.traceId, externalHash: usual.row.hash, state: 'pending' as const }
type Trace = Partial<typeof row>
// The cast: nothing else of a block is read.
const blockWith = (mcSeqno: number, traces: readonly Trace[], transactions = [usual]) =>
  ({
    mcSeqno,
    rootHash: Buffer.alloc(32, mcSeqno),
    transactions,
    actions: [],
    blocks: [{ workchain: -1, fileHash: Buffer.alloc(32) }],
    jettonWallets: [],
    changed: [],
    traces: traces.map((one) => ({ ...goesOn, mcSeqnoStart: 1, mcSeqnoEnd: mcSeqno, ...one })),
  }) as unknown as Parameters<RecentParts['add']>[0]
const blockOf = (mcSeqno: number, nodes: number) => blockWith(mcSeqno, [{ nodes }])

interface Wishes {
  readonly minFinality: 'pending' | 'finalized'
  readonly type?: 'transactions' | 'actions'
}

/** How many traces are read at a time, as their transactions in all, for a subscriber to a block. */
async function readsOf(block: ReturnType<typeof blockOf>, { minFinality, type = 'transactions' }: Wishes) {
  const routes = new RoutesToMany()
  routes.add(textReader([], { types: new Set([type]), addresses: new Set([account]), minFinality }))
  const reads: number[] = []
  // The cast: these are what a block asks for.
  const traces = {
    earlierThan: (_: unknown, begun: readonly { readonly nodes: number }[]) => {
      reads.push(begun.reduce((sum, { nodes }) => sum + nodes, 0))
      return Promise.resolve(new Map())
    },
    ofBlock: () => Promise.resolve(null),
    large: { head: () => Promise.resolve(null) },
  } as unknown as LiveTraces
  const pace = { isDue: false, rest: () => Promise.resolve() }
  const parts = { routes, traces, pace, log: { warn: () => undefined }, onTrace: () => undefined }
  await visitBlock(parts, block, { finality: 'finalized', after: -1, visit: () => Promise.resolve() })
  return reads
}

test('a trace that goes on is not read for those who hear only of its end, nor once it is very long', async () => {
  expect(await readsOf(blockOf(9, 10), { minFinality: 'finalized' })).toEqual([])
  expect(await readsOf(blockOf(9, 10), { minFinality: 'pending' })).toEqual([10])
  expect(await readsOf(blockOf(9, 5000), { minFinality: 'pending' })).toEqual([])
})

const many = Array.from({ length: 100 }, (_, i) => ({ traceId: Buffer.alloc(32, i), nodes: 4000 }))

test('of many long traces that go on in a block those are read that there is room for, and the short ones', async () => {
  const block = blockWith(9, [...many, { nodes: 10 }])
  expect(await readsOf(block, { minFinality: 'pending' })).toEqual([16_010])
})

test('of many long traces that end in a block some are in memory at once', async () => {
  const block = blockWith(
    9,
    many.map((one) => ({ ...one, state: 'complete' as const })),
  )
  const reads = await readsOf(block, { minFinality: 'finalized' })
  expect(reads.reduce((sum, nodes) => sum + nodes)).toBe(400_000)
  expect(Math.max(...reads)).toBeLessThanOrEqual(20_000)
})

test('a trace that is too large to be read at once is not read with the short ones before and behind it', async () => {
  const ends = { state: 'complete' as const }
  const short = { ...ends, mcSeqnoStart: 9, nodes: 1 }
  const block = blockWith(9, [short, { ...ends, nodes: 100_000 }, { ...ends, nodes: 10 }, short])
  expect(await readsOf(block, { minFinality: 'finalized' })).toEqual([10])
})

test('whom a trace that is too large concerns is found by its accounts, and none of its transactions is read', async () => {
  const { hash, account: key } = usual.row
  const large = {
    head: () => Promise.resolve({ hash, hashNorm: hash, nodes: [], actions: [], isWhole: true }),
    async *accounts() {
      yield [key]
    },
  }
  // The cast: nothing else is read.
  const notices = new BlockNotices({ traces: { large } } as unknown as ConstructorParameters<typeof BlockNotices>[0])
  const waiting = notices.waiting<string>()
  const add = async (name: string, address: string) =>
    waiting.add(name, await notices.read({ types: ['transactions'], addresses: [address] }, 10))
  await add('one', account)
  await add('other', `0:${'EE'.repeat(32)}`)
  const block = blockWith(9, [{ state: 'complete', nodes: 5000 }])
  expect(await waiting.concernedBy(block)).toEqual(new Set(['one']))
})

test('where only what is certain is sent, a trace that goes on is read when its block leaves notifications alone', async () => {
  const [sent] = filled.messages.filter(({ destination }) => destination !== null)
  if (sent === undefined) throw new Error('nothing was sent')
  const blockLeaving = (opcode: number) =>
    blockWith(9, [{ nodes: 10 }], [{ ...usual, outMessages: [{ ...sent, opcode }] }])
  const wishes = { minFinality: 'finalized', type: 'actions' } as const
  expect(await readsOf(blockLeaving(7), wishes)).toEqual([])
  expect(await readsOf(blockLeaving(0xd53276db | 0), wishes)).toEqual([10])
})

test('a trace that began before it was followed is read once, not with each of its blocks', () => {
  const parts = new RecentParts()
  parts.add(blockOf(5, 10))
  expect(parts.before(blockOf(6, 10), goesOn.traceId)).toBeUndefined()
  parts.learn(blockOf(6, 10), goesOn.traceId, [usual, usual])
  parts.add(blockOf(6, 10))
  expect(parts.before(blockOf(7, 10), goesOn.traceId)).toHaveLength(3)
})

test('what was followed before streams paused on a branch that was undone is no part of a trace', async () => {
  const reads: string[] = []
  // The cast: nothing else is needed to read.
  const store = {
    async query({ text }: { readonly text: string }) {
      reads.push(text)
      return []
    },
  }
  const live = new LiveTraces({ store } as unknown as ConstructorParameters<typeof LiveTraces>[0])
  for (const mcSeqno of [5, 6]) live.follow(blockWith(mcSeqno, [{ mcSeqnoStart: 5 }]))
  const next = blockWith(7, [{ mcSeqnoStart: 5 }])
  expect([...(await live.earlierThan(next, next.traces)).values()]).toEqual([[usual, usual]])
  expect(reads).toHaveLength(0)
  live.forget()
  await live.earlierThan(next, next.traces)
  expect(reads.length).toBeGreaterThan(0)
})

test('a prediction that is ready after the block of its message is not reported, also where that block is not', async () => {
  const inBlock = Buffer.alloc(32, 7)
  const waiting = Buffer.alloc(32, 8)
  const message = { kind: 'externalIn', hash: inBlock, hashNorm: inBlock }
  // The cast: nothing else of its message is read.
  const root = { ...usual, inMessage: message } as unknown as typeof usual
  const rows = blockWith(5, [{ mcSeqnoStart: 5, nodes: 5000 }], [root])
  const feed = feedOf({ kind: 'block', rows })
  let onSent = (_: object): void => undefined
  let predict = (): void => undefined
  const predicted = new Promise<void>((resolve) => (predict = resolve))
  const traces = {
    head: async () => ({ seqno: 4 }),
    follow: () => undefined,
    forget: () => undefined,
    ofMessage: ({ hashNorm: hash }: { readonly hashNorm: Buffer }) =>
      predicted.then(() => ({ hash, hashNorm: hash, nodes: [], actions: [], isWhole: false })),
  }
  const parts = {
    ...{ feed, traces, books: {}, log: { warn: () => undefined } },
    sent: {
      onSent(listener: typeof onSent) {
        onSent = listener
        return () => undefined
      },
    },
    counts: { delayed: () => undefined, sent: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
  }
  // The cast: nothing else is used for such a block.
  const hub = new StreamHub(parts as unknown as HubParts)
  const hashes = new Set([inBlock, waiting].map((hash) => hash.toString('base64')))
  const texts: string[] = []
  hub.add(textReader(texts, { types: new Set(['trace']), addresses: new Set(), hashes, minFinality: 'pending' }))
  const accepted = Promise.resolve(true)
  for (const hash of [inBlock, waiting]) onSent({ hash, hashNorm: hash, to: hash.toString('hex'), accepted })
  await vi.waitFor(() => expect(hub.processed).toBe(5), 300_000)
  predict()
  await vi.waitFor(() => expect(texts).not.toEqual([]), 300_000)
  const names = texts.map((text) => JSON.parse(text).trace_external_hash_norm)
  expect(names).toEqual([waiting.toString('base64')])
  hub.close()
})
