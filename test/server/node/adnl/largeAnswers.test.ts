// Clients that get large answers at the same time.

import { expect, test } from 'vitest'
import { connectTo, listen } from './adnlScene.ts'

/** Pieces of work in a turn of the event loop. */
const OF_TURN = 16

test('behavior: of large answers that are there at once few are sent in a turn of the event loop, and all of them in the end', async () => {
  const [connections, count] = [8, 12]
  const answer = new Uint8Array(256 * 1024).fill(5)
  let waiting = 0
  let release: (answer: Uint8Array) => void = () => undefined
  const shared = new Promise<Uint8Array>((resolve) => {
    release = resolve
  })
  const listener = await listen({
    onQuery: () => {
      waiting++
      if (waiting === connections * count) setImmediate(release, answer)
      return shared
    },
  })
  let [before, mostOfTurn] = [0, 0]
  const turn = (): void => {
    const { answers } = listener.stats()
    mostOfTurn = Math.max(mostOfTurn, answers - before)
    before = answers
    if (answers < connections * count) setImmediate(turn)
  }
  const clients = await Promise.all(Array.from({ length: connections }, () => connectTo(listener)))
  turn()
  const queries = clients.flatMap((client) => Array.from({ length: count }, () => client.query(new Uint8Array(4))))
  const lengths = new Set((await Promise.all(queries)).map(({ length }) => length))
  expect([...lengths]).toEqual([answer.length])
  expect(listener.stats().answers).toBe(connections * count)
  expect(mostOfTurn).toBeGreaterThan(0)
  expect(mostOfTurn).toBeLessThanOrEqual(OF_TURN)
})
