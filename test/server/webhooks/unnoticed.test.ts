// Blocks that are undone where the feed cannot notice it: it is not followed while a webhook catches up.

import { expect, test } from 'vitest'
import type { BlockRowsFeed } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openRunner } from './runnerScene.ts'

const HEAD = 100
const WITH_EVENT = [40, 50]

test('what takes the place of undone blocks is posted after the report that they were undone', async () => {
  await using database = await freshDatabase('pglite')
  let isForked = false
  const hashOf = (seqno: number) => new Uint8Array(32).fill(isForked && seqno > 1 ? seqno + HEAD : seqno)
  // The cast: parts of blocks that are not asked for here.
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
  const posts: string[] = []
  const { runner, end } = await openRunner(database, {
    feed,
    concerning: async (_, { first }) => WITH_EVENT.filter((seqno) => seqno > first),
    behind: { seqno: 1, rootHash: hashOf(1) },
    withEvent: WITH_EVENT,
    onPost({ name, body }) {
      posts.push(name === 'block' ? body : name)
      isForked = true
    },
  })
  const ended = runner.run()
  await eventually(() => posts.includes('50') || undefined)
  end.abort()
  await ended
  expect(posts).toEqual(['40', 'chain_reverted', '40', '50'])
})
