// Progress of many webhooks that is stored together.

import { expect, test } from 'vitest'
import { addWebhookRow, type WebhookAttempt } from '../../../server/store/index.ts'
import { DeliveryWrites } from '../../../server/webhooks/deliveryWrites.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { claim } from '../../../server/webhooks/webhook.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '{}', created_at: 0n }
const FAILED = {
  cursor: '',
  trail: '',
  at: 1n,
  event: 'test',
  mcSeqno: 1,
  attempt: 1,
  status: 500,
  ms: 1,
  account: null,
}

test.each(drivers)('%s: error: what cannot be stored of one webhook holds up no other', async (driver) => {
  await using database = await freshDatabase(driver)
  const newest = { seqno: 1, rootHash: new Uint8Array(32).fill(1) }
  const claimed = async () => {
    const id = await database.transaction(async (to) =>
      addWebhookRow(to, { ...OWN, ...(await firstPlace(to, newest)) }),
    )
    const taken = await database.transaction((to) => claim(to, id))
    if (taken === null) throw new Error('no webhook')
    return taken.row
  }
  const first = await claimed()
  const wrong = await claimed()
  const last = await claimed()
  const writes = new DeliveryWrites(database)
  const note = ({ id, epoch }: typeof first, error: string) => {
    const attempt: WebhookAttempt = { id, epoch, ...FAILED, error, isTaken: false, isPruned: false, next: null }
    return writes.note(attempt)
  }
  // No text of PostgreSQL has such a character.
  const noted = await Promise.allSettled([note(first, 'away'), note(wrong, 'away\0'), note(last, 'away')])
  expect(noted.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual([true, 'failed', true])
})
