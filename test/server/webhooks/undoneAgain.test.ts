// Blocks that are undone again, deeper, while a webhook looks for the last block that stayed.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { DeliveryWrites } from '../../../server/webhooks/deliveryWrites.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { Runner } from '../../../server/webhooks/runner.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { waitingForAll } from './growingBlocks.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
const HEAD = 12
const DELIVERED = 10
const FIRST = 7
const DEEPER = 4
const WITH_EVENT = [6, 8]

test('the report names the deepest, and what takes the place of all that was undone is posted', async () => {
  await using database = await freshDatabase('pglite')
  const undone: number[] = []
  /** Of the branch that a block is on. */
  const branchOf = (seqno: number) => undone.filter((last) => seqno > last).length
  const hashOf = (seqno: number) => new Uint8Array(32).fill(seqno + 100 * branchOf(seqno))
  // The casts: parts of blocks, of the feed and of notices that are not asked for here.
  const blockOf = (mcSeqno: number) => ({ mcSeqno, rootHash: hashOf(mcSeqno), transactions: [] }) as never
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: HEAD, rootHash: hashOf(HEAD) }),
    async block(seqno) {
      if (seqno === FIRST && undone.length === 1) undone.push(DEEPER)
      return blockOf(seqno)
    },
    get reverts() {
      return undone.length
    },
    lowestSince: (reverts) => (reverts < undone.length ? Math.min(...undone.slice(reverts)) : null),
    async *from(seqno, { signal } = {}) {
      for (let next = seqno; next <= HEAD; next++) yield { kind: 'block', rows: blockOf(next) }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const notices = { concerning: async () => [], waiting: waitingForAll } as unknown as BlockNotices
  const parts = { feed: feed as BlockRowsFeed, notices }
  const taken = await database.transaction(async (to) => {
    const place = await firstPlace(to, { seqno: DELIVERED, rootHash: hashOf(DELIVERED) })
    return await claim(to, await addWebhookRow(to, { ...OWN, ...place }))
  })
  if (taken === null) throw new Error('no webhook')
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const posts: string[] = []
  const runner = new Runner(
    {
      ...parts,
      canRewind: true,
      room: new WaitingRoom(parts),
      writes: new DeliveryWrites(database),
      post: async ({ name, body }) => {
        posts.push(`${name} ${body}`)
        return { status: 200, ms: 1, error: '' }
      },
      events: async ({ mcSeqno }) => ({
        events: WITH_EVENT.includes(mcSeqno) ? [{ position: 1, name: 'block', body: `${mcSeqno}`, account: null }] : [],
        isAll: true,
      }),
      log: { warn: () => undefined },
    },
    await readClaim(notices, taken),
    end.signal,
  )
  undone.push(FIRST)
  const ended = runner.run()
  await eventually(() => posts.includes('block 8') || undefined)
  end.abort()
  await ended
  const report = JSON.stringify({ type: 'chain_reverted', mc_seqno: DEEPER })
  expect(posts).toEqual([`chain_reverted ${report}`, 'block 6', 'block 8'])
})
