// A process that was held up between two attempts, while another one went on with its webhook.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { CursorWriter } from '../../../server/webhooks/cursorWriter.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { Runner } from '../../../server/webhooks/runner.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import { claim } from '../../../server/webhooks/webhook.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const head = { seqno: 1, rootHash: new Uint8Array(32).fill(1) }
const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
const notices = { waiting: () => ({ add: () => () => undefined, concernedBy: async () => [] }) }

test.each(drivers)('posts nothing of it again (%s)', async (driver) => {
  await using database = await freshDatabase(driver)
  const id = await database.transaction(async (to) =>
    addWebhookRow(to, { ...OWN, ...(await firstPlace(to, head)), subscription: '' }),
  )
  // The casts: parts of blocks and notices that a runner without events does not ask for.
  const block = (mcSeqno: number) =>
    ({ mcSeqno, rootHash: new Uint8Array(32).fill(mcSeqno), transactions: [] }) as never
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: 2, rootHash: new Uint8Array(32).fill(2) }),
    block: async (seqno) => block(seqno),
    reverts: 0,
    lowestSince: () => null,
    async *from(seqno) {
      for (let next = seqno; next <= 2; next++) yield { kind: 'block', rows: block(next) }
    },
  }
  const take = () => database.transaction((to) => claim(to, notices as unknown as BlockNotices, id))
  let posts = 0
  let isTaken = false
  const held: typeof database.transaction = async (work, options) => {
    const result = await database.transaction(work, options)
    // Once the failure is noted, and before the next attempt.
    if (posts === 1 && !isTaken) isTaken = (await take()) !== null
    return result
  }
  const parts = { feed: feed as BlockRowsFeed, notices: notices as unknown as BlockNotices }
  const webhook = await take()
  if (webhook === null) throw new Error('no webhook')
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const runner = new Runner(
    {
      ...parts,
      database: { transaction: held },
      room: new WaitingRoom(parts),
      cursors: new CursorWriter({ transaction: held }),
      post: async () => {
        posts++
        return { status: 500, ms: 1, error: 'answered 500' }
      },
      events: async ({ mcSeqno }) => (mcSeqno === 2 ? [{ position: 1, name: 'test', body: '{}', account: null }] : []),
      canRewind: false,
      pauseAfter: () => 1,
      log: { warn: () => undefined },
    },
    webhook,
    end.signal,
  )
  await runner.run()
  expect([isTaken, posts]).toEqual([true, 1])
})
