// Everything at once: traffic, time travel, edits, made-up messages, snapshots, reverts, blocks that are full. Whatever
// happened in whatever order, the whole chain must hold together.

import { expect, test } from 'vitest'
import { beginCell, openCell } from '../../../server/cell/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { loadAccount } from '../../../server/tlb/index.ts'
import { openChain, stillClock } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { prepare, random, type Scene, someTransfer } from './traffic.ts'
import { account, coins, transfer, type Wallet } from './wallets.ts'

/** What the wallet says of itself, for after messages that were refused and blocks that were undone. */
function seqnoOf(chain: Devchain, { address }: Wallet): number {
  const found = chain.reader.moment().shard.accounts.get(address.id)
  const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
  const data = state?.kind === 'active' ? state.init.data : null
  return data === null || data === undefined ? 0 : openCell(data).loadUint(32)
}

function burst(chain: Devchain, scene: Scene, next: () => number): Promise<unknown>[] {
  for (const wallet of scene.wallets) wallet.seqno = seqnoOf(chain, wallet)
  return Array.from({ length: 1 + Math.floor(next() * 10) }, () => {
    const wallet = scene.wallets[Math.floor(next() * scene.wallets.length)]
    if (wallet === undefined) return Promise.resolve()
    const transfers = Array.from({ length: 1 + Math.floor(next() * 4) }, () => someTransfer(scene, next))
    return chain.send(transfer(wallet, ...transfers))
  })
}

test.each([1, 2, 3])('behavior: a random life %i', async (seed) => {
  const next = random(seed * 7919)
  const clock = stillClock()
  const limits = { maxTransactions: 3 + Math.floor(next() * 40), maxMs: 60_000 }
  const { chain, warnings } = await openChain({ limits, now: clock.now, keptStates: 8 })
  const scene = await prepare(chain, 6)
  const marks: string[] = []
  const someone = () => account(Math.floor(next() * 250), next() < 0.5 ? 0 : -1)
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => chain.control.increaseTime(Math.floor(next() * 10_000_000)),
    () => chain.control.setAccount({ ...someone(), balance: coins(next() * 100) }),
    () =>
      chain.control.sendInternal({
        from: someone(),
        to: scene.throwers[next() < 0.5 ? 0 : 1] ?? account(1),
        value: coins(next()),
        bounce: next() < 0.5,
        body: beginCell().storeUint(1, 32).end(),
      }),
    async () => marks.push(await chain.control.snapshot()),
    async () => {
      const [name] = marks.splice(Math.floor(next() * marks.length))
      if (name !== undefined) await chain.control.revert(name)
    },
    () => chain.control.mine(1 + Math.floor(next() * 3)),
  ]
  for (let round = 0; round < 40; round++) {
    if (next() < 0.5) await Promise.all(burst(chain, scene, next))
    else await deeds[Math.floor(next() * deeds.length)]?.()
  }
  await chain.control.mine(2)
  expect(await checkChain(chain)).toBeGreaterThan(100)
  expect(warnings).toEqual([])
  const { shard, master } = chain.reader.moment()
  expect([shard.queue.queue.count(), master.queue.queue.count()]).toEqual([0, 0])
})
