// The index is a moment behind the chain: control methods reply when it has what they have done, so that v3 shows it.

import { expect, test, vi } from 'vitest'
import { createGifts } from '../../../server/demo/gifts.ts'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import { IndexHeads } from '../../../server/indexer/indexHead.ts'
import type { Call } from '../../../server/methods/call.ts'
import { devHandlers } from '../../../server/methods/dev/dev.ts'
import { indexedSoon } from '../../../server/methods/dev/indexedSoon.ts'
import { parseAddress } from '../../../shared/address.ts'
import { openChain } from '../devchain/devchains.ts'

const addressOf = (digits: string) => parseAddress(`0:${digits.repeat(32)}`) ?? expect.unreachable()
const ALICE = addressOf('03')
const BOB = addressOf('04')

/** Control of a chain whose index moves when the test says so. */
async function opened(canRewind = false, soonMs = HOUR_MS) {
  const { chain } = await openChain({ mining: 'auto' })
  const { globalId, control, reader, player } = chain
  const send = (boc: Uint8Array) => chain.send(boc)
  const heads = new IndexHeads()
  const waiting = vi.spyOn(heads, 'waitFor')
  const fixed = {
    traits: { canRewind, firstSeqno: 1, messageLifetimeMs: 0, isPublic: false },
    idOf: canRewind ? createEmbeddedChain(chain).idOf : () => expect.unreachable(),
  }
  const dev = devHandlers({
    control,
    gifts: createGifts({ globalId, control, reader, player, send }),
    send,
    accounts: [],
    followed: async () => undefined,
    indexed: indexedSoon({ chain: fixed, index: heads, soonMs }),
  })
  const seqno = () => chain.head().master.id.seqno
  const index = () => heads.set({ seqno: seqno(), rootHash: chain.head().master.id.rootHash, utime: 1, at: 1 })
  const back = (to: ReturnType<typeof heads.indexed>) => heads.set(to)
  return { dev, seqno, index, indexed: () => heads.indexed(), back, waits: () => waiting.mock.calls.length }
}

const POLL_MS = 20
const HOUR_MS = 3_600_000
// The cast: these methods use nothing else of a call.
const callOf = (known: Partial<Call> = {}) => ({ signal: new AbortController().signal, ...known }) as Call

test('a control method that changes the chain replies when the index has its block', async () => {
  const { dev, seqno, index } = await opened()
  const steps = [
    () => dev['dev.faucet']({ address: ALICE, amount: 5_000_000_000n }, callOf()),
    () => dev['dev.sendInternal']({ from: ALICE, to: BOB, value: 1_000_000_000n, bounce: false }, callOf()),
    () => dev['dev.setAccount']({ address: BOB, balance: 7n }, callOf()),
    () => dev['dev.mine']({ blocks: 2 }, callOf()),
  ]
  for (const step of steps) {
    const before = seqno()
    const order: string[] = []
    const answer = Promise.resolve(step()).then((value) => {
      order.push('reply')
      return value
    })
    await expect.poll(seqno).toBeGreaterThan(before)
    order.push('index')
    const indexing = setInterval(index, POLL_MS)
    expect(await answer).toMatchObject({ seqno: seqno() })
    clearInterval(indexing)
    expect(order).toEqual(['index', 'reply'])
  }
})

test('an index that stands still holds its reply for a moment only', async () => {
  const { dev } = await opened()
  const call = callOf({ endsAt: performance.now() })
  expect(await dev['dev.faucet']({ address: ALICE, amount: 5n }, call)).toMatchObject({ pending: 0 })
})

test('an index that stands still holds one reply, and another one only after it has moved', async () => {
  const { dev, index, waits } = await opened(false, 1)
  const pay = () => dev['dev.faucet']({ address: ALICE, amount: 5n }, callOf())
  await pay()
  await pay()
  expect(waits()).toBe(1)
  index()
  await pay()
  expect(waits()).toBe(2)
})

test('an index that stood still once and has moved since is waited for also where it stood, as after a revert', async () => {
  const { dev, index, indexed, back, waits } = await opened(false, 200)
  const pay = () => dev['dev.faucet']({ address: ALICE, amount: 5n }, callOf())
  index()
  const there = indexed()
  await pay()
  index()
  const indexing = setInterval(index, POLL_MS)
  await pay()
  clearInterval(indexing)
  back(there)
  await pay()
  expect(waits()).toBe(3)
})

test('a block that is undone meanwhile holds its reply no longer', async () => {
  const { dev, seqno } = await opened(true)
  const { id } = await dev['dev.snapshot']({}, callOf())
  const before = seqno()
  const answer = dev['dev.faucet']({ address: ALICE, amount: 5n }, callOf())
  await expect.poll(seqno).toBeGreaterThan(before)
  await dev['dev.revert']({ id }, callOf())
  await answer
  expect(seqno()).toBe(before)
})
