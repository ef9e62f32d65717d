// A crowded connection, over real sockets.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AdnlListener, connectAdnl, createAdnlListener } from '../../../server/node/adnl/index.ts'
import { withSpareConnection } from '../../../server/node/spareConnection.ts'
import { patient } from './adnl/adnlScene.ts'

let listener: AdnlListener
/** Answers that are held back until the test lets them go. */
let held: (() => void)[]
beforeEach(async () => {
  held = []
  listener = await createAdnlListener({
    host: '127.0.0.1',
    port: 0,
    seed: new Uint8Array(32).fill(9),
    // It would stop reading while it holds answers back.
    limits: { maxPendingBytes: 2 ** 30 },
    onQuery: (query) => new Promise((resolve) => held.push(() => resolve(query))),
  })
})
afterEach(() => listener.close())

const open = (signal?: AbortSignal) => {
  const { port, key } = listener
  return connectAdnl({ host: '127.0.0.1', port, key, limits: patient, ...(signal === undefined ? {} : { signal }) })
}
const answerAll = (): void => {
  for (const answer of held.splice(0)) answer()
}
const connections = (): number => listener.stats().connections
const queries = (connection: ReturnType<typeof withSpareConnection>, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => connection.query(Uint8Array.of(from + i), { timeoutMs: 300_000 }))
const bytesOf = (from: number, count: number) => Array.from({ length: count }, (_, i) => Uint8Array.of(from + i))

test('default: only a crowded connection gets another one, and every query its own answer', async () => {
  const connection = withSpareConnection(await open(), open)
  const few = queries(connection, 0, 64)
  await vi.waitFor(() => expect(held.length).toBe(64), 300_000)
  expect(connections()).toBe(1)
  const more = queries(connection, 64, 8)
  await vi.waitFor(() => expect(connections()).toBe(2), 300_000)
  const onSpare = queries(connection, 72, 8)
  await vi.waitFor(() => expect(held.length).toBe(80), 300_000)
  answerAll()
  expect((await Promise.all([...few, ...more, ...onSpare])).map((answer) => Uint8Array.from(answer))).toEqual(
    bytesOf(0, 80),
  )
  connection.close()
  await vi.waitFor(() => expect(connections()).toBe(0), 300_000)
})

test('error: one that cannot be opened leaves the first to answer all', async () => {
  let attempts = 0
  const connection = withSpareConnection(await open(), () => {
    attempts++
    return Promise.reject(new Error('too many connections of one address'))
  })
  const all = queries(connection, 0, 100)
  await vi.waitFor(() => expect(held.length).toBe(100), 300_000)
  answerAll()
  expect((await Promise.all(all)).length).toBe(100)
  expect(attempts).toBe(1)
  connection.close()
})
