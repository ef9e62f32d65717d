// The chain cannot be made wrong: every transaction it ever made, in whatever circumstances, is the one that follows from the
// chain alone.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell } from '../../../server/cell/index.ts'
import { createCast, demoStory, messageOf } from '../../../server/demo/index.ts'
import { EXTRA_CURRENCY } from '../../../server/devchain/accounts/index.ts'
import { type AccountPatch, type Devchain, dataAt } from '../../../server/devchain/index.ts'
import { loadAccount } from '../../../server/tlb/index.ts'
import { openChain, seedOf, stillClock, temporaryFolder } from './devchains.ts'
import { Replay } from './replay.ts'
import { accepting, prepare, random, type Scene, someTransfer, throwing } from './traffic.ts'
import { account, coins, transfer, type Wallet } from './wallets.ts'

test('behavior: the demo', async () => {
  const { chain } = await openChain({ story: demoStory, mining: 'manual', now: stillClock().now, keptStates: 4096 })
  expect(await chain.player.play()).toBe(true)
  const replay = new Replay()
  await replay.upTo(chain)
  expect(replay.differences).toEqual([])
  expect(replay.transactions).toBeGreaterThan(500)
})

const OPERATIONS = 500
const cast = createCast(-3)

interface Life {
  readonly chain: Devchain
  readonly scene: Scene
  readonly next: () => number
  readonly replay: Replay
}

/** What the wallet says of itself, for after messages that were refused and blocks that were undone. */
function seqnoOf(chain: Devchain, { address }: Wallet): number {
  const found = chain.reader.moment().shard.accounts.get(address.id)
  const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
  const data = state?.kind === 'active' ? state.init.data : null
  return data ? openCell(data).loadUint(32) : 0
}

const pick = <T>(list: readonly T[], next: () => number): T => {
  const found = list[Math.floor(next() * list.length)]
  if (found === undefined) throw new Error('an empty list')
  return found
}

async function patch({ chain, replay }: Life, change: AccountPatch): Promise<void> {
  replay.patched(change)
  await chain.control.setAccount(change)
}

const aFewAccounts = (next: () => number) => account(0x40 + Math.floor(next() * 12), next() < 0.7 ? 0 : -1)

/** Cells of four references each whose storage costs more than an account may owe within a year and a half; never deep. */
function expensive(number: number, depth = 4): Cell {
  const builder = beginCell().storeUint(number, 64)
  for (let i = 1; depth > 0 && i <= 4; i++) builder.storeRef(expensive(4 * number + i, depth - 1))
  return builder.end()
}

/** A contract that owes so much for storage that a message freezes it, and later ones find it frozen or gone. */
async function freeze(life: Life): Promise<void> {
  const { chain, next } = life
  const name = account(0x60 + Math.floor(next() * 4))
  const data = expensive(Math.floor(next() * 1e9))
  await patch(life, { ...name, balance: coins(0.001), code: accepting, data })
  await touch(chain, name, coins(0.0001))
  await chain.control.increaseTime(40_000_000 + Math.floor(next() * 20_000_000))
  for (let i = 0; i < 3; i++) await touch(chain, name, coins(i === 2 ? 1 : 0.0001))
}

const touch = (chain: Devchain, to: ReturnType<typeof account>, value: bigint, body?: Cell): Promise<unknown> =>
  chain.control.sendInternal({ from: account(0x66), to, value, bounce: false, ...(body === undefined ? {} : { body }) })

/** Extra currencies from the wallet that owns them, to accounts that are there, and back from one that is not. */
async function sendCurrency({ chain, next }: Life): Promise<void> {
  const owner = cast.wallet(7)
  const { id, workchain } = next() < 0.5 ? account(0x77) : aFewAccounts(next)
  const currencies = new Map([[EXTRA_CURRENCY, BigInt(1 + Math.floor(next() * 1000))]])
  const sends = [{ to: { workchain, hash: id }, value: coins(0.05), currencies, bounce: next() < 0.5 }]
  // The clock may have been moved since the newest block, and such a message is good for a while only.
  await chain.control.mine()
  const moment = chain.reader.moment()
  const utime = Math.max(moment.shard.utime, moment.master.utime)
  await chain.send(messageOf({ by: owner, sends }, { data: dataAt(moment, owner.address), utime }))
}

async function sends({ chain, scene, next }: Life): Promise<void> {
  for (const wallet of scene.wallets) wallet.seqno = seqnoOf(chain, wallet)
  const messages = Array.from({ length: 1 + Math.floor(next() * 2) }, () => {
    const transfers = Array.from({ length: 1 + Math.floor(next() * 2) }, () => someTransfer(scene, next))
    return transfer(pick(scene.wallets, next), ...transfers)
  })
  await Promise.allSettled(messages.map((boc) => chain.send(boc)))
}

const operations: readonly (readonly [weight: number, (life: Life) => Promise<unknown>])[] = [
  [10, sends],
  [3, ({ chain, next }) => touch(chain, aFewAccounts(next), coins(next()))],
  [
    4,
    ({ chain, next }) =>
      chain.control.sendInternal({
        from: next() < 0.3 ? account(0x77) : aFewAccounts(next),
        to: next() < 0.5 ? account(0x77, next() < 0.5 ? 0 : -1) : aFewAccounts(next),
        value: coins(next() * 0.2),
        bounce: next() < 0.7,
        body: beginCell()
          .storeUint(Math.floor(next() * 1e9), 32)
          .end(),
      }),
  ],
  [2, (life) => patch(life, { ...aFewAccounts(life.next), balance: coins(life.next() * 10) })],
  [
    1,
    (life) =>
      patch(life, {
        ...aFewAccounts(life.next),
        code: life.next() < 0.5 ? throwing : accepting,
        data: beginCell().storeUint(1, 8).end(),
      }),
  ],
  [1, freeze],
  [2, sendCurrency],
  [1, ({ chain, next }) => chain.control.increaseTime(Math.floor(next() * 1_000_000))],
  [1, ({ chain, next }) => chain.control.mine(1 + Math.floor(next() * 2))],
]
const lots = operations.flatMap(([weight, operation]) => Array.from({ length: weight }, () => operation))

test('behavior: 500 random operations, with reverts and restarts', { timeout: 1_200_000 }, async () => {
  const next = random(4711)
  const clock = stillClock()
  const folder = await temporaryFolder()
  const open = async () =>
    (await openChain({ folder, seed: seedOf(9), now: clock.now, keptStates: 4096, sync: 'interval' })).chain
  const replay = new Replay()
  let chain = await open()
  const scene = await prepare(chain, 6, (change) => replay.patched(change))
  let mark: string | null = null
  let reverts = 0
  let restarts = 0
  for (let done = 0; done < OPERATIONS; done++) {
    clock.move(Math.floor(next() * 3))
    await pick(lots, next)({ chain, scene, next, replay })
    if (done % 40 === 10) mark = await chain.control.snapshot()
    if (done % 40 === 30 && mark !== null) {
      await replay.upTo(chain)
      await chain.control.revert(mark)
      replay.reverted(chain)
      reverts++
    }
    if (done % 100 === 75) {
      await replay.upTo(chain)
      await chain.close()
      chain = await open()
      restarts++
    }
  }
  await replay.upTo(chain)
  expect(replay.differences).toEqual([])
  expect(replay.transactions).toBeGreaterThan(1500)
  expect([reverts, restarts]).toEqual([12, 5])
  const statuses = [...replay.statuses].flatMap((one) => one.split(' to '))
  expect(new Set(statuses)).toEqual(new Set(['active', 'frozen', 'nonexist', 'uninit']))
})
