// Clients that send small frames without an end.

import { expect, test } from 'vitest'
import { frameOf, listen, rawClient, serves } from './adnlScene.ts'

/** A query of no bytes. */
function emptyQuery(): Uint8Array {
  const bytes = new Uint8Array(40)
  bytes.set([0x7a, 0xf9, 0x8b, 0xb4])
  return frameOf(bytes)
}

test('behavior: of many connections few frames are read in a turn of the event loop, and all of them in the end', async () => {
  const connections = 8
  const count = 5000
  let ofTurn = 0
  let mostOfTurn = 0
  let all = 0
  const listener = await listen({
    onQuery: async (query) => {
      if (query.length > 0) return new Uint8Array(query).reverse()
      ofTurn++
      all++
      return null
    },
  })
  const turn = (): void => {
    mostOfTurn = Math.max(mostOfTurn, ofTurn)
    ofTurn = 0
    if (all < connections * count) setImmediate(turn)
  }
  const clients = await Promise.all(Array.from({ length: connections }, () => rawClient(listener)))
  const frames = Buffer.concat(Array.from({ length: count }, emptyQuery))
  turn()
  for (const client of clients) client.sendPlain(frames)
  while (all < connections * count) expect(await serves(listener)).toBe(true)
  expect(all).toBe(connections * count)
  // 64 of each connection at once, and as many for each of 16 that have their turn.
  expect(mostOfTurn).toBeLessThanOrEqual(64 * (connections + 16))
})
