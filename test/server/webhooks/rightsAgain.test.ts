// A key gets the right to all accounts back right after its webhook was left alone for want of it.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { Deliverer } from '../../../server/webhooks/deliverer.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { growingBlocks, waitingForAll } from './growingBlocks.ts'

const head = { seqno: 1, rootHash: new Uint8Array(32).fill(1) }
const OWN = { owner: 'key', endpoint: '', description: '', token: '', secret: '', created_at: 0n }

test('a webhook whose right comes back before the next look is delivered', async () => {
  await using database = await freshDatabase('pglite')
  await database.transaction(async (to) =>
    addWebhookRow(to, { ...OWN, ...(await firstPlace(to, head)), subscription: '{}' }),
  )
  let isRead = false
  let looks = 0
  const notices = {
    read: async () => {
      isRead = true
      return { types: new Set(['blocks']), addresses: new Set(['*']) }
    },
    ofBlock: async (_: unknown, __: unknown, after: number) => ({
      notices: after >= 1 ? [] : [{ position: 1, text: '{"type":"blocks"}' }],
      isAll: true,
    }),
    waiting: waitingForAll,
  }
  const { feed, grow } = growingBlocks(1)
  const posts: string[] = []
  const deliverer = new Deliverer({
    feed,
    // The cast: parts of notices that are not asked for here.
    notices: notices as unknown as BlockNotices,
    database,
    canRewind: false,
    isOurs: () => true,
    pollMs: 10,
    holders: async () => {
      if (isRead) looks++
      return new Map([['key', { allAccounts: isRead }]])
    },
    post: async ({ name }) => {
      posts.push(name)
      return { status: 200, ms: 1, error: '' }
    },
    log: { warn: () => undefined },
  })
  onTestFinished(() => deliverer.close())
  await eventually(() => (isRead ? true : undefined))
  grow()
  await eventually(() => (posts.length > 0 || looks > 50 ? true : undefined))
  expect(posts).toEqual(['blocks'])
})
