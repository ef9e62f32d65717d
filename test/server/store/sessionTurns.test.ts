// Reads and transactions of the embedded database, which take turns at its one session.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionTurns, type TurnKind } from '../../../server/store/pglite/sessionTurns.ts'

const SLOW_MS = 1_600
const LIMIT = 100

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A queue behind a transaction that takes so long, in which `first` wait meanwhile; `order` has all as they began. */
async function behind(ms: number, first: readonly TurnKind[]) {
  const turns = new SessionTurns(LIMIT)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const take = (kind: TurnKind, name: string) =>
    turns.take(kind).then((end) => {
      order.push(name)
      ends.set(name, end)
    })
  await take('exclusive', 'slow')
  for (const [i, kind] of first.entries()) void take(kind, `${kind} ${i}`)
  await vi.advanceTimersByTimeAsync(ms)
  ends.get('slow')?.()
  await vi.advanceTimersByTimeAsync(0)
  return { order, take, end: (name: string) => ends.get(name)?.() }
}

test('behavior: behind a slow transaction reads go first, with those that follow them', async () => {
  const { order, take, end } = await behind(SLOW_MS, ['exclusive', 'shared'])
  expect(order).toEqual(['slow', 'shared 1'])
  end('shared 1')
  await take('shared', 'its next')
  end('its next')
  await vi.advanceTimersByTimeAsync(SLOW_MS / 8)
  expect(order).toEqual(['slow', 'shared 1', 'its next', 'exclusive 0'])
})

test('behavior: a transaction waits for no more than an eighth of the time of the one before it', async () => {
  const { order, take, end } = await behind(SLOW_MS, ['shared', 'exclusive'])
  await vi.advanceTimersByTimeAsync(SLOW_MS / 8)
  void take('shared', 'late')
  end('shared 0')
  await vi.advanceTimersByTimeAsync(0)
  expect(order).toEqual(['slow', 'shared 0', 'exclusive 1'])
  end('exclusive 1')
  await vi.advanceTimersByTimeAsync(0)
  expect(order.at(-1)).toBe('late')
})

test.each([
  ['a quick one', 5, ['exclusive', 'shared']],
  ['a slow one without reads', SLOW_MS, ['exclusive', 'exclusive']],
] as const)('behavior: behind %s the next begins at once', async (_name, ms, first) => {
  const { order } = await behind(ms, first)
  expect(order).toEqual(['slow', 'exclusive 0'])
})
