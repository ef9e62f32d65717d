import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { SlicedWork, Turns } from '../../../server/fairness/index.ts'

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
