// What a block has for a webhook may be megabytes, a thousand webhooks may name one endpoint, and a pause after a failure may be an
// hour: it is read again for each attempt, and held by none of them meanwhile.

import { expect, test } from 'vitest'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openDelivery, wish } from './deliveryScene.ts'

test('what is posted again after a failure is read again', async () => {
  await using database = await freshDatabase('pglite')
  const reads: number[] = []
  const noteRead = (mcSeqno: number) => reads.push(mcSeqno) > 0
  const { posts, ask, grow, mend } = openDelivery(database, database, undefined, noteRead)
  const { webhook_id: id } = await ask('POST', '/webhooks', wish)
  grow()
  await eventually(() => posts.length >= 3 || undefined)
  mend()
  await eventually(async () => (await ask('GET', `/webhooks/${id}`)).delivered === 1 || undefined)
  expect(new Set(posts)).toEqual(new Set(['2']))
  expect(reads.length).toBeGreaterThanOrEqual(posts.length)
})
