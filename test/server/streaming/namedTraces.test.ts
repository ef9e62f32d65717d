// A trace is reported, its last subscriber leaves, and it goes on. What is sent to a subscriber that comes after that.

import { expect, test } from 'vitest'
import { readStreamCursor } from '../../../server/streaming/index.ts'
import { ask } from '../../setup/calls.ts'
import { serve, type TestService } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const metrics = async ({ url }: { readonly url: string }) => await (await fetch(`${url}/metrics`)).text()

const RECEIVER = `0:${'AB'.repeat(32)}`

/** Streams of one trace: of what is final, and of what is pending as well. */
async function openBoth(service: TestService, hash: string) {
  const order = { types: ['trace'], trace_external_hash_norms: [hash] }
  const final = await openSocket(service)
  await final.say('subscribe', order)
  const early = await openSocket(service)
  await early.say('subscribe', { ...order, min_finality: 'pending' })
  return { final, early }
}

test.each([
  { who: 'others follow blocks', othersFollow: true },
  { who: 'no stream is open', othersFollow: false },
])('a trace that ended unheard is sent as it ended, not as it was predicted, while $who', async ({ othersFollow }) => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { raw, send, mine } = await openWallet(service)
  const others = othersFollow ? await openSocket(service) : null
  await others?.say('subscribe', { types: ['blocks'] })
  const first = await openSocket(service)
  await first.say('subscribe', { types: ['transactions'], addresses: [raw], min_finality: 'pending' })
  const hash = await send(RECEIVER)
  await first.frames.first(({ finality }) => finality === 'pending')
  first.socket.terminate()
  const left = `tonrpc_stream_connections ${othersFollow ? 1 : 0}\n`
  await eventually(async () => (await metrics(service)).includes(left) || undefined)
  const { seqno } = await mine()
  // Until its block was reported, the trace has not ended for streams.
  await others?.frames.first(({ cursor }) => readStreamCursor(String(cursor))?.mcSeqno === seqno)
  await eventually(async () => {
    const { body } = await ask(service, `/api/v3/transactions?account=${RECEIVER}`)
    return (body.transactions as readonly unknown[] | undefined)?.length ? true : undefined
  })
  const { final, early } = await openBoth(service, hash)
  await early.frames.first(({ type }) => type === 'trace')
  expect(early.notices().map(shortOf)).toEqual(['trace finalized'])
  await final.frames.first(({ type }) => type === 'trace')
  expect(final.notices().map(shortOf)).toEqual(['trace finalized'])
})

test.each([
  { who: 'no stream is open', types: null },
  { who: 'others follow blocks', types: ['blocks'] },
])('a message that was sent before its trace is named is sent as it is predicted, while $who', async ({ types }) => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { send, mine } = await openWallet(service)
  if (types !== null) await (await openSocket(service)).say('subscribe', { types })
  const hash = await send(RECEIVER)
  const { final, early } = await openBoth(service, hash)
  await early.frames.first(({ type }) => type === 'trace')
  await mine()
  for (const stream of [early, final]) await stream.frames.first(({ finality }) => finality === 'finalized')
  expect(early.notices().map(shortOf)).toEqual(['trace pending', 'trace confirmed', 'trace finalized'])
  expect(final.notices().map(shortOf)).toEqual(['trace finalized'])
})
