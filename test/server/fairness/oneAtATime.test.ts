import { expect, test } from 'vitest'
import { oneAtATime } from '../../../server/fairness/index.ts'

/** Work that ends when the test says so. */
function held() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const make = oneAtATime(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })))
  return { ends, make }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while one runs shares the next one', async () => {
  const { ends, make } = held()
  const first = make()
  const later = [make(), make(), make()]
  ends[0]?.resolve(1)
  expect(await first).toBe(1)
  await turn()
  expect(ends).toHaveLength(2)
  const last = make()
  ends[1]?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  await turn()
  ends[2]?.resolve(3)
  expect(await last).toBe(3)
  const alone = make()
  ends[3]?.resolve(4)
  expect(await alone).toBe(4)
})

test('who asks again as soon as its run has ended does not run beside those who waited', async () => {
  let running = 0
  const seen: number[] = []
  const make = oneAtATime(async () => {
    seen.push(++running)
    await turn()
    running--
  })
  const again = async () => {
    for (let i = 0; i < 3; i++) await make()
  }
  await Promise.all([again(), again()])
  expect(new Set(seen)).toEqual(new Set([1]))
})

test('a failure is that of its own run alone', async () => {
  const { ends, make } = held()
  const first = make()
  const later = make()
  ends[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  ends[1]?.resolve(2)
  expect(await later).toBe(2)
})
