// Pending traces while messages come and blocks are made: computed for all callers together, never for each anew.

import { expect, onTestFinished, test, vi } from 'vitest'
import { RunSettings } from '../../../../server/contracts/index.ts'
import { PendingMessages } from '../../../../server/methods/pending/pendingMessages.ts'
import { PendingTraces } from '../../../../server/methods/pending/pendingTraces.ts'
import { sql } from '../../../../server/store/index.ts'
import { createTvmPool, type TvmRuns } from '../../../../server/tvm/index.ts'
import { freshDatabase } from '../../../setup/database.ts'
import { play, prepare } from '../../devchain/traffic.ts'
import { coins, transfer } from '../../devchain/wallets.ts'
import { index, openNode, upToDate } from '../../indexer/indexScene.ts'

const WALLETS = 8
/** A busy machine takes long to start the thread, and to read a chain. */
const LONG_MS = 600_000

const gaveUp = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

async function openScene(options: Parameters<typeof openNode>[0] = {}) {
  const { chain, node } = await openNode(options)
  const store = await freshDatabase('pglite')
  onTestFinished(() => store[Symbol.asyncDispose]())
  const indexer = index({ node, database: store })
  const scene = await prepare(chain, WALLETS + 1)
  if (options.mining === 'manual') await chain.control.mine(1)
  await upToDate(indexer, chain)
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  /** One run emulates one message after the other: as many as are emulated at once are as many runs. */
  const emulating = { now: 0, most: 0, all: 0, last: Number.POSITIVE_INFINITY }
  const share = (subject: string): TvmRuns => {
    const runs = pool.share(subject)
    return {
      runGetMethod: runs.runGetMethod.bind(runs),
      async emulate(...run) {
        // Those after the last do not end before they are given up.
        if (emulating.all++ >= emulating.last) await gaveUp(run[3]?.signal)
        emulating.most = Math.max(emulating.most, ++emulating.now)
        return await runs.emulate(...run).finally(() => emulating.now--)
      },
    }
  }
  const mempool = new PendingMessages({ lifetimeMs: LONG_MS })
  const settings = new RunSettings(node)
  const tracesWithin = (emulationMs: number | undefined): PendingTraces =>
    new PendingTraces({ chain: node, pool: { share }, settings, store: store.read, mempool, emulationMs })
  const traces = tracesWithin(LONG_MS)
  /** Sent, as far as this process knows, and in no block. */
  const add = (number: number): void => {
    const wallet = scene.wallets[number]
    const to = scene.wallets[number + 1]
    if (wallet === undefined || to === undefined) throw new Error('no such wallet')
    mempool.add(transfer(wallet, { to: to.address, value: 1_000_000n }))
  }
  return { chain, indexer, store, scene, traces, tracesWithin, mempool, emulating, add }
}

test('readers of messages that keep coming share what is computed, and each finds those that came before it', async () => {
  const { traces, emulating, add } = await openScene()
  const answers = []
  for (let number = 0; number < WALLETS; number++) {
    add(number)
    answers.push(traces.all(), traces.all())
    // Each is on its way before the next comes.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const found = await Promise.all(answers)
  for (const [i, one] of found.entries()) expect(one.length).toBeGreaterThanOrEqual(Math.floor(i / 2) + 1)
  expect(emulating.most).toBe(1)
  const { all } = emulating
  expect(await traces.all()).toHaveLength(WALLETS)
  expect(emulating.all).toBe(all)
})

test('while blocks are made the answer is as of the newest one when it was requested', async () => {
  const { chain, indexer, scene, traces, emulating, add } = await openScene()
  add(0)
  const answers: [number, ReturnType<PendingTraces['all']>][] = []
  for (let seed = 1; seed <= 5; seed++) {
    await play(chain, { ...scene, wallets: scene.wallets.slice(WALLETS) }, { count: 3, seed })
    await upToDate(indexer, chain)
    // What is on its way makes further blocks, which the index may not have yet.
    answers.push([indexer.indexed()?.seqno ?? 0, traces.all()])
  }
  for (const [seqno, answer] of answers) {
    const [trace] = await answer
    const emulated = trace?.nodes.filter((node) => node.emulated) ?? []
    expect(emulated).not.toHaveLength(0)
    for (const { found } of emulated) expect(found.row.mcSeqno).toBeGreaterThan(seqno)
  }
  expect(emulating.most).toBe(1)
})

test('a computation that fails is not the answer of those who came while it ran', async () => {
  const { traces, mempool, emulating, add } = await openScene()
  add(0)
  const { all } = mempool
  mempool.all = () => {
    mempool.all = all
    throw new Error('made up')
  }
  const first = traces.all()
  const failed = expect(first).rejects.toThrow('made up')
  add(1)
  const second = traces.all()
  await failed
  expect(await second).toHaveLength(2)
  expect(await traces.all()).toHaveLength(2)
  expect(emulating.most).toBe(1)
})

test('messages from outside are predicted before what earlier ones lead to, as a block has them', async () => {
  const { chain, indexer, store, scene, traces, mempool } = await openScene({ mining: 'manual' })
  const [rich, poor] = scene.wallets
  if (rich === undefined || poor === undefined) throw new Error('no such wallet')
  // The second can pay only with what the first has sent it, which comes too late.
  const sent = [
    transfer(rich, { to: poor.address, value: coins(500) }),
    transfer(poor, { to: rich.address, value: coins(1200) }),
  ]
  for (const boc of sent) mempool.add(boc)
  const predicted = (await traces.all()).map(({ nodes }) => nodes.length)
  for (const boc of sent) await chain.send(boc)
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  // Behind the clocks of the chain, of one transaction each.
  const mined = await store.read.query<{ readonly nodes: number }>(sql`select nodes from traces order by nodes`)
  expect(mined.slice(-2).map(({ nodes }) => nodes)).toEqual([1, 2])
  expect(predicted).toEqual([2, 1])
})

test('one message that is predicted too slowly keeps nobody else out of the answer', async () => {
  const { traces, tracesWithin, emulating, add } = await openScene()
  add(0)
  // The thread is started.
  await traces.all()
  add(1)
  // The first transaction of the first message, and no more.
  emulating.last = emulating.all + 1
  const [only, ...others] = await tracesWithin(10_000).all()
  expect(only?.nodes).toHaveLength(1)
  expect(others).toEqual([])
})

test('who comes during a run that takes all its time is answered within the time of a call', async () => {
  const { traces, tracesWithin, emulating, add } = await openScene()
  add(0)
  // The thread is started.
  await traces.all()
  const { all } = emulating
  const turnsUntil = async (isThere: () => boolean) => {
    while (!isThere()) await new Promise((resolve) => setImmediate(resolve))
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // One transaction of each run, and no more.
  emulating.last = all + 1
  const usual = tracesWithin(undefined)
  const first = usual.all()
  await turnsUntil(() => emulating.all === all + 2)
  add(1)
  const second = usual.all()
  emulating.last = all + 3
  vi.advanceTimersByTime(4_000)
  expect(await first).toHaveLength(1)
  await turnsUntil(() => emulating.all === all + 4)
  vi.advanceTimersByTime(4_000)
  expect(await second).toHaveLength(1)
})
