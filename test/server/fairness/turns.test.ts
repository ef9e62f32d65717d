import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { atNextTurn, noteArrival, SlicedWork, Turns } from '../../../server/fairness/index.ts'

const forever = { sliceMs: 1e9 }

test('default: a little runs at once, the rest in later turns', async () => {
  const turns = new Turns({ ...forever, pieces: 2 })
  const ran: number[] = []
  for (let i = 0; i < 5; i++) turns.run('a', () => ran.push(i))
  expect([ran, turns.waiting]).toEqual([[0, 1], 3])
  const counts: number[] = []
  while (ran.length < 5) {
    await nextTurn()
    counts.push(ran.length)
  }
  expect(counts.every((count, i) => count - (counts[i - 1] ?? 2) <= 2)).toBe(true)
  expect(ran).toEqual([0, 1, 2, 3, 4])
})

test('behavior: callers are served in turn', async () => {
  const turns = new Turns({ ...forever, pieces: 1 })
  const ran: string[] = []
  for (const subject of 'xaaaabc') turns.run(subject, () => ran.push(subject))
  while (turns.waiting > 0) await nextTurn()
  expect(ran.join('')).toBe('xabcaaa')
})

test('behavior: a slice that is used up ends the turn', async () => {
  // The turn of another test has ended.
  for (let i = 0; i < 3; i++) await nextTurn()
  const turns = new Turns({ pieces: 10, sliceMs: 0 })
  const ran: number[] = []
  for (let i = 0; i < 13; i++) turns.run('a', () => ran.push(i))
  expect(ran).toEqual([0])
  await nextTurn()
  expect(ran).toEqual([0, 1])
})

test('next: resolves when it is this caller again', async () => {
  const turns = new Turns({ ...forever, pieces: 1 })
  const ran: string[] = []
  const waits = ['a', 'a', 'b'].map((subject) => turns.next(subject).then(() => ran.push(subject)))
  await Promise.all(waits)
  expect(ran).toEqual(['a', 'b', 'a'])
})

test('next: a caller whose turn was interrupted for a second has as many slices as others afterwards', async () => {
  const ran: string[] = []
  const work = async (subject: string) => {
    const slices = new SlicedWork({ subject })
    for (let i = 0; i < 20; i++) {
      await slices.rest()
      ran.push(subject)
    }
  }
  // Each look at the clock comes a second after the one before it while `a` is resumed.
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += ran.length === 6 ? 1_000 : 0.001))
  await Promise.all([work('a'), work('b')]).finally(() => clock.mockRestore())
  expect(ran.join('')).toBe('ab'.repeat(20))
})

test('behavior: connections that keep coming hold up work for one slice, also when each brings a little of its own', async () => {
  for (let i = 0; i < 3; i++) await nextTurn()
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const work = new SlicedWork()
  let passed = 0
  let isOver = false
  const arrive = (): void => {
    noteArrival()
    now += 3
    passed++
    if (!isOver) setImmediate(arrive)
  }
  const resting = work.rest().then(() => {
    isOver = true
  })
  arrive()
  await resting.finally(() => clock.mockRestore())
  expect(passed).toBeGreaterThan(1)
  expect(passed).toBeLessThanOrEqual(4)
})

test('behavior: connections that came before work which was held up long enough do not hold up what comes after it', async () => {
  for (let i = 0; i < 3; i++) await nextTurn()
  const ran: string[] = []
  const note = (name: string) => (): boolean => ran.push(name) === 0
  atNextTurn(note('first'))
  while (ran.length === 0) {
    noteArrival()
    await nextTurn()
  }
  atNextTurn(note('second'))
  await nextTurn()
  expect(ran).toEqual(['first', 'second'])
})
