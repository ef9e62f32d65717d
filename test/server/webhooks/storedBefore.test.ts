// Webhooks that an earlier program stored go on after an upgrade.

import { expect, test } from 'vitest'
import { addWebhookRow } from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { freshDatabase } from '../../setup/database.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', created_at: 0n, cursor: '', trail: '' }
// The cast: a subscription is read without them.
const notices = new BlockNotices({} as ConstructorParameters<typeof BlockNotices>[0])

test.each([
  ['without opcodes', { types: ['heads'] }],
  ['with opcodes, which meant nothing', { types: ['heads'], opcodes: ['0x0f8a7ea5'] }],
  ['with opcodes that are none', { types: ['heads'], opcodes: 'all' }],
])('a subscription %s', async (_, subscription) => {
  await using database = await freshDatabase('pglite')
  const row = { ...OWN, subscription: JSON.stringify(subscription) }
  const claimed = await database.transaction(async (to) => await claim(to, await addWebhookRow(to, row)))
  if (claimed === null) throw new Error('no webhook')
  const { filter } = await readClaim(notices, claimed)
  expect(filter.subscription).toMatchObject({ types: new Set(['heads']), opcodes: new Set() })
})
