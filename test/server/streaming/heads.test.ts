// Subscribers of heads: what names each masterchain block, live and from a cursor.

import { beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const mine = (blocks: number) => createClient({ url: service().url }).dev.mine({ blocks })

const subscription = { types: ['heads'] }
const seqnosOf = (notices: readonly Frame[]) => notices.map(({ head }) => (head as Frame).seqno)

let first = 0
beforeAll(async () => {
  first = (await mine(1)).seqno + 1
})

test('hear of each masterchain block once, by what names it, and of those they missed', async () => {
  const live = await openSocket(service())
  expect(await live.say('subscribe', subscription)).toMatchObject({ status: 'subscribed' })
  await mine(3)
  await eventually(() => (live.notices().length >= 3 ? true : undefined))
  expect(seqnosOf(live.notices())).toEqual([first, first + 1, first + 2])

  const { last } = (await ask(service(), '/api/v3/masterchainInfo')).body as { last: Frame }
  const { workchain, shard, seqno, root_hash, file_hash, gen_utime, end_lt } = last
  expect(live.notices()[2]).toEqual({
    type: 'heads',
    finality: 'finalized',
    head: { workchain, shard, seqno, root_hash, file_hash, gen_utime, end_lt },
    cursor: expect.any(String),
  })

  const later = await openEvents(service(), { ...subscription, after: live.notices()[0]?.cursor })
  await eventually(() => (later.notices().length >= 2 ? true : undefined))
  expect(later.notices()).toEqual(live.notices().slice(1))
})

test('with blocks on one connection receive both of a block', async () => {
  const both = await openSocket(service())
  const answer = await both.say('subscribe', { types: ['blocks', 'heads'] })
  expect(answer).toMatchObject({ status: 'subscribed' })
  await mine(1)
  await eventually(() => (both.notices().length >= 3 ? true : undefined))
  expect(both.notices().map(({ type }) => type)).toEqual(['blocks', 'heads', 'blocks'])
})
