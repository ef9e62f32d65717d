// When a chain rests, and what ends its rest. Its timers fire only where a test lets them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import type { AccountName, Devchain, DevchainOptions } from '../../../server/devchain/index.ts'
import { hasUndelivered } from '../../../server/devchain/mining/index.ts'
import { openChain } from './devchains.ts'
import { looping } from './traffic.ts'
import { account, bornWallet, coins, transfer, type Wallet } from './wallets.ts'

const LOOP = account(0x4c)
const IDLE_MS = 5_000
const PAUSE_MS = 1_000

async function stillChain(options: DevchainOptions = {}, workchain = 0): Promise<Devchain> {
  const { chain } = await openChain({ ...options, mining: 'manual' })
  const loop = { workchain, id: LOOP.id }
  const done = chain.control.setAccount({ ...loop, balance: coins(1), code: looping, data: beginCell().end() })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await chain.control.mine()
  await done
  chain.control.setMining('auto')
  // It looks for work first.
  await nextTurn()
  return chain
}

const nextHead = (chain: Devchain): Promise<void> =>
  new Promise((resolve) => {
    const stop = chain.onHead(() => {
      stop()
      resolve()
    })
  })

/** Few, so that the blocks before a rest are soon made. */
const LIMITS = { maxTransactions: 4, maxMs: 600_000 }

const seqnoOf = (chain: Devchain): number => chain.head().master.id.seqno

const send = (chain: Devchain, wallet: Wallet, to: AccountName, value = coins(1)) =>
  chain.send(transfer(wallet, { to, value, bounce: false }))

/** Resolves when so many timers are set. */
async function timers(count: number): Promise<void> {
  while (vi.getTimerCount() !== count) await nextTurn()
}

/** Of an idle chain: that of its next empty block. */
const IDLE = 1
/** And the one that ends its rest. */
const RESTING = 2

describe('a chain with a contract that never stops', () => {
  async function restingChain(): Promise<Devchain> {
    const chain = await stillChain({ limits: LIMITS })
    await timers(IDLE)
    await send(chain, bornWallet(0), LOOP, coins(1000))
    await timers(RESTING)
    return chain
  }

  test('behavior: a message ends its rest, gets a block of the usual size, and four more for what it leads to', async () => {
    const chain = await restingChain()
    const rested = seqnoOf(chain)
    const sizes: number[] = []
    chain.onHead(({ shard }) => sizes.push(shard?.transactions ?? 0))
    await send(chain, bornWallet(1), account(7))
    expect(sizes[0]).toBe(LIMITS.maxTransactions)
    await timers(RESTING)
    expect(seqnoOf(chain)).toBe(rested + 5)
  })

  test('behavior: a message that comes while a block is made is in the next one, without a rest', async () => {
    const chain = await restingChain()
    const sent = new Promise((resolve) => {
      const stop = chain.onHead(() => {
        stop()
        resolve(send(chain, bornWallet(1), account(7)))
      })
    })
    const rested = seqnoOf(chain)
    vi.advanceTimersByTime(PAUSE_MS)
    await sent
    expect(seqnoOf(chain)).toBe(rested + 2)
  })

  test('behavior: closed while it rests, it leaves no timer', async () => {
    const chain = await restingChain()
    await chain.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test.each([
  // Nearly all the transactions of a masterchain block are those of special accounts.
  { workchain: 0, value: coins(0.0045), maxTransactions: 1 },
  { workchain: -1, value: coins(0.23), maxTransactions: 4 },
])('behavior: each of two long traces goes on without a rest: %o', async ({ workchain, value, maxTransactions }) => {
  const chain = await stillChain({ limits: { ...LIMITS, maxTransactions } }, workchain)
  await timers(IDLE)
  for (const wallet of [bornWallet(0), bornWallet(1)]) {
    const start = seqnoOf(chain)
    await send(chain, wallet, { workchain, id: LOOP.id }, value)
    while (hasUndelivered(chain.reader.moment())) await nextTurn()
    expect(seqnoOf(chain) - start).toBe(6)
  }
})

test('behavior: an empty block comes one idle time after the last block and not before, and none after the end', async () => {
  const chain = await stillChain({ idleBlockMs: IDLE_MS })
  const start = seqnoOf(chain)
  for (let blocks = 1; blocks <= 3; blocks++) {
    const made = nextHead(chain)
    vi.advanceTimersByTime(IDLE_MS)
    await made
    await timers(IDLE)
    vi.advanceTimersByTime(IDLE_MS - 1)
    await chain.control.mine()
    await nextTurn()
    expect(seqnoOf(chain)).toBe(start + 2 * blocks)
  }
  await chain.close()
  expect(vi.getTimerCount()).toBe(0)
})
