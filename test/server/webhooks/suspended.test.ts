// A webhook whose endpoint has failed two hundred times in a row: nothing is posted to it any more, until its owner wishes so.

import { expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'

test('after two hundred failures nothing is posted, also after a change and a start, until it is back online', async () => {
  await using database = await freshDatabase('pglite')
  const { posts, ask, grow, mend, restart } = openDelivery(database)
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  await database.transaction((to) => to.query(sql`update webhooks set failures = 197`))
  await restart()
  grow()
  const one = () => ask('GET', `/webhooks/${id}`)
  const suspended = await eventually(async () => ((await one()).status === 'suspended' ? await one() : undefined))
  const failed = { status_failed_attempts: 200, failed: 3, delivered: 0, reason: 'answered 500' }
  expect([suspended, posts.length]).toMatchObject([{ ...failed, next_attempt_at: null }, 3])

  mend()
  await ask('POST', `/webhooks/${id}/subscribe-new-contracts`)
  await restart()
  // Another one, added after all that, gets what the suspended one would have got.
  const { webhook_id: other } = await ask('POST', '/webhooks', wish)
  grow()
  await eventually(async () => ((await ask('GET', `/webhooks/${other}`)).delivered === 1 ? true : undefined))
  expect([(await one()).status, posts.slice(3)]).toEqual(['suspended', ['3']])

  await ask('POST', `/webhooks/${id}/back-online`)
  await eventually(async () => ((await one()).delivered === 2 ? true : undefined))
  expect(posts.slice(4)).toEqual(['2', '3'])
  expect(await one()).toMatchObject({ status: 'online', reason: '', status_failed_attempts: 0, next_attempt_at: null })
})
