// A prediction of a trace is sent to a stream, the stream is closed, and a revert drops the message. A stream that is opened later must
// not get that prediction.

import { expect, test } from 'vitest'
import { serve, type TestService } from '../../setup/service.ts'
import { eventually, openSocket, openWallet, shortOf } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const metrics = async ({ url }: { readonly url: string }) => await (await fetch(`${url}/metrics`)).text()
const RECEIVER = `0:${'AB'.repeat(32)}`

type Stream = Awaited<ReturnType<typeof openSocket>>
type Wallet = Awaited<ReturnType<typeof openWallet>>

async function openPending(service: TestService, address: string): Promise<Stream> {
  const stream = await openSocket(service)
  await stream.say('subscribe', { types: ['transactions'], addresses: [address], min_finality: 'pending' })
  return stream
}

/** Sends a message, and closes the only stream once its prediction has come. Resolves with the hash of the message. */
async function sendAndLeave(service: TestService, { send }: Wallet, { frames, socket }: Stream): Promise<string> {
  const hash = await send(RECEIVER)
  await frames.first(({ finality }) => finality === 'pending')
  socket.terminate()
  await eventually(async () => (await metrics(service)).includes('tonrpc_stream_connections 0\n') || undefined)
  return hash
}

/** What a new stream that names the message gets until the next block, without the blocks. */
async function heardLater(service: TestService, { mine }: Wallet, hash: string): Promise<string[]> {
  const { say, frames, notices } = await openSocket(service)
  const wanted = { types: ['trace', 'blocks'], trace_external_hash_norms: [hash], min_finality: 'pending' }
  await say('subscribe', wanted)
  await mine()
  await frames.first(({ type, finality }) => type === 'blocks' && finality === 'finalized')
  return notices()
    .filter(({ type }) => type !== 'blocks')
    .map(shortOf)
}

test('a prediction whose message a revert drops while nobody follows is not sent to who comes then', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const wallet = await openWallet(service)
  const { client, raw, mine } = wallet
  const { id } = await client.dev.snapshot()
  await untilIndexed(client, (await mine()).seqno)
  const hash = await sendAndLeave(service, wallet, await openPending(service, raw))
  await client.dev.revert({ id })
  await mine()
  expect(await heardLater(service, wallet, hash)).toEqual([])
})

test('a prediction made after a revert is not sent either, when a second one drops its message', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const wallet = await openWallet(service)
  const { client, raw, mine } = wallet
  const lower = await client.dev.snapshot()
  await mine()
  const upper = await client.dev.snapshot()
  // The index learns of a revert by blocks that it has.
  await untilIndexed(client, (await mine()).seqno)
  const first = await openPending(service, raw)
  await client.dev.revert({ id: upper.id })
  await first.frames.first(({ type }) => type === 'chain_reverted')
  const hash = await sendAndLeave(service, wallet, first)
  await client.dev.revert({ id: lower.id })
  await mine()
  expect(await heardLater(service, wallet, hash)).toEqual([])
})
