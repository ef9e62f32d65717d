import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inParallel } from '../../../server/process/index.ts'

const items = Array.from({ length: 100 }, (_, i) => i)

test('results are in the order of the items, whichever ends first, and few are begun at once', async () => {
  let pending = 0
  let most = 0
  const made = await inParallel(items, 4, async (item, i) => {
    most = Math.max(most, ++pending)
    for (let turn = 0; turn < (item * 7) % 5; turn++) await nextTurn()
    pending--
    return [item, i]
  })
  expect(made).toEqual(items.map((item) => [item, item]))
  expect(most).toBe(4)
})

test('none is begun after one has failed', async () => {
  let begun = 0
  const work = inParallel(items, 4, async () => {
    const number = ++begun
    await nextTurn()
    if (number === 10) throw new Error('it is damaged')
  })
  await expect(work).rejects.toThrow('it is damaged')
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  expect(begun).toBeLessThan(20)
})
