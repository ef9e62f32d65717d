import { describe, expect, test, vi } from 'vitest'
import { writeBoc } from '../../../../server/cell/index.ts'
import { createFaucet } from '../../../../server/devchain/index.ts'
import { PendingMessages } from '../../../../server/methods/pending/pendingMessages.ts'

const faucet = createFaucet()
const someMessage = (): Uint8Array =>
  writeBoc(faucet.request([{ to: { workchain: 0, hash: new Uint8Array(32) }, amount: 1n }]))

test('default: messages are kept in order, each once', () => {
  const pool = new PendingMessages()
  const one = someMessage()
  const other = someMessage()
  for (const boc of [one, other, one]) pool.add(boc)
  expect(pool.all().map(({ cell }) => Buffer.from(writeBoc(cell)))).toEqual([Buffer.from(one), Buffer.from(other)])
})

test('behavior: the oldest make room for more than fit', () => {
  const pool = new PendingMessages({ messages: 3 })
  const bocs = Array.from({ length: 5 }, someMessage)
  for (const boc of bocs) pool.add(boc)
  expect(pool.all().map(({ cell }) => Buffer.from(writeBoc(cell)))).toEqual(
    bocs.slice(2).map((boc) => Buffer.from(boc)),
  )
})

test('behavior: a caller who sends more than fit takes the room of its own messages, not of those of others', () => {
  const pool = new PendingMessages({ messages: 4 })
  pool.add(someMessage(), 'one')
  for (let i = 0; i < 9; i++) pool.add(someMessage(), 'many')
  expect(pool.all().map(({ share }) => share)).toEqual(['one', 'many', 'many', 'many'])
  pool.add(someMessage(), 'other')
  expect(pool.all().map(({ share }) => share)).toEqual(['one', 'many', 'many', 'other'])
})

test('behavior: a message that no block took in time is unknown again, and can be added again', () => {
  let now = 0
  const pool = new PendingMessages({ lifetimeMs: 1000 }, { now: () => now })
  const boc = someMessage()
  pool.add(boc)
  const [{ hashNorm } = { hashNorm: new Uint8Array() }] = pool.all()
  now = 1000
  expect(pool.has(hashNorm)).toBe(true)
  now = 1001
  expect(pool.has(hashNorm)).toBe(false)
  expect(pool.isEmpty).toBe(true)
  pool.add(boc)
  expect(pool.has(hashNorm)).toBe(true)
})

test('behavior: one that is sent again after its time is listed anew, also where it was not looked for meanwhile', () => {
  let now = 0
  const sent: Uint8Array[] = []
  const pool = new PendingMessages({ lifetimeMs: 1000 }, { now: () => now, onSent: (boc) => sent.push(boc) })
  const boc = someMessage()
  const { hashNorm } = pool.add(boc)
  pool.addForeign({ boc, hashNorm, caller: 'a', ageMs: 0 })
  now = 1001
  pool.add(boc)
  expect([pool.has(hashNorm), pool.all().length, sent.length]).toEqual([true, 1, 2])
  now = 2002
  expect(pool.addForeign({ boc, hashNorm, caller: 'a', ageMs: 0 })).toBe(true)
  expect([pool.has(hashNorm), pool.all().length, sent.length]).toEqual([true, 1, 2])
})

test('behavior: after a revert a message may be sent again, and is listed once', () => {
  const sent: Uint8Array[] = []
  const pool = new PendingMessages({}, { onSent: (boc) => sent.push(boc) })
  const boc = someMessage()
  pool.add(boc)
  const [{ hashNorm } = { hashNorm: new Uint8Array() }] = pool.all()
  pool.add(boc)
  expect(sent).toHaveLength(1)
  const { version } = pool
  pool.reverted()
  expect(pool.version).not.toBe(version)
  expect([pool.has(hashNorm), pool.all().length]).toEqual([false, 1])
  pool.add(boc)
  expect([pool.has(hashNorm), pool.all().length, sent.length]).toEqual([true, 1, 2])
})

/** Nothing is awaited meanwhile: the clock is that of the process. */
function withClockOff<T>(byMs: number, run: () => T): T {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs)
  try {
    return run()
  } finally {
    clock.mockRestore()
  }
}

test('behavior: a clock that is set back or forward makes no message live longer, or shorter', async () => {
  const long = new PendingMessages({ lifetimeMs: 600_000 })
  const short = new PendingMessages({ lifetimeMs: 1 })
  const boc = someMessage()
  long.add(boc)
  const [{ hashNorm } = { hashNorm: new Uint8Array() }] = long.all()
  expect(withClockOff(86_400_000, () => long.has(hashNorm))).toBe(true)
  withClockOff(3_600_000, () => short.add(boc))
  await expect.poll(() => short.has(hashNorm)).toBe(false)
})

describe('messages of other processes', () => {
  const foreign = (caller: string, ageMs = 0) => {
    const boc = someMessage()
    const own = new PendingMessages()
    own.add(boc)
    return { boc, hashNorm: own.all()[0]?.hashNorm ?? new Uint8Array(), caller, ageMs }
  }

  test('are listed after those sent here, once, and become own ones when they are sent here', () => {
    const sent: Uint8Array[] = []
    const pool = new PendingMessages({}, { onSent: (boc) => sent.push(boc) })
    const other = foreign('a')
    expect([pool.addForeign(other), pool.addForeign(other)]).toEqual([true, false])
    const boc = someMessage()
    pool.add(boc, 'caller')
    expect(pool.all().map(({ share, isShared }) => [share, isShared])).toEqual([
      ['caller', false],
      ['shared:a', true],
    ])
    expect(pool.has(other.hashNorm)).toBe(true)
    pool.add(other.boc, 'caller')
    expect(pool.all().map(({ isShared }) => isShared)).toEqual([false, false])
    expect(sent).toEqual([boc, other.boc])
  })

  test('never displace own ones, and one caller has a part of the room', () => {
    const pool = new PendingMessages({ messages: 4 })
    for (let i = 0; i < 4; i++) pool.add(someMessage(), 'own')
    expect([pool.addForeign(foreign('a')), pool.addForeign(foreign('a'))]).toEqual([true, false])
    for (const caller of ['b', 'c', 'd', 'e']) expect(pool.addForeign(foreign(caller))).toBe(true)
    const shares = pool.all().map(({ share }) => share)
    expect(shares).toEqual(['own', 'own', 'own', 'own', 'shared:b', 'shared:c', 'shared:d', 'shared:e'])
  })

  test('expire by the time since they were sent, and leave their room', () => {
    let now = 10_000
    const pool = new PendingMessages({ messages: 4, lifetimeMs: 1_000 }, { now: () => now })
    const old = foreign('a', 800)
    expect(pool.addForeign(old)).toBe(true)
    now += 200
    expect(pool.has(old.hashNorm)).toBe(true)
    now += 1
    expect(pool.addForeign(foreign('a'))).toBe(true)
    expect(pool.all()).toHaveLength(1)
  })

  test('error: another hash than that of the message, and bytes that are no message', () => {
    const pool = new PendingMessages()
    const { boc, ...other } = foreign('a')
    expect(pool.addForeign({ ...other, boc: someMessage() })).toBe(false)
    for (const bytes of [new Uint8Array(), boc.slice(0, -1), new Uint8Array(1_000).fill(0xb5)])
      expect(pool.addForeign({ ...other, boc: bytes })).toBe(false)
    expect(pool.isEmpty).toBe(true)
  })
})
