// An idle chain makes empty blocks at growing intervals, and returns to its normal pace with the next call.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Idling } from '../../../server/devchain/mining/idling.ts'
import { openChain } from './devchains.ts'

/** Seconds between blocks without calls. */
function delaysOf(idling: Idling, blocks: number): number[] {
  return Array.from({ length: blocks }, () => {
    idling.count()
    return idling.delayMs / 1000
  })
}

describe('idling', () => {
  test('default: a minute at full pace, then twice as long each time, up to a minute', () => {
    expect(delaysOf(new Idling(5000), 18)).toEqual([...Array<number>(12).fill(5), 10, 20, 40, 60, 60, 60])
  })

  test('behavior: a call brings full pace back', () => {
    const idling = new Idling(5000)
    delaysOf(idling, 100)
    expect(idling.delayMs).toBe(60_000)
    expect(idling.reset()).toBe(true)
    expect(idling.delayMs).toBe(5000)
    expect(idling.reset()).toBe(false)
  })

  test('args: a longer time between blocks than a minute stays as it is', () => {
    expect(delaysOf(new Idling(300_000), 50).at(-1)).toBe(300)
  })
})

test('behavior: a call on a chain that has slowed down makes a block soon', async () => {
  const { chain } = await openChain({ idleBlockMs: 20 })
  await expect.poll(() => chain.control.state().nextBlockMs ?? 0).toBeGreaterThan(600)
  const { seqno } = chain.head().master.id
  chain.touch()
  expect(chain.control.state().nextBlockMs).toBe(20)
  await expect.poll(() => chain.head().master.id.seqno).toBeGreaterThan(seqno)
  expect(chain.control.state().lateMs).toBeLessThan(30_000)
})

test('behavior: a chain that has slowed down is at full pace again once its mining is set', async () => {
  const { chain } = await openChain({ idleBlockMs: 20 })
  await expect.poll(() => chain.isUsed()).toBe(false)
  chain.control.setMining('manual')
  expect(chain.isUsed()).toBe(true)
  chain.control.setMining('auto')
  expect(chain.control.state().nextBlockMs).toBe(20)
})

test('behavior: a block that is overdue is late, one that is made by hand never is', async () => {
  const { chain } = await openChain({ idleBlockMs: 10_000 })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  onTestFinished(() => clock.mockRestore())
  expect(chain.control.state().lateMs).toBeGreaterThan(45_000)
  chain.control.setMining('manual')
  expect(chain.control.state().lateMs).toBe(0)
})
