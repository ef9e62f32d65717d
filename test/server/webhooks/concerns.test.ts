// Many webhooks that wait for many names: what a block costs, and what it takes to wait again.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { keyOfAccount } from '../../../server/methods/index.ts'
import type { BlockRows, BlockRowsFeed } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { Concerns } from '../../../server/webhooks/concerns.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import type { WebhookFilter } from '../../../server/webhooks/webhookEvent.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { block, growingBlocks } from './growingBlocks.ts'

// The cast: nothing here has a subscription.
const notices = { waiting: () => ({ concernedBy: async () => new Set() }) } as unknown as BlockNotices
const NOTHING: WebhookFilter = { subscription: null, accounts: new Set(), opcodes: new Set(), newContracts: false }

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`
const hashOf = (i: number): Uint8Array => Buffer.from(i.toString(16).padStart(64, '0'), 'hex')

/** The casts: of a transaction only this is read. */
const deployed = (i: number, opcode: number) => ({
  row: { account: keyOfAccount({ workchain: 0, hash: hashOf(i) }), origStatus: 'uninit', endStatus: 'active' },
  inMessage: { opcode },
})
const blockOf = (transactions: readonly object[]) => ({ mcSeqno: 2, transactions }) as unknown as BlockRows

class Member {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

test('what a block has thousands of times over is looked up once', async () => {
  const concerns = new Concerns<Member>(notices)
  const members = Array.from({ length: 50 }, (_, i) => new Member(`${i}`))
  const filter = { ...NOTHING, accounts: new Set([account(1)]), opcodes: new Set([7]), newContracts: true }
  for (const one of members) await concerns.add(one, filter)
  let adds = 0
  const { add } = Set.prototype
  Set.prototype.add = function (this: Set<unknown>, value: unknown) {
    if (value instanceof Member) adds++
    return add.call(this, value)
  }
  const found = await concerns.of(blockOf(new Array(10_000).fill(deployed(1, 7)))).finally(() => {
    Set.prototype.add = add
  })
  expect([...found]).toEqual(members)
  // For its account, its opcode, and as a new contract.
  expect(adds).toBeLessThanOrEqual(3 * members.length)
})

test('each is found by what it waits for, until it does not wait', async () => {
  const concerns = new Concerns<Member>(notices)
  const [a, b, c] = [new Member('accounts'), new Member('opcodes'), new Member('contracts')]
  const forget = await concerns.add(a, { ...NOTHING, accounts: new Set([account(1), account(2)]) })
  await concerns.add(b, { ...NOTHING, opcodes: new Set([7]) })
  await concerns.add(c, { ...NOTHING, newContracts: true })
  const of = async (i: number, opcode: number, before: string) =>
    [
      ...(await concerns.of(blockOf([{ ...deployed(i, opcode), row: { ...deployed(i, 0).row, origStatus: before } }]))),
    ].map(({ name }) => name)
  expect(await of(2, 8, 'active')).toEqual(['accounts'])
  expect(await of(3, 7, 'active')).toEqual(['opcodes'])
  expect(await of(3, 8, 'uninit')).toEqual(['contracts'])
  await forget()
  expect(await of(2, 8, 'active')).toEqual([])
})

test('a hundred thousand accounts are entered in pieces, once, however often their webhook waits', async () => {
  let visits = 0
  class Accounts extends Set<string> {
    override *[Symbol.iterator]() {
      for (const one of super[Symbol.iterator]()) {
        visits++
        yield one
      }
      return undefined
    }
  }
  const accounts = new Accounts(Array.from({ length: 100_000 }, (_, i) => account(i)))
  const blocks = growingBlocks(1)
  const room = new WaitingRoom({ feed: blocks.feed satisfies BlockRowsFeed, notices })
  const { found: seat, turns } = await turnsOf(() => room.enter({ ...NOTHING, accounts }))
  expect(turns).toBeGreaterThan(100)
  expect(visits).toBe(accounts.size)
  const { signal } = new AbortController()
  for (let deliveredTo = 1; deliveredTo < 4; deliveredTo++) {
    expect(room.isReachedBy(deliveredTo)).toBe(true)
    const waiting = seat.wait({ deliveredTo, storedBy: deliveredTo + 1 }, signal)
    blocks.grow()
    expect(await waiting).toMatchObject({ kind: 'block', rows: { mcSeqno: deliveredTo + 1 } })
  }
  expect(visits).toBe(accounts.size)
  expect((await turnsOf(() => seat.leave())).turns).toBeGreaterThan(100)
})

test('one that no block concerns is woken after so many of them, so that how far it is can be stored', async () => {
  const { feed, grow } = growingBlocks(1)
  const room = new WaitingRoom({ feed, notices })
  const end = new AbortController()
  const woken: unknown[] = []
  for (const storedBy of [3, 5]) {
    const seat = await room.enter(NOTHING)
    onTestFinished(() => seat.leave())
    void seat.wait({ deliveredTo: 1, storedBy }, end.signal).then((why) => woken.push(why))
  }
  for (let newest = 2; newest <= 5; newest++) grow()
  await expect.poll(() => woken).toMatchObject([3, 5].map((mcSeqno) => ({ kind: 'block', rows: { mcSeqno } })))
})

test.each([
  { when: 'while it waits', isEarly: false },
  { when: 'before it waits', isEarly: true },
])(
  'a block that was looked at when the last one left counts for none that comes after a revert: $when',
  async ({ isEarly }) => {
    let goOn = (): void => undefined
    const looked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const waiting = () => ({ concernedBy: () => looked.then(() => new Set()) })
    const { feed, grow } = growingBlocks(4)
    let isReverted = false
    const reverting: BlockRowsFeed = {
      ...feed,
      head: () => (isReverted ? { seqno: 3, rootHash: new Uint8Array(32), utime: 0 } : feed.head()),
      from: (seqno, options) => feed.from(isReverted ? Number.POSITIVE_INFINITY : seqno, options),
    }
    // The cast: nothing here has a subscription.
    const room = new WaitingRoom({ feed: reverting, notices: { waiting } as unknown as BlockNotices })
    const end = new AbortController()
    const { signal } = end
    const first = await room.enter(NOTHING)
    void first.wait({ deliveredTo: 4, storedBy: 5 }, signal)
    grow()
    await nextTurn()
    await first.leave()
    isReverted = true
    const second = await room.enter(NOTHING)
    onTestFinished(() => second.leave())
    const look = async () => {
      goOn()
      for (let turn = 0; turn < 5; turn++) await nextTurn()
    }
    if (isEarly) await look()
    let woken: unknown = null
    void second.wait({ deliveredTo: 3, storedBy: 4 }, signal).then((why) => {
      woken = why
    })
    await look()
    expect(woken).toBeNull()
    end.abort()
    await nextTurn()
    // It has passed no block that it did not wait for.
    expect(woken).toEqual({ kind: 'ended', passed: null })
  },
)

test('a block that all had passed when it was undone counts for none that comes later', async () => {
  const { feed } = growingBlocks(4)
  let newest = 4
  const reverting: BlockRowsFeed = {
    ...feed,
    head: () => ({ seqno: newest, rootHash: new Uint8Array(32), utime: 0 }),
    async *from(seqno, { signal } = {}) {
      yield { kind: 'block', rows: block(seqno) }
      newest = 3
      yield { kind: 'reverted', mcSeqno: newest }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const room = new WaitingRoom({ feed: reverting, notices })
  const seat = await room.enter(NOTHING)
  onTestFinished(() => seat.leave())
  const end = new AbortController()
  const woken = await seat.wait({ deliveredTo: 4, storedBy: 9 }, end.signal)
  expect(woken).toMatchObject({ kind: 'reverted', passed: { mcSeqno: 5 } })
  const later = seat.wait({ deliveredTo: 3, storedBy: 9 }, end.signal)
  end.abort()
  expect(await later).toEqual({ kind: 'ended', passed: null })
})
