// Blocks that are undone where the feed cannot notice it: it is not followed while a webhook catches up.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { DeliveryWrites } from '../../../server/webhooks/deliveryWrites.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { Runner } from '../../../server/webhooks/runner.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { waitingForAll } from './growingBlocks.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
const HEAD = 100
const WITH_EVENT = [40, 50]

test('what takes the place of undone blocks is posted after the report that they were undone', async () => {
  await using database = await freshDatabase('pglite')
  let isForked = false
  const hashOf = (seqno: number) => new Uint8Array(32).fill(isForked && seqno > 1 ? seqno + HEAD : seqno)
  // The casts: parts of blocks, of the feed and of notices that are not asked for here.
  const blockOf = (mcSeqno: number) => ({ mcSeqno, rootHash: hashOf(mcSeqno), transactions: [] }) as never
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: HEAD, rootHash: hashOf(HEAD) }),
    block: async (seqno) => blockOf(seqno),
    reverts: 0,
    lowestSince: () => null,
    async *from(seqno, { signal } = {}) {
      for (let next = seqno; next <= HEAD; next++) yield { kind: 'block', rows: blockOf(next) }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const concerning = async (_: unknown, { first }: { first: number }) => WITH_EVENT.filter((seqno) => seqno > first)
  const notices = { concerning, waiting: waitingForAll } as unknown as BlockNotices
  const parts = { feed: feed as BlockRowsFeed, notices }
  const taken = await database.transaction(async (to) => {
    const place = await firstPlace(to, { seqno: 1, rootHash: hashOf(1) })
    return await claim(to, await addWebhookRow(to, { ...OWN, ...place }))
  })
  if (taken === null) throw new Error('no webhook')
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const posts: string[] = []
  const runner = new Runner(
    {
      ...parts,
      canRewind: true,
      room: new WaitingRoom(parts),
      writes: new DeliveryWrites(database),
      post: async ({ name }) => {
        posts.push(name)
        isForked = true
        return { status: 200, ms: 1, error: '' }
      },
      events: async ({ mcSeqno }) => ({
        events: WITH_EVENT.includes(mcSeqno) ? [{ position: 1, name: `${mcSeqno}`, body: '{}', account: null }] : [],
        isAll: true,
      }),
      log: { warn: () => undefined },
    },
    await readClaim(notices, taken),
    end.signal,
  )
  const ended = runner.run()
  await eventually(() => posts.includes('50') || undefined)
  end.abort()
  await ended
  expect(posts).toEqual(['40', 'chain_reverted', '40', '50'])
})
