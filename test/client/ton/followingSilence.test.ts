// A send that is followed while its service says nothing for a while.

import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient, type Transport } from '../../../client/index.ts'
import { follow } from '../../../client/ton/following.ts'

const PENDING = { code: -32_000, message: 'the message waits', data: { kind: 'messagePending' } }

test('behavior: a service that says nothing for half of the wait is asked again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const silentAtFirst: Transport = async (requests) => {
    asked++
    if (asked === 1) await new Promise(() => {})
    return requests.map(({ id }) => ({ id, result: { status: 'finalized' } }))
  }
  const client = createClient({ transport: silentAtFirst, retry: false })
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized()
  const settled = Promise.allSettled([done])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await settled).toMatchObject([{ status: 'fulfilled', value: { status: 'finalized' } }])
  expect(asked).toBe(2)
})

test('behavior: a service that answers at once that the message waits is asked twice a second, until the end of the wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const hasty: Transport = async (requests) => {
    asked++
    return requests.map(({ id }) => ({ id, error: PENDING }))
  }
  const client = createClient({ transport: hasty, retry: false })
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized({ timeoutMs: 30_000 })
  const settled = Promise.allSettled([done])
  await vi.advanceTimersByTimeAsync(29_000)
  expect(asked).toBeGreaterThan(50)
  expect(asked).toBeLessThan(62)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await settled).toMatchObject([{ status: 'rejected', reason: { kind: 'messagePending' } }])
})

test.each([
  ['that cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
  ['that restarts behind a proxy', async () => new Response('<html>', { status: 502 })],
  [
    'over the limits of its proxy',
    async () => new Response('<html>', { status: 429, headers: { 'retry-after': '9' } }),
  ],
  ['whose proxy does not wait', async () => new Response('<html>', { status: 408 })],
  [
    'whose index is behind',
    async () => Response.json({ id: null, error: { code: -32026, message: 'index is behind' } }, { status: 503 }),
  ],
])('behavior: a service %s for half of the wait is asked again', async (_, away) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isBack = false
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    if (!isBack) return away()
    const { id } = JSON.parse(String(init?.body))
    return Response.json({ jsonrpc: '2.0', id, result: { status: 'finalized' } })
  }
  const client = createClient({ url: 'http://localhost:8081', fetch })
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized()
  const settled = Promise.allSettled([done])
  await vi.advanceTimersByTimeAsync(30_000)
  isBack = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await settled).toMatchObject([{ status: 'fulfilled', value: { status: 'finalized' } }])
})

test('behavior: a wait without an end heeds a quota that is used up for most of a month', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const over = new AbortController()
  let asked = 0
  const usedUp: Transport = async (requests) => {
    asked++
    const data = { kind: 'rateLimited', retryAfter: 30 * 86_400 }
    return requests.map(({ id }) => ({ id, error: { code: -32_005, message: 'used up', data } }))
  }
  const client = createClient({ transport: usedUp, retry: false })
  const options = { timeoutMs: Number.POSITIVE_INFINITY, signal: over.signal }
  const settled = Promise.allSettled([follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized(options)])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(1)
  over.abort(new Error('enough'))
  expect(await settled).toMatchObject([{ status: 'rejected', reason: { message: 'enough' } }])
})

test('behavior: a wait between two calls ends with its signal', async () => {
  const over = new AbortController()
  const waits: Transport = async (requests) => {
    over.abort(new Error('enough'))
    return requests.map(({ id }) => ({ id, error: { code: -32_000, message: 'x', data: { kind: 'messagePending' } } }))
  }
  const client = createClient({ transport: waits, retry: false })
  const following = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA=='])
  await expect(following.finalized({ signal: over.signal })).rejects.toThrow('enough')
})

test('error: a service that says nothing at all, after the wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const silent: Transport = () => new Promise(() => {})
  const client = createClient({ transport: silent, retry: false })
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized({ timeoutMs: 45_000 })
  const settled = Promise.allSettled([done])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await settled).toMatchObject([{ status: 'rejected', reason: { name: 'TimeoutError' } }])
})

test('behavior: a signal of AbortSignal.timeout() ends the wait at once', async () => {
  let asked = 0
  const sendAndWait = async () => {
    asked++
    throw signal.reason
  }
  const signal = AbortSignal.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const following = follow({ v3: { sendAndWait } }, Promise.resolve(), ['te6ccgEBAQEAAgAAAA=='])
  await expect(following.finalized({ signal, timeoutMs: 300 })).rejects.toBe(signal.reason)
  expect(asked).toBe(1)
})

test('behavior: a signal ends the wait for a send that has not ended itself', async () => {
  const over = new AbortController()
  const silent: Transport = () => new Promise(() => {})
  const client = createClient({ transport: silent, timeoutMs: 0 })
  const waiting = follow(client, new Promise<void>(() => {}), []).finalized({ signal: over.signal })
  over.abort(new Error('the page was left'))
  await expect(waiting).rejects.toThrow('the page was left')
})

test('error: a service that cannot be reached until the end of the wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = createClient({
    url: 'http://localhost:8081',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  })
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).sent({ timeoutMs: 10_000 })
  const settled = Promise.allSettled([done])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await settled).toMatchObject([{ status: 'rejected', reason: { name: 'TransportError', reason: 'network' } }])
})

test('error: a service that wants to rest for longer than is left of the wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const resting: Transport = async (requests) => {
    const error = { code: -32_005, message: 'too many', data: { kind: 'rateLimited', retryAfter: 60 } }
    return requests.map(({ id }) => ({ id, error }))
  }
  const client = createClient({ transport: resting, retry: false })
  let reason: unknown
  follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA=='])
    .finalized({ timeoutMs: 30_000 })
    .catch((error: unknown) => {
      reason = error
    })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reason).toMatchObject({ kind: 'rateLimited', data: { retryAfter: 60 } })
})

test('behavior: a signal that lives on keeps nothing of a send that was followed', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const hastyAtFirst: Transport = async (requests) => {
    asked++
    return requests.map(({ id }) => (asked === 1 ? { id, error: PENDING } : { id, result: { status: 'finalized' } }))
  }
  const client = createClient({ transport: hastyAtFirst, retry: false })
  const { signal } = new AbortController()
  const done = follow(client, Promise.resolve(), ['te6ccgEBAQEAAgAAAA==']).finalized({ signal })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await done).toMatchObject({ status: 'finalized' })
  expect(asked).toBe(2)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
