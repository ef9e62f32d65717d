// A runner of one webhook over a feed that a test makes, with events in some blocks.

import { onTestFinished } from 'vitest'
import { addWebhookRow, type BlockRowsFeed, type Database, type MasterId } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { DeliveryWrites } from '../../../server/webhooks/deliveryWrites.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { Runner } from '../../../server/webhooks/runner.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { waitingForAll } from './growingBlocks.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }

interface Scene {
  readonly feed: Partial<BlockRowsFeed>
  readonly concerning: (of: unknown, range: { readonly first: number }) => Promise<readonly number[]>
  /** The block it goes on behind. */
  readonly behind: MasterId
  readonly withEvent: readonly number[]
  readonly onPost: (event: { readonly name: string; readonly body: string }) => unknown
  readonly canRewind?: boolean
}

/** Each post is taken; the event of a block is called `block`, and its body is the seqno. */
export async function openRunner(
  database: Database,
  { feed, concerning, behind, withEvent, onPost, canRewind = true }: Scene,
) {
  // The casts: parts of the feed and of notices that are not asked for here.
  const notices = { concerning, waiting: waitingForAll } as unknown as BlockNotices
  const parts = { feed: feed as BlockRowsFeed, notices }
  const taken = await database.transaction(async (to) => {
    return await claim(to, await addWebhookRow(to, { ...OWN, ...(await firstPlace(to, behind)) }))
  })
  if (taken === null) throw new Error('no webhook')
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const eventOf = (mcSeqno: number) => ({ position: 1, name: 'block', body: `${mcSeqno}`, account: null })
  const runner = new Runner(
    {
      ...parts,
      canRewind,
      room: new WaitingRoom(parts),
      writes: new DeliveryWrites(database),
      post: async (event) => {
        await onPost(event)
        return { status: 200, ms: 1, error: '' }
      },
      events: async ({ mcSeqno }) => ({ events: withEvent.includes(mcSeqno) ? [eventOf(mcSeqno)] : [], isAll: true }),
      log: { warn: () => undefined },
    },
    await readClaim(notices, taken),
    end.signal,
  )
  return { runner, end, id: taken.row.id }
}
