// Blocks that had nothing for a webhook lie behind it, also while the first event after them cannot be delivered.

import { expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { readStreamCursor } from '../../../server/streaming/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'
import { growingBlocks } from './growingBlocks.ts'
import { openRunner } from './runnerScene.ts'

test('a webhook that stops while its endpoint is down goes on at the event, not before what had none', async () => {
  await using database = await freshDatabase('pglite')
  const { posts, ask, grow, restart } = openDelivery(database, database, undefined, (mcSeqno) => mcSeqno === 9)
  await ask('POST', '/webhooks', wish)
  for (let seqno = 2; seqno <= 9; seqno++) grow()
  await eventually(() => (posts.length > 0 ? true : undefined))
  await restart()
  const [row] = await database.read.query<{ readonly cursor: string }>(sql`select cursor from webhooks`)
  expect(readStreamCursor(row?.cursor ?? '')?.mcSeqno).toBe(8)
})

test('a webhook that is far behind, with nothing for it since, is at the newest block after one look', async () => {
  await using database = await freshDatabase('pglite')
  const newest = 200
  const { feed } = growingBlocks(newest)
  const followed: number[] = []
  let looks = 0
  const { runner, end } = await openRunner(database, {
    feed: {
      ...feed,
      from(seqno, options) {
        followed.push(seqno)
        return feed.from(seqno, options)
      },
    },
    async concerning() {
      looks++
      if (looks > 1) throw new Error('it looks again')
      return []
    },
    behind: { seqno: 1, rootHash: new Uint8Array(32).fill(1) },
    withEvent: [],
    onPost: () => undefined,
  })
  const ended = runner.run()
  await Promise.race([eventually(() => followed.includes(newest - 1) || undefined), ended])
  end.abort()
  expect(await ended).toBe(false)
})
