// Of several processes the one that leads delivers, and what there is to deliver is known at once.

import { expect, test } from 'vitest'
import { claim } from '../../../server/webhooks/webhook.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'
import { growingBlocks } from './growingBlocks.ts'
import { openRunner } from './runnerScene.ts'

test('who leads no longer posts nothing more, also of what is added, and goes on when it leads again', async () => {
  await using database = await freshDatabase('pglite')
  let isOurs = true
  let looks = 0
  const lead = {
    pollMs: 1,
    isOurs: () => {
      looks++
      return isOurs
    },
  }
  const { posts, ask, grow, mend } = openDelivery(database, database, undefined, undefined, lead)
  const severalLooks = async () => {
    const from = looks
    await eventually(() => looks > from + 5 || undefined)
  }
  mend()
  await ask('POST', '/webhooks', wish)
  grow()
  await eventually(() => posts.length === 1 || undefined)
  isOurs = false
  await severalLooks()
  grow()
  await ask('POST', '/webhooks', wish)
  grow()
  await severalLooks()
  expect(posts).toEqual(['2'])
  isOurs = true
  await eventually(() => posts.length === 4 || undefined)
  expect([...posts].sort()).toEqual(['2', '3', '4', '4'])
})

/** As long as a new webhook needs until its first post, several times over. */
async function settled(ask: ReturnType<typeof openDelivery>['ask']): Promise<void> {
  for (let i = 0; i < 20; i++) await ask('GET', '/webhooks')
}

test('who does not lead does not begin what is added by it', async () => {
  await using database = await freshDatabase('pglite')
  const never = { pollMs: 1e9, isOurs: () => false }
  const { posts, ask, grow, mend } = openDelivery(database, database, undefined, undefined, never)
  mend()
  await ask('POST', '/webhooks', wish)
  await settled(ask)
  grow()
  await settled(ask)
  expect(posts).toEqual([])
})

test('nothing more is posted to a webhook that was removed', async () => {
  await using database = await freshDatabase('pglite')
  const { posts, ask, grow, mend } = openDelivery(database, database, undefined, undefined, { pollMs: 1e9 })
  mend()
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  grow()
  await eventually(() => posts.length === 1 || undefined)
  await ask('DELETE', `/webhooks/${id}`)
  await settled(ask)
  grow()
  await settled(ask)
  expect(posts).toEqual(['2'])
})

test('who is overtaken while it posts notes nothing, and posts nothing more', async () => {
  await using database = await freshDatabase('pglite')
  const { feed } = growingBlocks(5)
  const posts: string[] = []
  const { runner, end, id } = await openRunner(database, {
    feed,
    concerning: async () => [],
    behind: { seqno: 1, rootHash: new Uint8Array(32).fill(1) },
    withEvent: [3, 4],
    canRewind: false,
    async onPost({ body }) {
      posts.push(body)
      if (posts.length > 1) end.abort()
      await database.transaction((to) => claim(to, id))
    },
  })
  expect(await runner.run()).toBe(true)
  expect(posts).toEqual(['3'])
})
