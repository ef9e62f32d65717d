// A connection that subscribes again and again, while blocks come: each transaction of its account is still reported once.

import { expect, test } from 'vitest'
import { serve } from '../../setup/service.ts'
import { type Frame, openSocket, openWallet } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const BLOCKS = 12

const seqnoIn = ({ head }: Frame): unknown => (head as Frame | undefined)?.seqno

test('a subscription that is replaced by the same one misses nothing and repeats nothing', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual', limits: 'off' } })
  const { client, raw, send, mine } = await openWallet(service)
  const other = await openSocket(service)
  await other.say('subscribe', { types: ['heads'] })
  const stream = await openSocket(service)
  const wish = { types: ['transactions', 'heads'], addresses: [raw], include_address_book: true }
  const first = await stream.say('subscribe', wish)
  const work = { last: 0, isOver: false }
  const sending = (async () => {
    for (let block = 0; block < BLOCKS; block++) {
      await send(RECEIVER)
      const { seqno } = await mine()
      await untilIndexed(client, seqno)
      work.last = seqno
    }
    await other.frames.first((frame) => seqnoIn(frame) === work.last)
    work.isOver = true
  })()
  let replies = 0
  while (!work.isOver && replies < 100_000) {
    const { status } = await stream.say('subscribe', wish)
    expect(status).toBe('subscribed')
    replies++
  }
  await sending
  await stream.say('ping')

  expect(first.status).toBe('subscribed')
  expect(replies).toBeGreaterThan(BLOCKS)
  const heads = stream.notices().flatMap((frame) => seqnoIn(frame) ?? [])
  expect(heads).toEqual(other.notices().map(seqnoIn))
  const said = stream.notices().flatMap(({ transactions = [] }) => transactions as readonly Frame[])
  expect(new Set(said.map(({ hash }) => hash)).size).toBe(BLOCKS)
  expect(said).toHaveLength(BLOCKS)
})
