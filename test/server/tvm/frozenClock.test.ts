import { expect, test } from 'vitest'
import { frozenClock } from '../../../server/tvm/frozenClock.ts'

test('behavior: one and the same time is reported, also after the memory has grown', () => {
  const memory: { buffer: ArrayBuffer } = { buffer: new ArrayBuffer(64) }
  const clock = frozenClock()
  clock.attach(memory)
  const timeAt = (at: number): bigint => {
    expect(clock.readTime(1, 0n, at)).toBe(0)
    return new DataView(memory.buffer).getBigUint64(at, true)
  }
  const first = timeAt(8)
  expect(first).toBeGreaterThan(0n)
  memory.buffer = new ArrayBuffer(128)
  expect(timeAt(120)).toBe(first)
})
