// Messages that are executed before their turn, in threads: the chain is the one it is without.

import { afterEach, expect, test, vi } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { createTvmPool, type TvmRuns, TvmTimeout } from '../../../server/tvm/index.ts'
import { TvmPool } from '../../../server/tvm/tvmPool.ts'
import { Crowd, endow } from '../../setup/load.ts'
import { hex, openChain, seedOf, stillClock } from './devchains.ts'

/** Full blocks, with messages left for the next one; a busy machine must not end them early. */
const limits = { maxTransactions: 30, maxMs: Number.POSITIVE_INFINITY }

afterEach(() => {
  vi.restoreAllMocks()
})

/** Names of all blocks. */
async function blocksWith(threads: number, trials: TvmRuns): Promise<string[]> {
  const ahead = { threads, transactions: 1, withinMs: Number.POSITIVE_INFINITY }
  const clock = stillClock()
  const { chain, warnings } = await openChain({
    seed: seedOf(3),
    now: clock.now,
    mining: 'manual',
    limits,
    ahead,
    trials,
  })
  const crowd = new Crowd(chain.globalId, { transactions: 0, seed: 5, wallets: 12 })
  const endowed = endow(chain.control, crowd)
  await chain.control.mine(1)
  await endowed
  const settle = async () => {
    do await chain.control.mine(1)
    while ((chain.head().shard?.transactions ?? 0) > 0)
  }
  for (const message of crowd.beginnings()) {
    await chain.send(message)
    await chain.control.mine(1)
  }
  await settle()
  await vi.waitFor(() => expect(chain.threads()).toBe(threads), { timeout: 300_000, interval: 20 })
  await Promise.all(crowd.round().map((message) => chain.send(message)))
  await settle()
  expect(warnings).toEqual([])
  const names: string[] = []
  for (let seqno = chain.head().master.id.seqno; seqno > 0; seqno--) {
    const { id } = chain.reader.bySeqno(-1, seqno) ?? {}
    names.push(`${seqno} ${hex(id?.rootHash)} ${hex(id?.fileHash)}`)
  }
  return names
}

/** Threads for what is sent, with the calls they have before any are watched. */
async function tryingOut(): Promise<TvmRuns & AsyncDisposable> {
  const pool = await createTvmPool({ workers: 1 })
  const emulate = pool.emulate.bind(pool)
  const runGetMethod = pool.runGetMethod.bind(pool)
  return { emulate, runGetMethod, [Symbol.asyncDispose]: () => pool.close() }
}

test('behavior: blocks are the same with threads, without, and when all that threads do fails', async () => {
  await using own = await tryingOut()
  const emulate = vi.spyOn(TvmPool.prototype, 'emulate')
  const plain = await blocksWith(0, own)
  expect(emulate).not.toHaveBeenCalled()
  expect(await blocksWith(1, own)).toEqual(plain)
  const { length } = emulate.mock.calls
  expect(length).toBeGreaterThan(30)
  emulate.mockRejectedValue(new TvmTimeout(1))
  expect(await blocksWith(1, own)).toEqual(plain)
  expect(emulate.mock.calls.length).toBeGreaterThan(length)
})

/** A list of a thousand full cells, in a tree. */
function largeBody(): Cell {
  let level = Array.from({ length: 1024 }, (_, i) =>
    beginCell()
      .storeBytes(Buffer.alloc(120, `${i} `))
      .end(),
  )
  while (level.length > 1)
    level = Array.from({ length: level.length / 4 }, (_, i) => {
      const builder = beginCell()
      for (const cell of level.slice(4 * i, 4 * i + 4)) builder.storeRef(cell)
      return builder.end()
    })
  return level[0] ?? beginCell().end()
}

test('behavior: a message so large that it takes long is executed in a thread started for it, and the block is the same', async () => {
  const emulate = vi.spyOn(TvmPool.prototype, 'emulate')
  const blockWith = async (threads: number) => {
    const { chain, warnings } = await openChain({
      seed: seedOf(3),
      now: stillClock().now,
      mining: 'manual',
      ahead: { threads },
    })
    const [from, to] = [1, 2].map((one) => ({ workchain: 0, id: Buffer.alloc(32, one) }))
    if (from === undefined || to === undefined) throw new Error('two accounts')
    await chain.control.sendInternal({ from, to, value: 10n ** 9n, body: largeBody(), bounce: false })
    await chain.control.mine(1)
    const { master, shard } = chain.head()
    expect([shard?.transactions, warnings]).toEqual([1, []])
    return hex(master.id.fileHash)
  }
  const plain = await blockWith(0)
  expect(emulate).not.toHaveBeenCalled()
  expect(await blockWith(1)).toBe(plain)
  expect(emulate).toHaveBeenCalledTimes(1)
  emulate.mockRejectedValue(new TvmTimeout(1))
  expect(await blockWith(1)).toBe(plain)
  expect(emulate).toHaveBeenCalledTimes(2)
})

test('behavior: after a run that held the event loop, the next ones are executed in a thread, and the blocks are the same', async () => {
  const emulate = vi.spyOn(TvmPool.prototype, 'emulate')
  const blocksAfter = async (longMs: number, longGas: number) => {
    const ahead = { threads: 1, longMs, longGas, heavyMs: longMs, carefulMs: Number.POSITIVE_INFINITY }
    const { chain, warnings } = await openChain({ seed: seedOf(3), now: stillClock().now, mining: 'manual', ahead })
    const [from, to] = [1, 2].map((one) => ({ workchain: 0, id: Buffer.alloc(32, one) }))
    if (from === undefined || to === undefined) throw new Error('two accounts')
    const names: string[] = []
    for (let value = 1n; value <= 3n; value++) {
      await chain.control.sendInternal({ from, to, value: value * 10n ** 9n, body: beginCell().end(), bounce: false })
      await chain.control.mine(1)
      names.push(hex(chain.head().master.id.fileHash))
    }
    expect(warnings).toEqual([])
    return names
  }
  const plain = await blocksAfter(Number.POSITIVE_INFINITY, 0)
  // However long it took, one with little gas did not take that time itself.
  expect(await blocksAfter(0, Number.POSITIVE_INFINITY)).toEqual(plain)
  expect(emulate).not.toHaveBeenCalled()
  expect(await blocksAfter(0, 0)).toEqual(plain)
  expect(emulate).toHaveBeenCalled()
})
