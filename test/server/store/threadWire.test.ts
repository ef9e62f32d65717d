// Responses of the embedded database on their way to the driver.

import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { atNextTurn, SLICE_MS, turnBegan } from '../../../server/fairness/index.ts'
import { ThreadWire } from '../../../server/store/pglite/threadWire.ts'

const PIECES = 60

/** Keeps the process busy: a piece takes that long to parse. */
function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('pieces that come in one turn are parsed in several, in order', async () => {
  const thread = new Worker('', { eval: true })
  const wire = new ThreadWire(thread)
  const parsed: number[] = []
  wire.on('data', (piece: Buffer) => {
    parsed.push(piece[0] ?? -1)
    spin(1)
  })
  await new Promise((resolve) => setImmediate(resolve))
  for (let i = 0; i < PIECES; i++) wire.receive(Uint8Array.of(i))
  const seen: number[] = []
  while (parsed.length < PIECES) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(parsed.length)
  }
  expect(parsed).toEqual(Array.from({ length: PIECES }, (_, i) => i))
  expect(seen.length).toBeGreaterThan(2)
  for (let i = 0; i < PIECES; i++) wire.receive(Uint8Array.of(i))
  wire.destroy()
  const before = parsed.length
  await new Promise((resolve) => setImmediate(resolve))
  expect(parsed.length).toBe(before)
  await thread.terminate()
})

/** The responses parsed so far, each of which takes so long on a clock that stands still otherwise; and that clock. */
async function openTimed(ms: number) {
  const thread = new Worker('', { eval: true })
  onTestFinished(() => void thread.terminate())
  const wire = new ThreadWire(thread)
  const seen = { now: performance.now(), parsed: 0 }
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => seen.now)
  onTestFinished(() => clock.mockRestore())
  wire.on('data', () => {
    seen.parsed++
    seen.now += ms
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { wire, seen }
}

test('a response is parsed when the next turn begins, whose time is there for what follows from it', async () => {
  const { wire, seen } = await openTimed(SLICE_MS)
  wire.receive(Uint8Array.of(1))
  expect(seen.parsed).toBe(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen.parsed).toBe(1)
})

test('several short responses are parsed in a turn that others have used up', async () => {
  const { wire, seen } = await openTimed(SLICE_MS / 40)
  atNextTurn(() => {
    seen.now = turnBegan() + SLICE_MS
    return false
  }, true)
  for (let i = 0; i < 9; i++) wire.receive(Uint8Array.of(i))
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen.parsed).toBe(9)
})
