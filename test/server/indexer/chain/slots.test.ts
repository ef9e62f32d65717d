import { expect, test } from 'vitest'
import { Slots } from '../../../../server/indexer/chain/slots.ts'

test('behavior: so much work runs at once, in its order, what fails too', async () => {
  const slots = new Slots(3)
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = (i: number) =>
    slots.run(async () => {
      begun.push(i)
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      if (i % 7 === 0) throw new Error('of this one')
      return i
    })
  const numbers = Array.from({ length: 500 }, (_, i) => i)
  const ends = await Promise.allSettled(numbers.map(work))
  expect(begun).toEqual(numbers)
  expect(most).toBe(3)
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(Math.ceil(numbers.length / 7))
  expect(await work(1)).toBe(1)
})
