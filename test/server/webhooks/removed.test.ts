// A webhook that is removed by another process while it is changed.

import { expect, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed, type Database, type Sql, sql } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { createWebhooksService } from '../../../server/webhooks/index.ts'
import { freshDatabase } from '../../setup/database.ts'

const ROW = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }

/** Removes all webhooks before a row of one is locked. */
const removing = (database: Database): Pick<Database, 'transaction'> => ({
  transaction: (work, options) =>
    database.transaction((to) => {
      const query: Sql['query'] = async (statement, how) => {
        if (statement.text.includes('for update')) await to.query(sql`delete from webhooks`)
        return await to.query(statement, how)
      }
      return work({ query })
    }, options),
})

test.each([
  ['generate-new-token', ''],
  ['account-tx/subscribe', JSON.stringify({ accounts: [{ account_id: `0:${'1'.repeat(64)}` }] })],
  ['subscribe-msg-opcode/0x1', ''],
  ['back-online', ''],
])('%s answers that it does not exist', async (action, body) => {
  await using database = await freshDatabase('pglite')
  const id = await database.transaction((to) => addWebhookRow(to, { ...ROW, cursor: '', trail: '' }))
  // The casts: what no change needs.
  const parts = { feed: null as unknown as BlockRowsFeed, notices: null as unknown as BlockNotices }
  const serve = createWebhooksService({
    ...parts,
    database: removing(database),
    rules: { allowsPrivate: true },
    parse: (text: string): unknown => JSON.parse(text),
    post: () => Promise.reject(new Error('nothing is posted')),
    changed: () => undefined,
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  const request = { verb: 'POST', path: `/webhooks/${id}/${action}`, query: '', body, caller, mayControl: true }
  await expect(serve(request, new AbortController().signal)).rejects.toMatchObject({ kind: 'notFound' })
})
