import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBatcher, split } from '../../client/batch.ts'

const items = (...bytes: number[]) => bytes.map((size, n) => ({ n, bytes: size }))
const sizes = (groups: readonly (readonly unknown[])[]) => groups.map((group) => group.length)

describe('split', () => {
  test('default', () => {
    expect(split(items(1, 1, 1), 100)).toEqual([items(1, 1, 1)])
    expect(split([], 100)).toEqual([])
  })

  test('args: max, in order', () => {
    const groups = split(items(1, 1, 1, 1, 1), 2)
    expect(groups.map((group) => group.map(({ n }) => n))).toEqual([[0, 1], [2, 3], [4]])
  })

  test('args: maxBytes', () => {
    expect(sizes(split(items(40, 60, 1, 99, 1), 100, 100))).toEqual([2, 2, 1])
  })

  test('behavior: what is too large by itself goes alone', () => {
    expect(sizes(split(items(1, 500, 1), 100, 100))).toEqual([1, 1, 1])
  })

  test('args: a max below one still makes progress', () => {
    expect(sizes(split(items(1, 1), 0))).toEqual([1, 1])
  })
})

describe('createBatcher', () => {
  const collect = () => {
    const sent: number[][] = []
    return { sent, send: (group: readonly { n: number }[]) => sent.push(group.map(({ n }) => n)) }
  }

  test('default: one tick, one group, also across promises that are already settled', async () => {
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({}, send)
    batcher.add({ n: 1, bytes: 1 })
    await Promise.resolve()
    await Promise.resolve()
    batcher.add({ n: 2, bytes: 1 })
    expect(sent).toEqual([])
    await expect.poll(() => sent).toEqual([[1, 2]])
    batcher.add({ n: 3, bytes: 1 })
    await expect.poll(() => sent).toEqual([[1, 2], [3]])
  })

  test('args: waitMs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({ waitMs: 200 }, send)
    batcher.add({ n: 1, bytes: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    batcher.add({ n: 2, bytes: 1 })
    vi.advanceTimersByTime(199)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([[1, 2]])
  })

  test('behavior: calls are collected from the first of a group on, whenever those before it came', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({ waitMs: 200 }, send)
    batcher.add({ n: 1, bytes: 1 })
    vi.advanceTimersByTime(100)
    batcher.add({ n: 2, bytes: 1 })
    vi.advanceTimersByTime(150)
    batcher.add({ n: 3, bytes: 1 })
    vi.advanceTimersByTime(199)
    expect(sent).toEqual([[1, 2]])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([[1, 2], [3]])
  })

  test('behavior: learns a smaller limit, never a larger one', async () => {
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({ max: 3 }, send)
    batcher.learn(2)
    batcher.learn(10)
    for (const n of [1, 2, 3]) batcher.add({ n, bytes: 1 })
    await expect.poll(() => sent).toEqual([[1, 2], [3]])
  })

  test('behavior: with a setImmediate that only throws, as that of the edge runtime of Next.js', async () => {
    vi.stubGlobal('setImmediate', () => {
      throw new Error('A Node.js API is used (setImmediate) which is not supported in the Edge Runtime.')
    })
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({}, send)
    for (const n of [1, 2]) batcher.add({ n, bytes: 1 })
    vi.unstubAllGlobals()
    await expect.poll(() => sent).toEqual([[1, 2]])
  })

  test('behavior: without setImmediate, as in a browser, nor channels, as in the page of a test', async () => {
    vi.stubGlobal('setImmediate', undefined)
    vi.stubGlobal('MessageChannel', undefined)
    const { sent, send } = collect()
    const batcher = createBatcher<{ n: number; bytes: number }>({}, send)
    for (const n of [1, 2]) batcher.add({ n, bytes: 1 })
    vi.unstubAllGlobals()
    await expect.poll(() => sent).toEqual([[1, 2]])
  })
})
