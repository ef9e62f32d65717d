// Bounds in time, where nothing but their listener knows them.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { timeLimit } from '../../../server/process/index.ts'

/** Waits for a signal while garbage is collected again and again. */
async function reasonOf(begin: () => AbortSignal): Promise<unknown> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const collecting = setInterval(collect, 10)
  const reason = await new Promise((resolve) => {
    const signal = begin()
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })
  clearInterval(collecting)
  return reason
}

test('behavior: a bound outlives the collection of garbage, also next to another signal', async () => {
  const unused = () => new AbortController().signal
  expect(await reasonOf(() => timeLimit(200))).toMatchObject({ name: 'TimeoutError' })
  expect(await reasonOf(() => timeLimit(200, unused(), unused()))).toMatchObject({ name: 'TimeoutError' })
})

test('behavior: another signal ends it first, with its own reason', () => {
  const other = new AbortController()
  const later = timeLimit(3_600_000, other.signal)
  other.abort('enough')
  expect(later.reason).toBe('enough')
  expect(timeLimit(3_600_000, other.signal).reason).toBe('enough')
})
