// Clients that get large answers at the same time.

import { expect, test } from 'vitest'
import { connectTo, listen, rawClient } from './adnlScene.ts'

/** Pieces of work in a turn of the event loop. */
const OF_TURN = 16

const CONNECTIONS = 8
const COUNT = 12
const ANSWER = new Uint8Array(256 * 1024).fill(5)

/** All queries get the answer at once. Resolves with the bytes of answers, null for a query without one, when all are over. */
async function manyAtOnce(maxTotalUnsentBytes: number) {
  let waiting = 0
  let release: (answer: Uint8Array) => void = () => undefined
  const shared = new Promise<Uint8Array>((resolve) => {
    release = resolve
  })
  const listener = await listen({
    limits: { maxTotalUnsentBytes },
    onQuery: () => {
      waiting++
      if (waiting === CONNECTIONS * COUNT) setImmediate(release, ANSWER)
      return shared
    },
  })
  let before = 0
  let mostOfTurn = 0
  let mostUnsent = 0
  let isOver = false
  const turn = (): void => {
    const { answers, unsentBytes } = listener.stats()
    mostOfTurn = Math.max(mostOfTurn, answers - before)
    mostUnsent = Math.max(mostUnsent, unsentBytes)
    before = answers
    if (!isOver) setImmediate(turn)
  }
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectTo(listener)))
  turn()
  const queries = clients.flatMap((client) => Array.from({ length: COUNT }, () => client.query(new Uint8Array(4))))
  const settled = await Promise.allSettled(queries)
  isOver = true
  const lengths = settled.map((one) => (one.status === 'fulfilled' ? one.value.length : null))
  return { lengths, mostOfTurn, mostUnsent, ended: listener.stats().ended.unread }
}

test('behavior: of large answers that are there at once few are sent in a turn of the event loop, and all of them in the end', async () => {
  const { lengths, mostOfTurn, mostUnsent, ended } = await manyAtOnce(256 << 20)
  expect(lengths).toEqual(new Array(CONNECTIONS * COUNT).fill(ANSWER.length))
  expect(mostOfTurn).toBeGreaterThan(0)
  expect(mostOfTurn).toBeLessThanOrEqual(OF_TURN)
  // Those that wait for their turn count.
  expect(mostUnsent).toBeGreaterThan(OF_TURN * ANSWER.length)
  expect(ended).toBe(0)
})

test('behavior: large answers that wait for their turn count as unsent, and connections end above the bound of all', async () => {
  const most = 8 << 20
  const { lengths, mostUnsent, ended } = await manyAtOnce(most)
  expect(mostUnsent).toBeLessThanOrEqual(most)
  expect(ended).toBeGreaterThan(0)
  expect(lengths.filter((length) => length === null).length).toBeGreaterThan(0)
})

test('behavior: behind a large answer few queries are made at once, also when a small one came between', async () => {
  const held: (() => void)[] = []
  const listener = await listen({
    limits: { maxPendingBytes: 6 << 20 },
    onQuery: ([length = 0]) => new Promise((resolve) => held.push(() => resolve(new Uint8Array(length << 20)))),
  })
  const client = await rawClient(listener)
  const send = (...lengths: readonly number[]): void =>
    client.send(
      ...lengths.map((length) => ({
        '@type': 'adnl.message.query' as const,
        query_id: new Uint8Array(32),
        query: Uint8Array.of(length),
      })),
    )
  const answer = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()?.()
    await client.receive()
  }
  for (const length of [2, 0]) {
    send(length)
    await answer()
  }
  send(...new Array<number>(40).fill(0))
  // Each may be three quarters of the large one: with a fifth they are more than the bound.
  await expect.poll(() => held.length).toBe(5)
  for (let left = 40; left > 0; left--) await answer()
})
