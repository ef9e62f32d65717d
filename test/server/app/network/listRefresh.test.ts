// The list of lite servers while none of them can be reached: fetched again, one at a time, and taken when it has changed.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refreshList } from '../../../../server/app/network/listRefresh.ts'
import { ListFault } from '../../../../server/app/network/liteServers.ts'
import { type NetworkConfig, parseNetworkConfig, type ServerPool } from '../../../../server/node/index.ts'

const EVERY_MS = 5_000
const key = Buffer.alloc(32, 1).toString('base64')
const listOf = (port: number): NetworkConfig => parseNetworkConfig(`127.0.0.1:${port}:${key}`, 'the list')

let lines: string[]
let replaced: number[]
let state: ServerPool['servers'][number]['state']
let refresh: () => Promise<NetworkConfig | null>
let fetches: number
let end: () => void
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  replaced = []
  state = 'away'
  fetches = 0
  const say = (facts: object, text?: string) => void lines.push(`${text} ${JSON.stringify(facts)}`)
  const replace = (servers: NetworkConfig['servers']) => void replaced.push(...servers.map(({ port }) => port))
  end = refreshList({
    pool: {
      replace,
      get servers() {
        return [{ state }] as unknown as ServerPool['servers']
      },
    },
    shared: { replace },
    listed: {
      refresh: () => {
        fetches++
        return refresh()
      },
    },
    log: { info: say, warn: say },
  })
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

test('behavior: is taken when it has changed, and not before', async () => {
  refresh = async () => null
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
  expect([fetches, replaced, lines]).toEqual([3, [], []])
  refresh = async () => listOf(7)
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(replaced).toEqual([7, 7])
  expect(lines).toEqual(['lite servers: the list was fetched again, and has changed {"servers":1}'])
  state = 'ready'
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
  expect(fetches).toBe(4)
})

test('behavior: is fetched again, too, when all of its servers were dropped for false answers', async () => {
  refresh = async () => listOf(7)
  state = 'dropped'
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect([fetches, replaced]).toEqual([1, [7, 7]])
})

test('behavior: its entries that cannot be used are named', async () => {
  refresh = async () => ({ ...listOf(7), skipped: ['liteservers[1]: no key'] })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(replaced).toEqual([7, 7])
  expect(lines).toContain('lite servers: an entry of the list cannot be used {"entry":"liteservers[1]: no key"}')
})

test('behavior: one that does not come is not fetched a second time meanwhile', async () => {
  refresh = () => new Promise(() => undefined)
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
  expect(fetches).toBe(1)
})

test('error: one that cannot be had is named once, and again when it is another fault', async () => {
  refresh = () => Promise.reject(new ListFault('it is not JSON'))
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
  expect(lines).toEqual([expect.stringContaining('their list cannot be fetched again {"reason":"it is not JSON"}')])
  refresh = () => Promise.reject(new ListFault('nothing listens there'))
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
  refresh = async () => null
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  refresh = () => Promise.reject(new ListFault('nothing listens there'))
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(lines).toHaveLength(3)
})

test('error: a fault that lasts is logged again after some time', async () => {
  refresh = () => Promise.reject(new Error('there is no such file'))
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(lines).toHaveLength(7)
})

test('behavior: one that comes when all is being closed is not taken', async () => {
  let come: (config: NetworkConfig) => void = () => undefined
  refresh = () =>
    new Promise((resolve) => {
      come = resolve
    })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  end()
  come(listOf(7))
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect([fetches, replaced, lines]).toEqual([1, [], []])
})
