// A trace is reported, its last subscriber leaves, and a revert removes it: the next subscriber is not told of it.

import { expect, test } from 'vitest'
import { serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const metrics = async ({ url }: { readonly url: string }) => await (await fetch(`${url}/metrics`)).text()
const RECEIVER = `0:${'AB'.repeat(32)}`

test('a prediction whose message a revert drops while nobody follows is not sent to who comes then', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { client, raw, send, mine } = await openWallet(service)
  const { id } = await client.dev.snapshot()
  await mine()
  const first = await openSocket(service)
  await first.say('subscribe', { types: ['transactions'], addresses: [raw], min_finality: 'pending' })
  const hash = await send(RECEIVER)
  await first.frames.first(({ finality }) => finality === 'pending')
  first.socket.terminate()
  await eventually(async () => (await metrics(service)).includes('tonrpc_stream_connections 0\n') || undefined)
  await client.dev.revert({ id })
  await mine()
  const later = await openSocket(service)
  await later.say('subscribe', {
    types: ['trace', 'blocks'],
    trace_external_hash_norms: [hash],
    min_finality: 'pending',
  })
  await mine()
  await later.frames.first(({ type, finality }) => type === 'blocks' && finality === 'finalized')
  expect(
    later
      .notices()
      .map(shortOf)
      .filter((one) => !one.startsWith('blocks')),
  ).toEqual([])
})
