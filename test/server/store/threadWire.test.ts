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

test('short responses are parsed in the turn they come in, as long as it has time', async () => {
  const thread = new Worker('', { eval: true })
  onTestFinished(() => void thread.terminate())
  const wire = new ThreadWire(thread)
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  let parsed = 0
  wire.on('data', () => {
    parsed++
    now += SLICE_MS / 4
  })
  await new Promise((resolve) => setImmediate(resolve))
  for (let i = 0; i < 9; i++) wire.receive(Uint8Array.of(i))
  expect(parsed).toBe(4)
  await new Promise((resolve) => setImmediate(resolve))
  expect(parsed).toBe(8)
})

test('several short responses are parsed in a turn that others have used up', async () => {
  const thread = new Worker('', { eval: true })
  onTestFinished(() => void thread.terminate())
  const wire = new ThreadWire(thread)
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  let parsed = 0
  wire.on('data', () => {
    parsed++
    now += SLICE_MS / 40
  })
  await new Promise((resolve) => setImmediate(resolve))
  atNextTurn(() => {
    now = turnBegan() + SLICE_MS
    return false
  }, true)
  for (let i = 0; i < 9; i++) wire.receive(Uint8Array.of(i))
  await new Promise((resolve) => setImmediate(resolve))
  expect(parsed).toBe(9)
})
