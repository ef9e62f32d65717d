// Two processes that both believe to deliver a webhook: the one that was overtaken posts nothing again, and goes on with it when
// it is the one that stays.

import { expect, onTestFinished, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed, type Database, sql } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { Deliverer } from '../../../server/webhooks/deliverer.ts'
import { DeliveryWrites } from '../../../server/webhooks/deliveryWrites.ts'
import { firstPlace } from '../../../server/webhooks/firstPlace.ts'
import { Runner } from '../../../server/webhooks/runner.ts'
import { WaitingRoom } from '../../../server/webhooks/waitingRoom.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { block, growingBlocks, waitingForAll } from './growingBlocks.ts'

const head = { seqno: 1, rootHash: new Uint8Array(32).fill(1) }
const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
// Parts of notices; what else they have is not asked for here.
const notices = {
  read: async () => ({ types: new Set(['blocks']), addresses: new Set() }),
  ofBlock: async ({ mcSeqno }: { mcSeqno: number }) => ({
    notices: mcSeqno === head.seqno ? [] : [{ position: 1, text: `{"type":"${mcSeqno}"}` }],
    isAll: true,
  }),
  concerning: async () => [],
  waiting: waitingForAll,
}

/** A runner of a webhook made at block 1, over blocks 1 and 2 with an event of the second. */
async function claimed(
  database: Database,
  { feed = {}, canRewind = false, held = (...all) => database.transaction(...all) }: Scene,
) {
  const id = await database.transaction(async (to) =>
    addWebhookRow(to, { ...OWN, ...(await firstPlace(to, head)), subscription: '' }),
  )
  const blocks: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: 2, rootHash: new Uint8Array(32).fill(2) }),
    block: async (seqno) => block(seqno),
    reverts: 0,
    lowestSince: () => null,
    async *from(seqno) {
      for (let next = seqno; next <= 2; next++) yield { kind: 'block', rows: block(next) }
    },
    ...feed,
  }
  const take = () => database.transaction((to) => claim(to, id))
  const parts = { feed: blocks as BlockRowsFeed, notices: notices as unknown as BlockNotices }
  const taken = await take()
  if (taken === null) throw new Error('no webhook')
  const webhook = await readClaim(parts.notices, taken)
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const posts: string[] = []
  const runner = new Runner(
    {
      ...parts,
      canRewind,
      room: new WaitingRoom(parts),
      writes: new DeliveryWrites({ transaction: held }),
      post: async ({ name }) => {
        posts.push(name)
        return { status: 500, ms: 1, error: 'answered 500' }
      },
      events: async ({ mcSeqno }) => ({
        events: mcSeqno === 2 ? [{ position: 1, name: 'test', body: '{}', account: null }] : [],
        isAll: true,
      }),
      pauseAfter: () => 1,
      log: { warn: () => undefined },
    },
    webhook,
    end.signal,
  )
  return { runner, take, posts }
}

interface Scene {
  readonly feed?: Partial<BlockRowsFeed>
  readonly canRewind?: boolean
  readonly held?: Database['transaction']
}

test.each(drivers)('who was held up between two attempts posts nothing again (%s)', async (driver) => {
  await using database = await freshDatabase(driver)
  let isTaken = false
  const held: Database['transaction'] = async (work, options) => {
    const result = await database.transaction(work, options)
    // Once the failure is noted, and before the next attempt.
    if (posts.length === 1 && !isTaken) isTaken = (await take()) !== null
    return result
  }
  const { runner, take, posts } = await claimed(database, { held })
  await runner.run()
  expect([isTaken, posts]).toEqual([true, ['test']])
})

test.each(drivers)(
  'attack: who was held up while blocks were undone reports nothing that another one has reported since (%s)',
  async (driver) => {
    await using database = await freshDatabase(driver)
    const undone = (seqno: number) => block(seqno === 1 ? 9 : seqno)
    const { runner, take, posts } = await claimed(database, {
      canRewind: true,
      feed: { block: async (seqno) => undone(seqno), lowestSince: () => 0 },
    })
    expect(await take()).not.toBeNull()
    expect([await runner.run(), posts]).toEqual([true, []])
  },
)

test('who stays delivers, also what another one has claimed that has given up since', async () => {
  await using database = await freshDatabase('pglite')
  const id = await database.transaction(async (to) =>
    addWebhookRow(to, { ...OWN, ...(await firstPlace(to, head)), subscription: '{}' }),
  )
  const { feed, grow } = growingBlocks(2)
  const posts: string[] = []
  const deliverer = new Deliverer({
    feed,
    notices: notices as unknown as BlockNotices,
    database,
    canRewind: false,
    holders: async () => new Map(),
    isOurs: () => true,
    post: async ({ name }) => {
      posts.push(name)
      return { status: 200, ms: 1, error: '' }
    },
    log: { warn: () => undefined },
  })
  onTestFinished(() => deliverer.close())
  await eventually(() => posts.includes('2') || undefined)
  await database.transaction((to) => claim(to, id))
  for (const next of [3, 4]) {
    grow()
    await eventually(() => posts.includes(String(next)) || undefined)
  }
  expect([...new Set(posts)]).toEqual(['2', '3', '4'])
})

test('a replica of the index that is behind is waited for: nothing was undone or lost', async () => {
  await using database = await freshDatabase('pglite')
  // Behind at first: it catches up after some looks.
  let looks = 0
  const newest = () => (looks > 2 ? 2 : 0)
  const { runner, posts } = await claimed(database, {
    feed: {
      head: () => {
        looks++
        return { seqno: newest(), rootHash: new Uint8Array(32).fill(newest()) }
      },
      block: async (seqno) => (seqno > newest() ? null : block(seqno)),
    },
  })
  const ended = runner.run()
  await eventually(() => posts.length > 0 || undefined)
  await database.transaction((to) => to.query(sql`delete from webhooks`))
  await ended
  expect(new Set(posts)).toEqual(new Set(['test']))
})
