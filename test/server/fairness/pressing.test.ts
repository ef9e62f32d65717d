import { expect, test } from 'vitest'
import { pressing, whenNothingPresses } from '../../../server/fairness/index.ts'

const LONG_MS = 600_000

test('behavior: waits until the last of several pieces of work is done, whether it fails or not', async () => {
  const order: string[] = []
  const ends: (() => void)[] = []
  const begin = () => pressing(() => new Promise<void>((resolve) => ends.push(resolve)))
  const works = [begin(), begin()]
  const waits = whenNothingPresses(LONG_MS).then(() => order.push('waited'))
  const failing = pressing(() => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  ends[0]?.()
  await works[0]
  order.push('first done')
  ends[1]?.()
  await Promise.all([...works, waits])
  expect(order).toEqual(['first done', 'waited'])
})

test('behavior: does not wait for ever, nor when nothing presses', async () => {
  await whenNothingPresses(LONG_MS)
  let end: () => void = () => undefined
  const work = pressing(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  await whenNothingPresses(1)
  end()
  await work
})
