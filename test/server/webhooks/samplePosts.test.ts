// How often samples are posted, whatever their endpoint: one that answers at once frees no lane for the next.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSamplePosts } from '../../../server/webhooks/samplePosts.ts'

const posting = { owner: 'key', endpoint: 'http://127.0.0.1:1/hook', token: '', secret: '', name: 'test', body: '{}' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('a caller gets few a second of endpoints that answer at once, and all callers together have a bound', async () => {
  let posted = 0
  const post = createSamplePosts(async () => ({ status: 200, ms: posted++, error: '' }))
  const send = async (subject: string): Promise<number> => {
    // The lanes have a bound for each turn of the loop too.
    await new Promise(setImmediate)
    const before = posted
    for (let i = 0; i < 10; i++) await post(subject, posting, new AbortController().signal).catch(() => undefined)
    return posted - before
  }
  expect(await send('one')).toBe(4)
  vi.advanceTimersByTime(900)
  expect(await send('one')).toBe(0)
  vi.advanceTimersByTime(100)
  expect(await send('one')).toBe(4)
  for (let i = 0; i < 100; i++) await send(`other ${i}`)
  expect(posted).toBe(4 + 32)
})
