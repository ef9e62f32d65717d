// A subscription that names many messages: what is known of them comes at once, and each end of a trace comes once.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const MANY = 1000

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

let opened: ReturnType<typeof openWallet> | null = null
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const hashOf = (at: number): string => Buffer.alloc(32, `${at} `).toString('base64')

test('of a thousand messages, the ended trace and the pending one come at once', async () => {
  const { send, mine } = await wallet()
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

test('who resumes is sent the prediction of a message it names as well', async () => {
  const { send, mine } = await wallet()
  const reader = await openSocket(service())
  await reader.say('subscribe', { types: ['blocks', 'transactions'], addresses: [RECEIVER], min_finality: 'pending' })
  await mine()
  const { cursor } = await reader.frames.first((frame) => frame.cursor !== undefined)
  const hash = await send(RECEIVER)
  const wish = { types: ['trace'], min_finality: 'pending', trace_external_hash_norms: [hash] }
  await reader.frames.first((frame) => shortOf(frame) === 'transactions pending')
  const resumed = await openSocket(service())
  await resumed.say('subscribe', { ...wish, after: cursor })
  await resumed.frames.first((frame) => shortOf(frame) === 'trace pending')
  await mine()
  await resumed.frames.first((frame) => shortOf(frame) === 'trace finalized')
  const levels = ['pending', 'confirmed', 'finalized'].map((level) => `trace ${level}`)
  expect(resumed.notices().map(shortOf)).toEqual(levels)
})
