// A WebSocket that subscribes anew: names and types are others then, and what it leaves out of the rest stays.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { openSocket, openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const RECEIVER = `0:${'AB'.repeat(32)}`
const OTHER = `0:${'CD'.repeat(32)}`

test('settings that a new subscription leaves out stay as they were, until it says others', async () => {
  const wallet = await openWallet(service())
  const stream = await openSocket(service())
  const settings = { min_finality: 'pending', include_address_book: true, action_types: ['ton_transfer'] }
  await stream.say('subscribe', { types: ['transactions'], addresses: [OTHER], ...settings })
  await stream.say('subscribe', { types: ['actions'], addresses: [RECEIVER] })
  await wallet.send(RECEIVER)
  const predicted = await stream.frames.first(({ type }) => type === 'actions')
  expect(predicted).toMatchObject({ finality: 'pending', address_book: expect.anything() })
  expect(new Set((predicted.actions as { type: string }[]).map(({ type }) => type))).toEqual(new Set(['ton_transfer']))
  await wallet.mine(2)
  await stream.frames.first(({ type, finality }) => type === 'actions' && finality === 'finalized')

  const plain = { min_finality: 'finalized', include_address_book: false }
  await stream.say('subscribe', { types: ['actions'], addresses: [RECEIVER], ...plain })
  const before = stream.notices().length
  await wallet.send(RECEIVER)
  await wallet.mine(2)
  await stream.frames.first(() => stream.notices().length > before)
  const [next] = stream.notices().slice(before)
  expect(next?.finality).toBe('finalized')
  expect(next).not.toHaveProperty('address_book')
})
