// Predictions of messages that a revert drops: withdrawn with it, not when their time is over.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import type { LiveTrace } from '../../../server/methods/index.ts'
import { readingSubscription } from '../../../server/streaming/readSubscription.ts'
import { ReportedTraces } from '../../../server/streaming/reportedTraces.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { serve } from '../../setup/service.ts'
import { openSocket, openWallet, shortOf } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const NEVER_MS = 3_600_000

test('a prediction is withdrawn with the revert that drops its message, and what is sent then is predicted', async () => {
  await using service = await serve({
    withIndex: true,
    config: { mining: 'manual' },
    streamTimes: { predictedMs: NEVER_MS, sweepMs: NEVER_MS },
  })
  const { client, raw, send, mine } = await openWallet(service)
  const stream = await openSocket(service)
  await stream.say('subscribe', { types: ['transactions'], addresses: [raw], min_finality: 'pending' })
  const { id } = await client.dev.snapshot()
  // The index follows a revert by the blocks it undoes, once it has them.
  await untilIndexed(client, (await mine()).seqno)
  const dropped = await send(RECEIVER)
  await stream.frames.first(({ finality }) => finality === 'pending')
  await client.dev.revert({ id })
  await stream.frames.first(({ type }) => type === 'chain_reverted')
  expect(stream.notices().map(shortOf)).toEqual(['transactions pending', 'trace_invalidated', 'chain_reverted'])
  expect(stream.notices()[1]).toEqual({ type: 'trace_invalidated', trace_external_hash_norm: dropped })
  const sent = await send(RECEIVER, { again: true, comment: 'another' })
  const isOfSent = ({ trace_external_hash_norm: hash }: (typeof stream.frames.all)[number]) => hash === sent
  await stream.frames.first(isOfSent)
  await mine()
  await stream.frames.first(({ finality }) => finality === 'finalized')
  const levels = ['pending', 'confirmed', 'finalized'].map((level) => `transactions ${level}`)
  expect(stream.notices().filter(isOfSent).map(shortOf)).toEqual(levels)
})

test('predictions whose messages wait again after a revert stay, and what is in blocks that do', async () => {
  const hashOf = (i: number) => Buffer.alloc(32, i)
  const textOf = (i: number) => hashOf(i).toString('base64')
  const found = { row: { account: hashOf(9) }, inMessage: null, outMessages: [] }
  // The cast: nothing else of a trace is read.
  const traceOf = (i: number) =>
    ({ hashNorm: hashOf(i), nodes: [{ found, finality: 'pending' }] }) as unknown as LiveTrace
  const request = { types: ['blocks'] }
  const told: string[] = []
  const sink = {
    send: (text: string) => void told.push(text),
    drained: async () => undefined,
    fail: () => undefined,
    isClosed: false,
  }
  const subscriber = new Subscriber(
    sink,
    inOnePiece(readingSubscription(request, { transport: 'sse', actionsVersion: null, maxAddresses: 1 })),
  )
  const traces = new ReportedTraces({ subscribers: [new Set([subscriber])], waits: (hash) => hash === textOf(1) })
  const gone = Array.from({ length: 100 }, (_, i) => 2 + i)
  for (const i of [1, ...gone]) {
    traces.notePredicted(traceOf(i))
    subscriber.noteUnfinished(textOf(i))
  }
  // One that the block which stays has a part of, and one of the block after it.
  for (const i of [201, 202]) {
    traces.noteInBlock(traceOf(i), false, i - 196)
    subscriber.noteUnfinished(textOf(i))
  }
  let rests = 0
  const rest = async (): Promise<void> => void rests++
  await traces.withdrawAbove(5, { isDue: true, rest })
  expect(told.map((text) => JSON.parse(text).trace_external_hash_norm)).toEqual([202, ...gone].map(textOf))
  // Each is looked for with all subscribers.
  expect(rests).toBe(gone.length - 1)
  for (const i of [1, 201]) expect(traces.get(textOf(i))).not.toBeNull()
})
