// The archive read by a process that does not own the chain: the same answers as the owner's, or none.

import { open, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ArchivedChain, type Devchain, openArchivedChain } from '../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../server/devchain/lite/index.ts'
import { transactionTextFormat } from '../../../server/methods/index.ts'
import { writeTransaction } from '../../../server/methods/view/transaction.ts'
import { type BlockIdExt, type Chain, type HistoryNews, NOT_HERE } from '../../../server/node/index.ts'
import { hex, openChain, seedOf, stillClock, temporaryFolder } from './devchains.ts'
import { play, prepare } from './traffic.ts'

const limits = { timeout: 300_000 }
const SHARD = 1n << 63n

const bytesText = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? hex(value) : typeof value === 'bigint' ? `${value}` : value

/** As it comes out of a pipe between two processes. */
const sent = (news: HistoryNews): HistoryNews => deserialize(serialize(news)) as HistoryNews

async function opened() {
  const folder = await temporaryFolder()
  const { chain } = await openChain({
    folder,
    seed: seedOf(5),
    now: stillClock().now,
    texts: transactionTextFormat,
    sync: 'interval' as const,
  })
  const scene = await prepare(chain, 4)
  await play(chain, scene, { count: 6, seed: 1 })
  return { folder, chain, scene }
}

function feedOf({ feed }: Devchain) {
  if (feed === null) throw new Error('nothing is archived')
  return feed
}

/** A second reader of the chain, which gets all news. */
async function follower(folder: string, chain: Devchain): Promise<ArchivedChain> {
  const other = await openArchivedChain(folder)
  const feed = feedOf(chain)
  const stop = feed.onNews((news) => void other.take(sent(news)))
  while (other.take(sent(feed.after(other.length))));
  onTestFinished(async () => {
    stop()
    await other.close()
  })
  return other
}

type Said = { readonly ok: string } | { readonly refused: unknown }

async function said(read: Promise<unknown>): Promise<Said> {
  try {
    return { ok: JSON.stringify(await read, bytesText) }
  } catch (error) {
    return { refused: error }
  }
}

const seqnosOf = async (chain: Chain): Promise<number[]> =>
  Array.from({ length: (await chain.head()).id.seqno }, (_, i) => i + 1)

/** All that is read of history, about one block. */
function* readsOf(chain: Chain, id: BlockIdExt): Generator<Promise<unknown>, undefined> {
  const { workchain, shard, seqno } = id
  yield chain.find({ workchain, shard, seqno }).then(({ id: found, info }) => [found, info])
  yield chain.idOf({ workchain, shard, seqno })
  yield chain.header(id).then(({ info }) => info)
  yield chain.listTransactions(id, { count: 256 })
  yield chain.listTransactions(id, { count: 2, reverse: true })
  yield chain
    .blockTransactions(id, { count: 256 })
    .then(({ transactions }) => transactions.map((one) => writeTransaction(workchain, one).json))
}

/** How many of the reads that the owner answers were answered; each answer is that of the owner, its refusals too. */
async function compared(chain: Devchain, { chain: other }: ArchivedChain): Promise<{ here: number; notHere: number }> {
  const own = createEmbeddedChain(chain)
  const count = { here: 0, notHere: 0 }
  const compare = async (asked: Promise<unknown>, expected: Promise<unknown>): Promise<void> => {
    const [answer, right] = await Promise.all([said(asked), said(expected)])
    const isRefused = 'refused' in answer && answer.refused === NOT_HERE
    if ('ok' in right) count[isRefused ? 'notHere' : 'here']++
    if (!isRefused) expect(answer).toEqual(right)
  }
  for (const workchain of [-1, 0])
    for (const seqno of await seqnosOf(own)) {
      const id = await own.idOf({ workchain, shard: SHARD, seqno }).catch(() => null)
      if (id === null) continue
      const right = readsOf(own, id)
      for (const asked of readsOf(other, id)) await compare(asked, right.next().value ?? Promise.resolve())
      for (const { account, lt, hash } of (await own.listTransactions(id, { count: 256 })).transactions) {
        const query = { account: { workchain, hash: account }, lt, hash, count: 16 }
        const shown = (from: Chain, wanted: typeof query) =>
          from.transactions(wanted).then((all) => all.map((one) => writeTransaction(workchain, one).json))
        await compare(shown(other, query), shown(own, query))
        for (const wrong of [{ hash: account }, { lt: lt + 1n }])
          await compare(shown(other, { ...query, ...wrong }), shown(own, { ...query, ...wrong }))
      }
    }
  return count
}

/** Waits until everything is read without the owner. */
async function allHere(chain: Devchain, other: ArchivedChain, hear = () => {}): Promise<void> {
  for (;;) {
    hear()
    const { here, notHere } = await compared(chain, other)
    expect(here + notHere).toBeGreaterThan(50)
    if (notHere === 0) return
    await pause(50)
  }
}

describe('another reader of the archive', () => {
  test('behavior: answers as the owner does, and refuses what is not archived or of the state', limits, async () => {
    const { folder, chain, scene } = await opened()
    const other = await follower(folder, chain)
    await allHere(chain, other)
    await play(chain, scene, { count: 4, seed: 2 })
    await allHere(chain, other)
    const { id } = await createEmbeddedChain(chain).head()
    const account = { workchain: 0, hash: seedOf(1) }
    const master = { workchain: -1, shard: SHARD }
    const reads: ((from: Chain) => Promise<unknown>)[] = [
      (from: Chain) => from.head(),
      (from: Chain) => from.block(id),
      (from: Chain) => from.state(id),
      (from: Chain) => from.account(id, account),
      (from: Chain) => from.shards(id),
      (from: Chain) => from.config(id, 'all'),
      (from: Chain) => from.queueSizes(id),
      (from: Chain) => from.send(seedOf(1)),
      (from: Chain) => from.proofs.signatures(id),
      (from) => from.find({ ...master, seqno: id.seqno + 1 }),
      (from) => from.header({ ...id, rootHash: id.fileHash }),
    ]
    for (const read of reads) await expect(read(other.chain)).rejects.toBe(NOT_HERE)
  })

  test(
    'behavior: what is undone is not read any more, nor what came after it under the same numbers',
    limits,
    async () => {
      const { folder, chain, scene } = await opened()
      const other = await follower(folder, chain)
      const mark = await chain.control.snapshot()
      await play(chain, scene, { count: 6, seed: 3 })
      await allHere(chain, other)
      const own = createEmbeddedChain(chain)
      const undone = (await own.head()).id
      const [gone] = (await own.listTransactions(undone, { count: 1 })).transactions
      await chain.control.revert(mark)
      await expect(other.chain.header(undone)).rejects.toBe(NOT_HERE)
      await expect(other.chain.find({ workchain: -1, shard: SHARD, seqno: undone.seqno })).rejects.toBe(NOT_HERE)
      await play(chain, await prepare(chain, 4), { count: 9, seed: 4 })
      expect((await own.head()).id.seqno).toBeGreaterThanOrEqual(undone.seqno)
      await allHere(chain, other)
      await expect(other.chain.header(undone)).rejects.toBe(NOT_HERE)
      if (gone !== undefined) {
        const query = { account: { workchain: -1, hash: gone.account }, lt: gone.lt, hash: gone.hash, count: 1 }
        expect(await said(other.chain.transactions(query))).not.toHaveProperty('ok')
      }
    },
  )

  test(
    'behavior: one that missed something asks for it, and believes nothing that does not follow',
    limits,
    async () => {
      const { folder, chain, scene } = await opened()
      const feed = feedOf(chain)
      const other = await openArchivedChain(folder)
      onTestFinished(() => other.close())
      const told: HistoryNews[] = []
      onTestFinished(feed.onNews((news) => told.push(sent(news))))
      const hear = (): void => {
        for (const news of told.splice(0)) other.take(news)
      }
      const ask = (): void => {
        while (other.take(sent(feed.after(other.length))));
      }
      // The reader was opened late: the earlier steps were never sent to it.
      await play(chain, scene, { count: 2, seed: 5 })
      for (const news of told.splice(0)) expect(other.take(news)).toBe(true)
      expect(other.length).toBe(0)
      ask()
      await allHere(chain, other, hear)
      // The news of the revert is lost.
      const mark = await chain.control.snapshot()
      await play(chain, scene, { count: 3, seed: 6 })
      hear()
      await chain.control.revert(mark)
      await play(chain, await prepare(chain, 4), { count: 5, seed: 7 })
      const after = told.splice(0).filter(({ from }) => from > other.length)
      expect(after[0]).toBeDefined()
      expect(after.some((news) => other.take(news))).toBe(true)
      expect(other.length).toBe(0)
      ask()
      await allHere(chain, other, hear)
    },
  )

  test('behavior: a step that was archived while earlier ones were told is read here', limits, async () => {
    const { folder, chain } = await opened()
    await allHere(chain, await follower(folder, chain))
    const all = sent(feedOf(chain).after(0))
    const { length, steps } = all
    const other = await openArchivedChain(folder)
    onTestFinished(() => other.close())
    expect(other.take({ ...all, places: [], steps: steps.subarray(0, (steps.length / length) * (length - 2)) })).toBe(
      true,
    )
    const newest = sent(feedOf(chain).after(length))
    expect(other.take({ ...newest, places: all.places })).toBe(true)
    expect(other.take(sent(feedOf(chain).after(other.length)))).toBe(false)
    expect(await compared(chain, other)).toMatchObject({ notHere: 0 })
  })

  test('behavior: a file that is damaged or cut short is not believed', limits, async () => {
    const { folder, chain } = await opened()
    const before = await follower(folder, chain)
    await allHere(chain, before)
    const path = join(folder, 'transactions.data')
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    for (let at = 3; at < size; at += 499) await file.write(Buffer.from([at]), 0, 1, at)
    await file.close()
    const { here, notHere } = await compared(chain, await follower(folder, chain))
    expect(notHere).toBeGreaterThan(here)
    await truncate(path, size >> 1)
    await compared(chain, await follower(folder, chain))
  })
})
