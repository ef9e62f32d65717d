// A webhook whose owner lost what was posted: it is posted again, from a block on.

import { expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'

test('everything from a block on is posted again, also when it was suspended, and then what is new', async () => {
  await using database = await freshDatabase('pglite')
  const { posts, ask, grow, mend, restart } = openDelivery(database)
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  const heard = (count: number) => eventually(() => (posts.length >= count ? true : undefined))
  mend()
  for (const _ of [2, 3, 4]) grow()
  await heard(3)
  await database.transaction((to) => to.query(sql`update webhooks set status = 'suspended'`))
  await restart()
  await ask('POST', `/webhooks/${id}/replay`, { from: 3 })
  await heard(5)
  grow()
  await heard(6)
  await restart()
  grow()
  await heard(7)
  expect(posts).toEqual(['2', '3', '4', '3', '4', '5', '6'])
})

test('a block that is not there is refused, and nothing is posted again', async () => {
  await using database = await freshDatabase('pglite')
  const { posts, ask, grow, mend } = openDelivery(database)
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  mend()
  grow()
  await eventually(() => posts.length || undefined)
  const replay = (body: object, of = id) => ask('POST', `/webhooks/${of}/replay`, body)
  await expect(replay({ from: 3 })).rejects.toThrow('from: the newest block is 2')
  for (const from of [1, 0, 1.5, '2', null]) await expect(replay({ from })).rejects.toThrow(/^from: /)
  await expect(replay({})).rejects.toThrow('from: is required')
  await expect(replay({ from: 2 }, 99)).rejects.toThrow('webhook 99 is not yours, or does not exist')
  grow()
  await eventually(() => (posts.length === 2 ? true : undefined))
  expect(posts).toEqual(['2', '3'])
})
