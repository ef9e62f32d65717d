// What a stream does with what cannot be sent, and with replies it does not read.

import { expect, onTestFinished, test, vi } from 'vitest'
import { stream } from '../../client/ws.ts'

const url = 'http://127.0.0.1:1'

/** What the first look at a stream leads to. */
const first = (options: Partial<Parameters<typeof stream>[0]>): Promise<unknown> =>
  stream({ url, types: ['blocks'], ...options }).next()

test.each([
  ['a key that no header can have', { apiKey: 'ключ' }],
  ['a header that is none', { headers: { 'not a name': 'x' } }],
  // The cast: JavaScript passes anything.
  ['a subscription without a JSON form', { addresses: [1n] as unknown as string[] }],
])('error: %s is said at once, and not tried again', async (_, options) => {
  const sent = vi.fn(() => Promise.reject(new TypeError('fetch failed')))
  await expect(first({ fetch: sent, ...options })).rejects.toBeInstanceOf(TypeError)
  expect(sent).not.toHaveBeenCalled()
})

test('behavior: the connection of a reply that is not read is ended before the next try', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const end = new AbortController()
  const signals: AbortSignal[] = []
  const busy: typeof fetch = async (_, init) => {
    if (signals.length > 0) end.abort()
    if (init?.signal) signals.push(init.signal)
    return new Response(new ReadableStream(), { status: 503 })
  }
  await first({ fetch: busy, signal: end.signal })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})
