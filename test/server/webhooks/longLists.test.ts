// Requests for webhooks that are as long as a body may be: they are read in pieces, and no further than their first fault.

import { expect, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed } from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { createWebhooksService } from '../../../server/webhooks/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`
const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
// The cast: a subscription is read without them.
const notices = new BlockNotices({} as ConstructorParameters<typeof BlockNotices>[0])

test('a subscription to thousands of accounts is read in pieces', async () => {
  const addresses = Array.from({ length: 13_000 }, (_, i) => account(i))
  const { found, turns } = await turnsOf(() => notices.read({ types: ['transactions'], addresses }, 13_000))
  expect(found.addresses).toEqual(new Set(addresses))
  expect(turns).toBeGreaterThan(100)
  await expect(notices.read({ types: ['transactions'], addresses }, 12_999)).rejects.toThrow('too many addresses')
})

test.each(['subscribe', 'unsubscribe'])('accounts to %s are looked at up to the first that is none', async (verb) => {
  await using database = await freshDatabase('pglite')
  const id = await database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: '', trail: '' }))
  let looks = 0
  const accounts = new Proxy([...new Array(60_000).fill(0)], {
    get(list, name) {
      looks++
      return Reflect.get(list, name)
    },
  })
  const serve = createWebhooksService({
    // The cast: no block is read.
    feed: null as unknown as BlockRowsFeed,
    notices,
    database,
    rules: { allowsPrivate: true },
    parse: () => ({ accounts }),
    post: () => Promise.reject(new Error('nothing is posted')),
    changed: () => undefined,
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  const path = `/webhooks/${id}/account-tx/${verb}`
  const request = { verb: 'POST', path, query: '', body: '{}', caller, mayControl: true }
  await expect(serve(request, new AbortController().signal)).rejects.toThrow('accounts.0')
  expect(looks).toBeLessThan(100)
})
