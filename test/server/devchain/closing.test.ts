// What callers get when the chain closes while they change it, and what a restart finds.

import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashFromBytes } from '../../../server/cell/index.ts'
import { GrowingChain } from '../../../server/devchain/chain/growingChain.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { depthBalanceOf } from '../../../server/tlb/index.ts'
import { openChain, temporaryFolder } from './devchains.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ name, message }: Error) => `${name}: ${message}`,
  )

test('behavior: a revert that has begun is done, also where changes waited at its snapshot', async () => {
  const folder = await temporaryFolder()
  const { chain } = await openChain({ folder, mining: 'manual' })
  await chain.control.setAccount({ ...account(1), balance: coins(5) })
  const { seqno } = chain.head().master.id
  const snapshot = await chain.control.snapshot()
  await chain.control.mine(2)
  const reverting = outcomeOf(chain.control.revert(snapshot))
  await Promise.resolve()
  await chain.close()
  expect(await reverting).toBe('done')
  const { chain: again } = await openChain({ folder, mining: 'manual' })
  expect(again.control.state()).toMatchObject({ epoch: 1, pending: 0, head: { master: { seqno } } })
  expect(again.control.snapshots()).toEqual([])
})

test('behavior: a sender gets to know whether its message is in a block, at whatever instant the chain closes', async () => {
  const outcomes = new Set<string>()
  for (const turns of [0, 1, 2, 6]) {
    const folder = await temporaryFolder()
    const { chain } = await openChain({ folder })
    const sent = outcomeOf(chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) })))
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    await chain.close()
    const { chain: again } = await openChain({ folder, mining: 'manual' })
    const found = again.reader.moment().shard.accounts.get(account(1).id)
    const balance = found === undefined ? 0n : depthBalanceOf(found.account).balance.grams
    const outcome = await sent
    expect([turns, balance === coins(1)]).toEqual([turns, outcome === 'done'])
    outcomes.add(outcome)
    await again.close()
  }
  expect(outcomes).toEqual(new Set(['done', 'MessageRefused: the chain is closing']))
})

test('error: a change that waits for its block is refused when the chain closes first', async () => {
  const { chain } = await openChain()
  const send = { from: account(1), to: account(2), value: coins(1), bounce: false }
  const changes = [chain.control.setAccount({ ...account(1), balance: coins(5) }), chain.control.sendInternal(send)]
  const outcomes: string[] = []
  for (const change of changes) void outcomeOf(change).then((outcome) => outcomes.push(outcome))
  await chain.close()
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(outcomes).toEqual(changes.map(() => 'ChangeDropped: Not done: the chain is closing'))
})

test('error: what comes later is dropped, and nothing waits for ever', async () => {
  const { chain } = await openChain({ folder: await temporaryFolder(), mining: 'manual' })
  const snapshot = await chain.control.snapshot()
  await chain.close()
  const { control } = chain
  const late: readonly Promise<unknown>[] = [
    control.mine(),
    control.snapshot(),
    control.revert(snapshot),
    control.increaseTime(5),
    control.resetTime(),
    control.setAccount({ ...account(1), balance: 1n }),
    control.sendInternal({ from: account(1), to: account(2), value: 1n }),
    control.faucet(account(1), 1n),
  ]
  for (const one of late) expect(await outcomeOf(one)).toBe('ChangeDropped: Not done: the chain is closing')
  const { chain: auto } = await openChain()
  await auto.close()
  const sent = auto.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
  expect(await outcomeOf(sent)).toBe('MessageRefused: the chain is closing')
})

const ENDS: readonly [string, (chain: Devchain, snapshot: string) => Promise<void>][] = [
  ['the chain is closed', (chain) => chain.close()],
  ['the chain is reverted', (chain, snapshot) => chain.control.revert(snapshot)],
]

test.each(ENDS)('behavior: a call that waits for what its message leads to ends when %s', async (_, end) => {
  const { chain } = await openChain()
  const snapshot = await chain.control.snapshot()
  const since = chain.head().master.id.seqno
  let outcome: unknown = null
  // A message that no block has.
  const root = hashFromBytes(Buffer.alloc(32, 7))
  void chain.control.follow({ root, since, target: account(1) }).then((found) => {
    outcome = found
  })
  await nextTurn()
  await end(chain, snapshot)
  for (let turn = 0; turn < 10 && outcome === null; turn++) await nextTurn()
  expect(outcome).toEqual({ txHash: null, traceId: null, pending: 1 })
})

test('behavior: a call that has followed its trace through some blocks listens to nothing any more', async () => {
  const { onHead } = GrowingChain.prototype
  let listening = 0
  const chains = new Set<GrowingChain>()
  vi.spyOn(GrowingChain.prototype, 'onHead').mockImplementation(function (this: GrowingChain, listener) {
    listening++
    chains.add(this)
    const forget = onHead.call(this, listener)
    return () => {
      listening--
      forget()
    }
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const { chain } = await openChain()
  const snapshot = await chain.control.snapshot()
  const since = chain.head().master.id.seqno
  const followed = chain.control.follow({ root: hashFromBytes(Buffer.alloc(32, 7)), since, target: account(1) })
  for (let blocks = 0; blocks < 3; blocks++) await chain.control.mine()
  expect([listening, chains.size]).toEqual([1, 1])
  await chain.control.revert(snapshot)
  await followed
  expect([listening, ...[...chains].flatMap(({ closing }) => getEventListeners(closing, 'abort'))]).toEqual([0])
})
