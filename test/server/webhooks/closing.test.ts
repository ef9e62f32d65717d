// A service stops while the database of its webhooks does not answer.

import { expect, test } from 'vitest'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { Deliverer } from '../../../server/webhooks/index.ts'
import { growingBlocks, waitingForAll } from './growingBlocks.ts'

test('a database that hangs does not hold up the stop', async () => {
  let asked = 0
  const deliverer = new Deliverer({
    feed: growingBlocks(1).feed,
    // The cast: nothing else of notices is called before the database has answered.
    notices: { waiting: waitingForAll } as unknown as BlockNotices,
    database: {
      kind: 'postgres',
      transaction: () => {
        asked++
        return new Promise(() => undefined)
      },
    },
    post: async () => ({ status: 200, ms: 1, error: '' }),
    canRewind: false,
    isOurs: () => true,
    holders: async () => new Map(),
    log: { warn: () => undefined },
    closeMs: 1,
  })
  await expect.poll(() => asked).toBe(1)
  expect(await deliverer.close()).toBeUndefined()
})
