// A subscription that names many messages: what is known of them comes at once, and each end of a trace comes once.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const MANY = 1000

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

const hashOf = (at: number): string => Buffer.alloc(32, `${at} `).toString('base64')

test('of a thousand messages, the ended trace and the pending one come at once', async () => {
  const { send, mine } = await openWallet(service())
  const early = await openSocket(service())
  const ended = await send(RECEIVER)
  const wish = { types: ['trace'], min_finality: 'pending' }
  await early.say('subscribe', { ...wish, trace_external_hash_norms: [ended] })
  await mine()
  await eventually(() => early.notices().find(({ finality }) => finality === 'finalized'))
  const pending = await send(RECEIVER)

  const late = await openSocket(service())
  const others = Array.from({ length: MANY }, (_, at) => hashOf(at))
  const hashes = [ended, ...others, pending]
  await late.say('subscribe', { ...wish, trace_external_hash_norms: hashes })
  await eventually(() => (late.notices().length >= 2 ? true : undefined))
  expect(late.notices().map(shortOf).sort()).toEqual(['trace finalized', 'trace pending'])
  expect(late.notices().find(({ finality }) => finality === 'finalized')?.trace_external_hash_norm).toBe(ended)

  await mine()
  const ends = () =>
    late.notices().filter((one) => one.trace_external_hash_norm === pending && shortOf(one) === 'trace finalized')
  await eventually(() => ends()[0])
  expect(await late.say('ping')).toMatchObject({ status: 'pong' })
  expect(ends()).toHaveLength(1)
})
