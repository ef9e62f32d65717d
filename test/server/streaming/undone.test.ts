// A reader that comes back while blocks are undone: it is told like those that stayed, and hears all that takes their place.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** Their frames are more than the sockets hold back. */
const BLOCKS = 150
const NEW_BLOCKS = 3

const hashesIn = (frames: readonly Frame[]): unknown[] =>
  frames.flatMap(({ transactions }) => ((transactions ?? []) as readonly Frame[]).map(({ hash }) => hash))

test('blocks that are undone while a reader takes what it missed are reported to it', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { client, raw, send, mine } = await openWallet(service)
  const order = { types: ['transactions'], addresses: [raw, RECEIVER] }
  const pay = async (): Promise<void> => {
    await send(RECEIVER, { comment: 'large'.repeat(6000) })
    await mine()
  }
  const listed = async () => {
    const { body } = await ask(service, `/api/v3/transactions?account=${RECEIVER}&sort=asc&limit=1000`)
    return ((body.transactions ?? []) as readonly Frame[]).map(({ hash }) => hash)
  }
  const first = await openSocket(service)
  await first.say('subscribe', order)
  await pay()
  const { cursor } = await first.frames.first(({ type }) => type === 'transactions')
  first.socket.terminate()
  const { id } = await client.dev.snapshot()
  const { last } = await client.getMasterchainInfo()
  for (let i = 0; i < BLOCKS; i++) await pay()
  await eventually(async () => ((await listed()).length === BLOCKS + 1 ? true : undefined))
  const back = await openSocket(service)
  await back.say('subscribe', { ...order, after: cursor })
  await back.frames.first(({ type }) => type === 'transactions')
  back.socket.pause()
  await client.dev.revert({ id })
  await eventually(async () => ((await listed()).length === 1 ? true : undefined))
  for (let i = 0; i < NEW_BLOCKS; i++) {
    await client.dev.faucet({ address: RECEIVER, amount: '1000' })
    await mine()
  }
  const now = await eventually(async () => {
    const hashes = await listed()
    return hashes.length === 1 + NEW_BLOCKS ? hashes : undefined
  })
  back.socket.resume()
  await eventually(() => hashesIn(back.notices()).includes(now.at(-1)) || undefined)
  const notices = back.notices()
  const told = notices.findIndex(({ type }) => type === 'chain_reverted')
  expect(notices[told]).toEqual({ type: 'chain_reverted', mc_seqno: last.seqno })
  expect(told).toBeGreaterThan(0)
  expect(told).toBeLessThan(BLOCKS)
  const received = hashesIn(notices.slice(told)).filter((hash) => now.includes(hash))
  expect(received).toEqual(now.slice(1))
})
