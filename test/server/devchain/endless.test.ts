// A contract that sends itself messages for ever: callers get their answers, other traces their turn, and the chain a rest.

import { describe, expect, test } from 'vitest'
import { beginCell, CellUsage, openCell } from '../../../server/cell/index.ts'
import { createGifts } from '../../../server/demo/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { hasUndelivered } from '../../../server/devchain/mining/index.ts'
import { queueSizeOf } from '../../../server/devchain/state/index.ts'
import { loadAccount } from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { looping } from './traffic.ts'
import { account, bornWallet, coins, transfer, type Wallet } from './wallets.ts'

const LOOP = account(0x4c)

async function withLoop(): Promise<Devchain> {
  const { chain } = await openChain()
  await chain.control.setAccount({ ...LOOP, balance: coins(1), code: looping, data: beginCell().end() })
  return chain
}

const begin = (chain: Devchain) =>
  chain.control.sendInternal({ from: account(9), to: LOOP, value: coins(100_000), bounce: false })

const balanceOf = (chain: Devchain, id: Uint8Array) => chain.reader.moment().shard.accounts.get(id)

describe('a contract that never stops', () => {
  test('behavior: the call that started it answers with what is pending', async () => {
    const chain = await withLoop()
    const { txHash, traceId, pending } = await begin(chain)
    expect(txHash).not.toBeNull()
    expect(traceId).toEqual(txHash)
    expect(pending).toBeGreaterThan(0)
  })

  test('behavior: other calls answer when their own trace has ended', async () => {
    const chain = await withLoop()
    await begin(chain)
    const { pending, txHash, traceId } = await chain.control.faucet(account(5), coins(1))
    expect(pending).toBe(0)
    expect(txHash).not.toEqual(traceId)
    expect(balanceOf(chain, account(5).id)).toBeDefined()
    await chain.control.setAccount({ ...account(6), balance: coins(3) })
    expect(balanceOf(chain, account(6).id)).toBeDefined()
    await chain.send(transfer(bornWallet(0), { to: account(7), value: coins(1) }))
    expect(balanceOf(chain, account(7).id)).toBeDefined()
    const name = await chain.control.snapshot()
    await chain.control.increaseTime(5)
    await chain.control.revert(name)
    expect(chain.control.state().epoch).toBe(1)
  })

  test('behavior: after its first blocks it gets small ones, a pause before each', async () => {
    const chain = await withLoop()
    await begin(chain)
    const sizes: number[] = []
    await new Promise<void>((resolve) => {
      const stop = chain.onHead(({ shard }) => {
        sizes.push(shard?.transactions ?? 0)
        if (sizes.length < 14) return
        stop()
        resolve()
      })
    })
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes.slice(-2))).toBeLessThanOrEqual(101)
  })
})

test('behavior: a call knows its transaction, its trace, and that it has ended', async () => {
  const { chain } = await openChain()
  const one = await chain.control.faucet(account(3), coins(1))
  expect(one.pending).toBe(0)
  const found = balanceOf(chain, account(3).id)
  expect(one.txHash).toEqual(found?.lastTransHash)
  const there = await chain.control.faucet(account(3, -1), coins(1))
  expect([there.pending, there.txHash === null]).toEqual([0, false])
  const item = await createGifts(chain).nft(account(3))
  expect([item.pending, item.txHash === null, item.traceId === null]).toEqual([0, false, false])
})

test('behavior: where blocks are made by hand, a call answers at once and knows nothing yet', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  expect(await chain.control.faucet(account(3), coins(1))).toEqual({ txHash: null, traceId: null, pending: 1 })
  await chain.control.setAccount({ ...account(4), balance: 5n })
  await chain.control.mine()
  expect(balanceOf(chain, account(3).id)).toBeDefined()
  expect(balanceOf(chain, account(4).id)).toBeDefined()
})

/** NEWC, 0b010000, MYADDR, 2^30 nanotons, 107 zero bits, ENDC, twice 1, SENDRAWMSG: sends itself two messages for each. */
const doubling = beginCell()
  .storeBytes(new Uint8Array(Buffer.from('c8801001cb05f828cf16831dfa027001cb6ac92071fb0071fb00', 'hex')))
  .end()
const BACKLOG = 12
const LIMITS = { maxTransactions: 40, maxMs: 600_000 }

describe('a contract that sends itself more than it gets', () => {
  const seqnoOf = (chain: Devchain, { address }: Wallet): number => {
    const found = balanceOf(chain, address.id)
    const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
    const data = state?.kind === 'active' ? state.init.data : null
    return data ? openCell(data).loadUint(32) : 0
  }

  test('behavior: external messages are in the next blocks all the same', async () => {
    const { chain } = await openChain({ mining: 'manual', limits: LIMITS })
    const { control } = chain
    const isDone = control.setAccount({ ...LOOP, balance: coins(1_000_000), code: doubling, data: beginCell().end() })
    await control.mine()
    await isDone
    await control.sendInternal({ from: account(9), to: LOOP, value: coins(10), bounce: false })
    for (let made = 0; made < BACKLOG; made++) await control.mine()
    const { shard } = chain.reader.moment()
    const waiting = queueSizeOf(shard)
    expect(waiting).toBeGreaterThan(4 * LIMITS.maxTransactions)

    const usage = new CellUsage()
    expect(usage.run(() => hasUndelivered(chain.reader.moment()))).toBe(true)
    expect(usage.visited.size).toBeLessThan(waiting / 2)

    const wallets = ([0, 1, 2] as const).map(bornWallet)
    for (const wallet of wallets) await chain.send(transfer(wallet, { to: account(7), value: coins(1) }))
    await control.mine()
    expect(wallets.map((wallet) => seqnoOf(chain, wallet))).toEqual([1, 1, 1])
    // The other half of the block went on with what waited.
    const { shard: head } = chain.head()
    expect(head?.transactions).toBeGreaterThan(LIMITS.maxTransactions / 2)
  })
})
