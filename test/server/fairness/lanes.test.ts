import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LaneQueueFull, Lanes } from '../../../server/fairness/index.ts'

const MANY = { total: 100, perCaller: 100, perTurn: 100, waitingPerCaller: 100 }
const { signal } = new AbortController()

/** Enters and writes its name down when it is in. */
const enter = (lanes: Lanes, subject: string, entered: string[]) =>
  lanes.enter(subject, signal).then(() => entered.push(subject))

test('default: a free lane is taken at once, a taken one is waited for in turn', async () => {
  const lanes = new Lanes({ ...MANY, total: 1 })
  expect(lanes.tryEnter('a')).toBe(true)
  expect(lanes.tryEnter('b')).toBe(false)
  const entered: string[] = []
  const all = ['a', 'a', 'a', 'b', 'c'].map((subject) => enter(lanes, subject, entered))
  for (const subject of ['a', 'b', 'c', 'a', 'a']) {
    await nextTurn()
    lanes.leave(subject)
  }
  await Promise.all(all)
  expect(entered).toEqual(['b', 'c', 'a', 'a', 'a'])
})

test('behavior: a call passes none of the same caller that waits already', async () => {
  const lanes = new Lanes(MANY)
  const entered: string[] = []
  void enter(lanes, 'a', entered)
  expect([lanes.tryEnter('a'), lanes.tryEnter('b')]).toEqual([false, true])
  await nextTurn()
  expect(entered).toEqual(['a'])
  expect(lanes.tryEnter('a')).toBe(true)
})

test('behavior: one caller leaves room for others', async () => {
  const lanes = new Lanes({ ...MANY, total: 4, perCaller: 2 })
  expect([1, 2, 3].map(() => lanes.tryEnter('a'))).toEqual([true, true, false])
  const entered: string[] = []
  void enter(lanes, 'a', entered)
  await nextTurn()
  expect([lanes.tryEnter('b'), lanes.running, lanes.waiting]).toEqual([true, 3, 1])
  expect(entered).toEqual([])
  lanes.leave('a')
  await nextTurn()
  expect(entered).toEqual(['a'])
})

test('behavior: of a kind that all callers wait for only so many run, whoever they are of', () => {
  const lanes = new Lanes({ ...MANY, perKind: { long: 2 }, ofKind: { long: 3 } })
  const long = ['a', 'a', 'a', 'b', 'c'].map((subject) => lanes.tryEnter(subject, 'long'))
  expect(long).toEqual([true, true, false, true, false])
  expect(lanes.tryEnter('c', 'short')).toBe(true)
  lanes.leave('a', { cost: 1, kind: 'long' })
  expect([lanes.tryEnter('c', 'long'), lanes.tryEnter('d', 'long')]).toEqual([true, false])
})

test('behavior: only so many begin in one turn of the loop', async () => {
  const lanes = new Lanes({ ...MANY, perTurn: 2 })
  const entered: string[] = []
  const all = Array.from({ length: 6 }, () => enter(lanes, 'a', entered))
  const counts: number[] = []
  while (entered.length < 6) {
    await nextTurn()
    counts.push(entered.length)
  }
  expect(counts.every((count, i) => count - (counts[i - 1] ?? 0) <= 2)).toBe(true)
  await Promise.all(all)
})

test('behavior: more take free lanes at once while a turn is short, and the queue goes on after what has begun', async () => {
  let now = 100
  const lanes = new Lanes({ ...MANY, total: 6, perTurn: 2, turnMs: 2 }, () => now)
  const tries = (count: number) => Array.from({ length: count }, () => lanes.tryEnter('a'))
  // No more in one go: none of them has shown what it takes.
  expect(tries(3)).toEqual([true, true, false])
  await Promise.resolve()
  expect(tries(1)).toEqual([true])
  now += 1.9
  await Promise.resolve()
  expect(tries(1)).toEqual([true])
  now += 0.1
  await Promise.resolve()
  expect(tries(2)).toEqual([false, false])
  await nextTurn()
  expect(tries(3)).toEqual([true, true, false])
  expect(lanes.running).toBe(6)
  for (let i = 0; i < 6; i++) lanes.leave('a')
  await nextTurn()
  expect(tries(2)).toEqual([true, true])
  const entered: string[] = []
  const all = Array.from({ length: 4 }, () => enter(lanes, 'b', entered))
  lanes.leave('a')
  await Promise.resolve()
  expect([lanes.running, lanes.waiting]).toEqual([1, 4])
  await Promise.all(all)
  expect(entered).toEqual(['b', 'b', 'b', 'b'])
})

test('behavior: the queue goes on in a turn while what it has begun was short, and only so many begin in one go', async () => {
  let now = 0
  const perTurnOf = async (stepMs: number): Promise<readonly number[]> => {
    const lanes = new Lanes({ ...MANY, perTurn: 2, turnMs: 2 }, () => now)
    let begun = 0
    // A call takes its first step some promises after it is let in.
    const call = async (): Promise<void> => {
      await lanes.enter('a', signal)
      await Promise.resolve()
      now += stepMs
      begun++
    }
    const all = Array.from({ length: 9 }, call)
    const counts: number[] = []
    for (let before = 0; begun < 9; before = begun) {
      await nextTurn()
      if (begun > before) counts.push(begun - before)
    }
    await Promise.all(all)
    return counts
  }
  expect(await perTurnOf(3)).toEqual([2, 2, 2, 2, 1])
  expect(await perTurnOf(0.5)).toEqual([4, 4, 1])
  expect(await perTurnOf(0)).toEqual([9])
})

test('error: who stops waits no more, and takes no lane', async () => {
  const lanes = new Lanes({ ...MANY, total: 1 })
  lanes.tryEnter('a')
  const gone = new AbortController()
  const waiting = lanes.enter('b', gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(lanes.enter('b', gone.signal)).rejects.toThrow('gone')
  lanes.leave('a')
  expect([lanes.running, lanes.waiting, lanes.tryEnter('b')]).toEqual([0, 0, true])
})

test('error: what one caller may have waiting is bounded; others are not concerned', async () => {
  const lanes = new Lanes({ ...MANY, total: 1, waitingPerCaller: 2 })
  lanes.tryEnter('x')
  const entered: string[] = []
  for (const subject of ['a', 'a', 'b']) void enter(lanes, subject, entered)
  await expect(lanes.enter('a', signal)).rejects.toBeInstanceOf(LaneQueueFull)
  expect(lanes.waiting).toBe(3)
})

test('behavior: a kind of work of one caller leaves lanes to the others of it', async () => {
  const lanes = new Lanes({ ...MANY, total: 3, perKind: { long: 1 } })
  expect(['long', 'long', 'short', 'short', 'short'].map((kind) => lanes.tryEnter('a', kind))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
})

test('behavior: short work passes a backlog of long work of the same caller', async () => {
  const lanes = new Lanes({ ...MANY, total: 1 })
  lanes.tryEnter('a', 'long')
  const entered: string[] = []
  const all = ['long', 'long', 'long', 'short', 'short'].map((kind) =>
    lanes.enter('a', signal, kind).then(() => entered.push(kind)),
  )
  for (const [kind, cost] of [
    ['long', 10],
    ...['short', 'short', 'long', 'long'].map((one) => [one, 1] as const),
  ] as const) {
    await nextTurn()
    lanes.leave('a', { kind, cost })
  }
  await Promise.all(all)
  expect(entered).toEqual(['short', 'short', 'long', 'long', 'long'])
})

test('behavior: a stretch gives each caller more lanes, in the same shares, and takes them back', async () => {
  let times = 1
  const lanes = new Lanes({ ...MANY, total: 4, perCaller: 2, stretch: () => times })
  const taken = async (): Promise<readonly number[]> => {
    await nextTurn()
    return ['a', 'b', 'c'].map((subject) => {
      let count = 0
      while (lanes.tryEnter(subject)) count++
      return count
    })
  }
  expect(await taken()).toEqual([2, 2, 0])
  times = 2.5
  expect(await taken()).toEqual([3, 3, 0])
  times = 1
  for (const subject of ['a', 'a', 'a', 'b', 'b', 'b']) lanes.leave(subject)
  expect(await taken()).toEqual([0, 0, 0])
  for (const subject of ['a', 'b']) lanes.leave(subject)
  expect(await taken()).toEqual([1, 1, 0])
})

test('behavior: a caller alone has more lanes, of long calls as many as before, until another one comes', async () => {
  let now = 0
  const limits = { ...MANY, total: 4, perCaller: 3, perKind: { long: 1 }, timesAlone: 3 }
  const lanes = new Lanes(limits, () => now)
  const taken = (subject: string, kind = ''): number => {
    let count = 0
    while (lanes.tryEnter(subject, kind)) count++
    return count
  }
  expect([taken('a', 'long'), taken('a')]).toEqual([1, 8])
  expect(taken('b')).toBe(0)
  lanes.leave('a', { cost: 1, kind: 'long' })
  for (let i = 0; i < 8; i++) lanes.leave('a')
  await nextTurn()
  expect([taken('a'), taken('b')]).toEqual([3, 1])
  for (const subject of ['a', 'a', 'a', 'b']) lanes.leave(subject)
  now = 9_999
  await nextTurn()
  expect(taken('b')).toBe(3)
  for (let i = 0; i < 3; i++) lanes.leave('b')
  now = 60_000
  await nextTurn()
  expect(taken('b')).toBe(9)
})

test('behavior: a caller with calls in the queue takes none of the lanes for those that have none', async () => {
  const lanes = new Lanes({ ...MANY, total: 2, reserve: 1 })
  const entered: string[] = []
  expect([lanes.tryEnter('a'), lanes.tryEnter('a')]).toEqual([true, true])
  void enter(lanes, 'a', entered)
  await nextTurn()
  expect(entered).toEqual([])
  void enter(lanes, 'b', entered)
  await nextTurn()
  expect(entered).toEqual(['b'])
})

test('behavior: a caller that has none finds a lane beside busy ones, and a crowd of such callers waits', async () => {
  const lanes = new Lanes({ ...MANY, total: 4, reserve: 2, perCaller: 2 })
  expect(['a', 'a', 'b', 'b'].map((subject) => lanes.tryEnter(subject))).toEqual([true, true, true, true])
  const entered: string[] = []
  const busy = [enter(lanes, 'a', entered), enter(lanes, 'b', entered)]
  const fresh = enter(lanes, 'c', entered)
  await nextTurn()
  expect(entered).toEqual(['c'])
  await fresh
  // One of its own at once is not beyond.
  expect([lanes.tryEnter('c'), lanes.tryEnter('d'), lanes.tryEnter('e')]).toEqual([false, true, false])
  const late = enter(lanes, 'e', entered)
  lanes.leave('d')
  await nextTurn()
  expect(entered).toEqual(['c', 'e'])
  for (const subject of ['c', 'e', 'a', 'b']) {
    lanes.leave(subject)
    await nextTurn()
  }
  await Promise.all([...busy, late])
  expect(entered.slice(2).sort()).toEqual(['a', 'b'])
  expect(lanes.running).toBe(4)
})
