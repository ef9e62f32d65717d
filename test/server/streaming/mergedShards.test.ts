// Streams over a chain of two shards that are merged under them: every block and transaction is reported once, in order, and a
// reader that comes back with any cursor hears the rest.

import { expect, onTestFinished, test } from 'vitest'
import { RunSettings } from '../../../server/contracts/index.ts'
import { createLiveBooks, LiveTraces, SentMessages } from '../../../server/methods/index.ts'
import { createRemoteChain, Trust } from '../../../server/node/index.ts'
import { createLog, createMetrics } from '../../../server/observe/index.ts'
import { IndexFeed } from '../../../server/store/index.ts'
import { readStreamCursor, Streaming } from '../../../server/streaming/index.ts'
import { accountBlocksOf, blockExtraOf } from '../../../server/tlb/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { withMergedShards } from '../../setup/mergedShards.ts'
import { chainServer, recordedChain } from '../../setup/recordedBlocks.ts'
import { eventually, type Frame } from '../../setup/streams.ts'
import { index, openStore } from '../indexer/indexScene.ts'

const BLOCKS = 10
const KEYLESS = { subject: 'reader', keyId: null, tier: null }

async function openScene(isMerged = true) {
  const recorded = await recordedChain()
  const merged = withMergedShards(recorded)
  const chain = { ...(isMerged ? merged : recorded), newest: merged.newest }
  const { server, reveal } = chainServer(chain)
  const database = await openStore()
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const first = chain.newest - BLOCKS
  const feedOf = (heads: ConstructorParameters<typeof IndexFeed>[0]['heads']) =>
    new IndexFeed({ store: database.read, heads, canRewind: true })
  const indexer = index({ node, database, indexFrom: { seqno: first }, network: 'custom', batchTransactions: 20 })
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const log = createLog({ format: 'json', level: 'silent' })
  const store = database.read
  const streaming = new Streaming({
    feed: feedOf(indexer),
    store,
    sent: new SentMessages(),
    log,
    metrics: createMetrics(),
    traces: new LiveTraces({ chain: node, pool, store, settings: new RunSettings(node) }),
    books: createLiveBooks({ store, testOnly: true }),
    reach: async () => true,
    health: async () => ({ ok: true, now: 0, components: {} }),
  })
  onTestFinished(() => streaming.close())
  const step = async (seqno: number): Promise<void> => {
    reveal(seqno)
    await indexer.waitFor(seqno, { timeoutMs: 300_000 })
  }
  const listen = async (order: object): Promise<Frame[]> => {
    const frames: Frame[] = []
    const isGone = (): boolean => false
    const request = { transport: 'socket', caller: KEYLESS, actionsVersion: null, isGone } as const
    const ready = await streaming.read(order, request)
    streaming.begin(ready, {
      send: (text) => void frames.push(JSON.parse(text)),
      drained: async () => undefined,
      fail: () => frames.push({ type: 'failed' }),
      isClosed: false,
    })
    return frames
  }
  const blocks = chain.blocks.filter(({ mcSeqno }) => mcSeqno > first + 1)
  const names = blocks.map(({ id }) => Buffer.from(id.rootHash).toString('base64'))
  const accounts = blocks.flatMap(({ id, block }) =>
    [...accountBlocksOf(blockExtraOf(block))].map(([hash]) => `${id.workchain}:${Buffer.from(hash).toString('hex')}`),
  )
  return { chain, step, listen, first, names, accounts: [...new Set(accounts)] }
}

const blockOf = ({ block }: Frame): string => String((block as Frame).root_hash)

test('every block of both shards and of the merged one is reported once, and is what a reader that comes back is sent', async () => {
  const { chain, step, listen, first, names } = await openScene()
  await step(first + 1)
  const order = { types: ['blocks'] }
  const final = await listen(order)
  const early = await listen({ ...order, min_finality: 'confirmed' })
  for (let seqno = first + 2; seqno <= chain.newest; seqno++) await step(seqno)
  const all = await eventually(() => (final.length >= names.length ? final : undefined))
  expect(all.map(blockOf).toSorted()).toEqual(names.toSorted())
  const seqnos = all.map(({ block }) =>
    Number((block as { masterchain_block_ref?: Frame }).masterchain_block_ref?.seqno),
  )
  expect(seqnos).toEqual(seqnos.toSorted((a, b) => a - b))
  const merged = all.filter(({ block }) => (block as Frame).after_merge === true)
  expect(merged.map(({ block }) => (block as { prev_blocks: unknown[] }).prev_blocks.length)).toEqual([2])
  const levels = (name: string) => early.filter((one) => blockOf(one) === name).map(({ finality }) => finality)
  await eventually(() => levels(blockOf(all.at(-1) ?? {})).includes('finalized') || undefined)
  for (const name of names) expect(['finalized', 'confirmed finalized']).toContain(levels(name).join(' '))
  for (const [at, { cursor }] of all.entries()) {
    const rest = await listen({ ...order, after: cursor })
    await eventually(() => (rest.length >= all.length - at - 1 ? true : undefined))
    expect(rest).toEqual(all.slice(at + 1))
  }
})

test('what happens to the accounts of a half is reported the same with the merge and without it', async () => {
  const heard = async (isMerged: boolean): Promise<readonly unknown[]> => {
    const { chain, step, listen, first, accounts } = await openScene(isMerged)
    await step(first + 1)
    const order = { types: ['transactions', 'actions', 'account_state_change'], addresses: accounts }
    const all = await listen(order)
    const end = await listen({ types: ['blocks'] })
    for (let seqno = first + 2; seqno <= chain.newest; seqno++) await step(seqno)
    await eventually(
      () => end.some(({ cursor }) => readStreamCursor(String(cursor))?.mcSeqno === chain.newest) || undefined,
    )
    return all.map(({ type, account, state, trace_external_hash_norm: hash }) => ({ type, account, state, hash }))
  }
  const merged = await heard(true)
  const apart = await heard(false)
  expect(merged).toEqual(apart)
  expect(merged.length).toBeGreaterThan(1)
})
