import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atNextTurn, ownSignal, SLICE_MS, SlicedWork, Turns } from '../../../server/fairness/index.ts'

let now = 0

beforeEach(async () => {
  // What other tests began has ended.
  for (let i = 0; i < 3; i++) await nextTurn()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

afterEach(() => vi.restoreAllMocks())

const slice = (): void => {
  now += SLICE_MS
}

test('what one queue has used of a turn is used for all others', async () => {
  const some = new Turns()
  const others = new Turns()
  expect(some.tryRun(slice)).toBe(true)
  expect(others.tryRun(slice)).toBe(false)
  await nextTurn()
  await nextTurn()
  expect(others.tryRun(slice)).toBe(true)
})

test('a turn runs one piece of each queue, and further ones while there is time', async () => {
  const ran: string[] = []
  const piece = (name: string, ms: number) => (): void => {
    ran.push(name)
    now += ms
  }
  const quick = new Turns()
  const long = new Turns()
  const last = new Turns()
  for (let i = 0; i < 3; i++) quick.add('', piece('quick', SLICE_MS / 4))
  for (let i = 0; i < 3; i++) long.add('', piece('long', SLICE_MS))
  for (let i = 0; i < 3; i++) last.add('', piece('last', SLICE_MS))
  await nextTurn()
  expect(ran).toEqual(['quick', 'quick', 'quick', 'long', 'last'])
  await nextTurn()
  expect(ran.slice(5)).toEqual(['long', 'last'])
})

test('long work has what others left of a turn: a little at first, and nothing once the turn is full', async () => {
  const turns = new Turns()
  turns.tryRun(slice)
  const short = new SlicedWork()
  expect(short.isDue).toBe(false)
  now += SLICE_MS / 4
  expect(short.isDue).toBe(true)
  slice()
  expect(new SlicedWork().isDue).toBe(true)
  await short.rest()
  expect(short.isDue).toBe(false)
  now += SLICE_MS - 1
  expect([short.isDue, new SlicedWork().isDue]).toEqual([false, false])
  now++
  expect(short.isDue).toBe(true)
})

test('work whose signal has an owner rests in the turns of that caller', async () => {
  const went: string[] = []
  const begin = (subject: string): Promise<void> => {
    const { signal } = new AbortController()
    ownSignal(signal, subject)
    return new SlicedWork({ signal }).rest().then(() => void went.push(subject))
  }
  await Promise.all([...'aaab'].map(begin))
  expect(went).toEqual(['a', 'b', 'a', 'a'])
})

test('steps run in their order, each to the end of its promises; what a step adds waits for another turn', async () => {
  const ran: string[] = []
  const later = async (name: string): Promise<void> => {
    for (let i = 0; i < 9; i++) await undefined
    ran.push(name)
  }
  let left = 2
  atNextTurn(() => {
    void later('first')
    if (left === 2) atNextTurn(() => ran.push('another turn') === 0)
    return --left > 0
  })
  atNextTurn(() => ran.push('second') === 0)
  atNextTurn(() => ran.push('before') === 0, true)
  await nextTurn()
  expect(ran).toEqual(['before', 'first', 'first', 'second'])
  await nextTurn()
  expect(ran.slice(4)).toEqual(['another turn'])
})

test('what a piece leads to counts for its caller, and for the time of the turn', async () => {
  const turns = new Turns()
  const ran: string[] = []
  const long = (name: string) => async (): Promise<void> => {
    await undefined
    ran.push(name)
    now += SLICE_MS
  }
  for (const name of ['a', 'a', 'b', 'b']) turns.add(name, () => void long(name)())
  const seen: string[] = []
  for (let i = 0; i < 4; i++) {
    await nextTurn()
    seen.push(ran.join(''))
  }
  expect(seen).toEqual(['a', 'ab', 'aba', 'abab'])
})

test('a piece that runs at once leaves nothing to do in later turns but to end its own', async () => {
  const turns = new Turns({ pieces: 2 })
  const nothing = (): void => undefined
  // Nothing else of this process runs between these calls.
  const later = vi.spyOn(globalThis, 'setImmediate')
  const begun = [turns.tryRun(nothing), turns.tryRun(nothing), turns.tryRun(nothing)]
  const armed = later.mock.calls.length
  vi.restoreAllMocks()
  expect(begun).toEqual([true, true, false])
  expect(armed).toBeLessThanOrEqual(1)
  for (let i = 0; i < 3; i++) await nextTurn()
  expect(turns.tryRun(nothing)).toBe(true)
})

test('short works that have rested go on together, also in a turn that others have used up', async () => {
  let went = 0
  const short = async (): Promise<void> => {
    await new SlicedWork().rest()
    went++
    now += SLICE_MS / 40
  }
  const all = Promise.all(Array.from({ length: 8 }, short))
  atNextTurn(() => {
    slice()
    return false
  }, true)
  await nextTurn()
  expect(went).toBe(8)
  await all
})

test('a piece that may take a turn by itself has one, whatever short ones wait beside it', async () => {
  const went: string[] = []
  const begin = async (name: string, subject: string): Promise<void> => {
    const work = new SlicedWork({ subject })
    await (name === 'long' ? work.ownTurn() : work.rest())
    went.push(name)
  }
  const all = Promise.all(['short', 'long', 'short', 'long', 'short'].map((name, at) => begin(name, `${at}`)))
  const seen: number[] = []
  while (went.length < 5) {
    await nextTurn()
    seen.push(went.length)
  }
  expect(seen).toEqual([3, 4, 5])
  expect(went).toEqual(['short', 'short', 'short', 'long', 'long'])
  await all
})
