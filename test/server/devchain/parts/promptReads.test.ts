// Reads of the chain's files hold the process only while they are in memory.

import { afterEach, expect, test, vi } from 'vitest'
import { type LogFile, PromptReads } from '../../../../server/devchain/log/index.ts'

afterEach(() => vi.restoreAllMocks())

/** A file whose reads take so long, in a process that has waited so often for a disk and so long for a processor. */
function readsOf() {
  const state = {
    now: 1_000,
    readMs: 0,
    waits: 50,
    waitsOfRead: 0,
    queuedMs: 0,
    queuedMsOfRead: 0,
    atOnce: 0,
    later: 0,
  }
  vi.spyOn(performance, 'now').mockImplementation(() => state.now)
  const { resourceUsage } = process
  vi.spyOn(process, 'resourceUsage').mockImplementation(() => ({
    ...resourceUsage.call(process),
    fsRead: state.waits,
  }))
  const refuse = () => Promise.reject(new Error('only read here'))
  const file: LogFile = {
    readNow(into) {
      state.atOnce++
      state.now += state.readMs
      state.waits += state.waitsOfRead
      state.queuedMs += state.queuedMsOfRead
      return into.length
    },
    read(into) {
      state.later++
      return Promise.resolve(into.length)
    },
    write: refuse,
    sync: refuse,
    truncate: refuse,
    size: refuse,
    close: () => Promise.resolve(),
  }
  const reads = new PromptReads(() => state.queuedMs)
  return { state, read: () => reads.read(file, new Uint8Array(8), 0) }
}

test('behavior: after a read that waited for the disk the next ones do not hold the process', async () => {
  const { read, state } = readsOf()
  read()
  Object.assign(state, { readMs: 5, waitsOfRead: 1 })
  read()
  expect(await read()).toBe(8)
  expect(state).toMatchObject({ atOnce: 2, later: 1 })
  state.now += 1_000
  read()
  expect(state).toMatchObject({ atOnce: 3, later: 1 })
})

test('behavior: what others of the process read from the disk long before makes no read slow', () => {
  const { read, state } = readsOf()
  read()
  // The log, a database, a start: then a read that was slow because the machine is busy.
  state.waits += 1_000
  state.now += 60_000
  state.readMs = 5
  read()
  read()
  expect(state).toMatchObject({ atOnce: 3, later: 0 })
})

test('behavior: a read during which others had the processor is not slow, however long that was', () => {
  const { read, state } = readsOf()
  Object.assign(state, { readMs: 40, queuedMsOfRead: 39.5, waitsOfRead: 1 })
  for (let i = 0; i < 3; i++) read()
  expect(state).toMatchObject({ atOnce: 3, later: 0 })
  state.readMs = 80
  read()
  read()
  expect(state).toMatchObject({ atOnce: 4, later: 1 })
})

test.each([
  ['disk', 5, 1],
  ['disk of the network, whose waits the system does not count,', 30, 0],
])('behavior: a %s that is slow at each try is tried ever more rarely', (_, readMs, waitsOfRead) => {
  const { read, state } = readsOf()
  Object.assign(state, { readMs, waitsOfRead })
  for (const end = state.now + 60_000; state.now < end; state.now += 10) read()
  // Each quarter of a second would be 240.
  expect(state.atOnce).toBeLessThan(12)
  expect(state.later).toBeGreaterThan(5_000)
  const tried = state.atOnce
  Object.assign(state, { readMs: 0, waitsOfRead: 0 })
  for (const end = state.now + 60_000; state.now < end; state.now += 10) read()
  expect(state.atOnce - tried).toBeGreaterThan(4_000)
  Object.assign(state, { readMs, waitsOfRead })
  read()
  Object.assign(state, { readMs: 0, waitsOfRead: 0 })
  state.now += 251
  const before = state.atOnce
  read()
  expect(state.atOnce).toBe(before + 1)
})
