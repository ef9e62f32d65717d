// Reads of a worker while the owner takes the index back and gives it again.

import { expect, test } from 'vitest'
import { IndexOfWorker } from '../../../../server/app/workers/indexOfWorker.ts'
import { sql } from '../../../../server/store/index.ts'

test('a read waits for the owner again when the index is taken back in the turn in which it was given', async () => {
  const words: (() => void)[] = []
  let reads = 0
  const index = new IndexOfWorker(
    {
      query: async () => {
        reads++
        return []
      },
    },
    () => new Promise<void>((resolve) => words.push(resolve)),
  )
  index.leave()
  const read = index.query(sql`select 1`)
  words[0]?.()
  index.leave()
  await new Promise((resolve) => setImmediate(resolve))
  expect([reads, words.length]).toEqual([0, 2])
  words[1]?.()
  await read
  await index.query(sql`select 1`)
  expect([reads, words.length]).toEqual([2, 2])
})
