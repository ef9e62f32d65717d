// What is said to a connection of transfers that it has unsubscribed from.

import { expect, test } from 'vitest'
import { serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`

test('a transfer that happens is not withdrawn from who has unsubscribed meanwhile', async () => {
  // It stands still until the transfer has happened, however long that takes.
  let time = 0
  let looks = 0
  const now = () => {
    looks++
    return time
  }
  const times = { predictedMs: 300, sweepMs: 50, now }
  await using own = await serve({ withIndex: true, config: { mining: 'manual' }, streamTimes: times })
  const { raw, send, mine } = await openWallet(own)
  const stream = await openSocket(own)
  await stream.say('subscribe', { types: ['transactions', 'blocks'], addresses: [raw], min_finality: 'pending' })
  await send(RECEIVER)
  await stream.frames.first(({ type }) => type === 'transactions')
  await stream.say('unsubscribe', { addresses: [raw] })
  await mine()
  await stream.frames.first(({ type, finality }) => type === 'blocks' && finality === 'finalized')
  time = 3 * times.predictedMs
  looks = 0
  await eventually(() => looks >= 2 || undefined)
  await stream.say('ping')
  const heard = stream.notices().filter(({ type }) => type !== 'blocks')
  expect(heard.map(shortOf)).toEqual(['transactions pending'])
})
