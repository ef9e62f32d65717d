import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { giveWay, pressing } from '../../../server/fairness/index.ts'

const LONG_MS = 600_000

/** Keeps the thread busy. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** So many busy turns of the event loop, each noted when it is over. */
async function turns(count: number, order: string[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    await nextTurn()
    work(2)
    order.push('pressing')
  }
}

test('behavior: work that presses has all the turns it can use, whether it fails or not', async () => {
  const order: string[] = []
  await expect(pressing(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const pressed = pressing(() => turns(5, order))
  await giveWay(LONG_MS)
  order.push('others')
  await pressed
  expect(order.indexOf('others')).toBeGreaterThanOrEqual(5)
})

test('behavior: others go on while it waits for a thread, when their time is over, and when nothing presses', async () => {
  await giveWay(LONG_MS)
  let end: () => void = () => undefined
  const waiting = pressing(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  await giveWay(LONG_MS)
  end()
  await waiting
  const order: string[] = []
  const pressed = pressing(() => turns(50, order))
  await giveWay(1)
  expect(order.length).toBeLessThan(50)
  await pressed
})
