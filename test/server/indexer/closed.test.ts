import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { openNode, openStore, startIndex, upToDate } from './indexScene.ts'

test('an index that is closed leaves nothing behind at a database that stays open', async () => {
  const { chain, node } = await openNode()
  const store = await openStore()
  const led: AbortSignal[] = []
  const lead: typeof store.lead = async (signal) => {
    const leadership = await store.lead(signal)
    led.push(leadership.lost)
    return leadership
  }
  const indexer = startIndex({ node, database: { ...store, lead } })
  await upToDate(indexer, chain)
  await indexer.close()
  expect(led.map((lost) => getEventListeners(lost, 'abort'))).toEqual([[]])
})
