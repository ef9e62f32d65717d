// What contracts in pending traces are called for: their calls are bounded for the reader and for who sent the messages.

import { expect, onTestFinished, test, vi } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import { MOST_GAS, RunSettings } from '../../../../server/contracts/index.ts'
import { PendingActions } from '../../../../server/methods/pending/pendingActions.ts'
import { PendingMessages } from '../../../../server/methods/pending/pendingMessages.ts'
import { PendingTraces } from '../../../../server/methods/pending/pendingTraces.ts'
import { factRows } from '../../../../server/store/index.ts'
import { createTvmPool, TvmBusy, type TvmRuns } from '../../../../server/tvm/index.ts'
import { freshDatabase } from '../../../setup/database.ts'
import { prepare } from '../../devchain/traffic.ts'
import { coins, transfer } from '../../devchain/wallets.ts'
import { index, openNode, upToDate } from '../../indexer/indexScene.ts'

/** An item without a table of methods: each leaves `0 7 addr_none addr_none`, and an empty cell. */
const itemCode = beginCell().storeBytes(Buffer.from('DD70778B028B02C8C9', 'hex')).end()

type GetMethod = TvmRuns['runGetMethod']

/** Wallets that deploy an item each, of these callers; `intercept` stands before the get-methods of one. */
async function pendingItems(
  callers: readonly string[],
  {
    intercept,
    contractsMs = 600_000,
  }: { intercept: (caller: string, run: GetMethod) => GetMethod; contractsMs?: number },
) {
  const { chain, node } = await openNode()
  const store = await freshDatabase('pglite')
  onTestFinished(() => store[Symbol.asyncDispose]())
  const indexer = index({ node, database: store })
  const { wallets } = await prepare(chain, callers.length)
  await upToDate(indexer, chain)
  const threads = await createTvmPool({ workers: 1 })
  onTestFinished(() => threads.close())
  const share = (caller: string): TvmRuns => {
    const runs = threads.share(caller)
    const runGetMethod = intercept(caller, runs.runGetMethod.bind(runs))
    return { runGetMethod, emulate: runs.emulate.bind(runs) }
  }
  const mempool = new PendingMessages()
  const needs = { chain: node, pool: { share }, settings: new RunSettings(node), store: store.read, mempool }
  const traces = new PendingTraces({ ...needs, emulationMs: 600_000 })
  for (const [i, wallet] of wallets.entries()) {
    const data = beginCell().storeUint(i, 64).end()
    const id = beginCell().storeUint(0b00110, 5).storeRef(itemCode).storeRef(data).end().hashBytes()
    const item = { to: { workchain: 0, id }, value: coins(1), init: { code: itemCode, data } }
    mempool.add(transfer(wallet, item), callers[i] ?? '')
  }
  const all = await traces.all()
  const actions = new PendingActions(factRows(store.read), contractsMs)
  return {
    /** Types of the actions, by trace. */
    types: async (): Promise<string[]> =>
      (await actions.ofAll(all, '')).map(([, made]) => made.map(({ row }) => row.type).join()),
    /** Resolves when the last trace is read, which `types` has begun to read. */
    last: () => Promise.all(all.slice(-1).map((trace) => actions.of(trace))),
  }
}

const MINT = expect.stringContaining('nft_mint')
const NO_MINT = expect.not.stringContaining('nft_mint')

test('what was found while the TVM was busy is not the answer of those who come later', async () => {
  let isBusy = true
  const { types } = await pendingItems(['one'], {
    intercept:
      (_, run) =>
      (...call) =>
        isBusy ? Promise.reject(new TvmBusy(1, 'all')) : run(...call),
  })
  expect(await types()).toEqual([NO_MINT])
  isBusy = false
  expect(await types()).toEqual([MINT])
})

test('the contracts that one caller deploys have the gas of one answer together, and those of others their own', async () => {
  const runs = { slow: 0 }
  const { types } = await pendingItems([...Array.from({ length: 12 }, () => 'slow'), 'other'], {
    intercept:
      (caller, run) =>
      async (...call) => {
        if (caller !== 'slow') return await run(...call)
        runs.slow++
        return { ...(await run(...call)), exitCode: -14, gasUsed: BigInt(MOST_GAS / 5) }
      },
  })
  expect((await types()).at(-1)).toEqual(MINT)
  expect(runs.slow).toBe(6)
  // That is so until the next block.
  await types()
  expect(runs.slow).toBe(6)
})

test('contracts that never end hold up no reader, and hide nothing of others', async () => {
  const { types, last } = await pendingItems(['slow', 'slow', 'slower', 'other'], {
    intercept:
      (caller, run) =>
      (...call) => {
        const signal = call[2]?.signal
        if (caller === 'other') return run(...call)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    contractsMs: 3000,
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const found = types()
  await last()
  vi.advanceTimersByTime(3000)
  expect(await found).toEqual([NO_MINT, NO_MINT, NO_MINT, MINT])
})
