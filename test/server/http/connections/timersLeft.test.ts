// What beats for as long as a connection is open ends with it.

import { expect, onTestFinished, test, vi } from 'vitest'
import { serve, type TestService } from '../../../setup/service.ts'
import { eventually, openEvents, openSocket } from '../../../setup/streams.ts'

/** No other interval of the process has these. */
const limits = { pingMs: 1_234_561, streamPingMs: 1_234_562, streamKeepaliveMs: 1_234_563 }
const OURS: ReadonlySet<unknown> = new Set(Object.values(limits))

/** Those intervals that are set and were not cleared. */
function countIntervals(): ReadonlySet<unknown> {
  const open = new Set<unknown>()
  const { setInterval: set, clearInterval: clear } = globalThis
  vi.spyOn(globalThis, 'setInterval').mockImplementation((run, ms) => {
    const timer = set(run, ms)
    if (OURS.has(ms)) open.add(timer)
    return timer
  })
  vi.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
    open.delete(timer)
    clear(timer)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return open
}

const ORDER = { types: ['blocks'] }

const OPENINGS: Record<string, (service: TestService) => Promise<() => void>> = {
  'a WebSocket of calls': async (service) => {
    const { socket } = await openSocket(service, '/jsonRPC')
    return () => socket.terminate()
  },
  'a WebSocket of streams': async (service) => {
    const { socket, say } = await openSocket(service)
    await say('subscribe', ORDER)
    return () => socket.terminate()
  },
  'server-sent events': async (service) => {
    const { frames, cut } = await openEvents(service, ORDER)
    await frames.first(({ status }) => status === 'subscribed')
    return cut
  },
}

test('a connection that has ended leaves no interval', async () => {
  const open = countIntervals()
  await using service = await serve({ withIndex: true, config: { mining: 'manual' }, limits })
  for (const [name, opening] of Object.entries(OPENINGS)) {
    const end = await opening(service)
    expect([name, open.size > 0]).toEqual([name, true])
    end()
    await eventually(() => open.size === 0 || undefined)
  }
})
