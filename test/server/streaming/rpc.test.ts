// Streams on the WebSocket of JSON-RPC.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { type Frame, openSocket, openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

test('several subscriptions of one socket, next to other calls', async () => {
  const wallet = await openWallet(service())
  const stream = await openSocket(service(), '/jsonRPC')
  const call = async (id: number, method: string, params: unknown): Promise<Frame> => {
    stream.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return await stream.frames.first((frame) => frame.id === id)
  }
  expect(await call(1, 'stream.subscribe', { types: ['blocks'] })).toEqual({
    jsonrpc: '2.0',
    ok: true,
    result: { subscription: '0x1' },
    id: 1,
  })
  const second = await call(2, 'stream.subscribe', [{ types: ['account_state_change'], addresses: [wallet.friendly] }])
  expect(second.result).toEqual({ subscription: '0x2' })
  expect((await call(3, 'stream.subscribe', { types: ['nothing'] })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('invalid event type: nothing'),
  })
  expect((await call(4, 'getMasterchainInfo', {})).result).toBeDefined()
  await wallet.send(`0:${'AB'.repeat(32)}`)
  await wallet.mine()
  const eventOf = (name: string) =>
    stream.frames.first(({ params }) => (params as Frame | undefined)?.subscription === name)
  expect(await eventOf('0x2')).toMatchObject({
    method: 'stream.event',
    params: { result: { type: 'account_state_change', account: wallet.raw, finality: 'finalized' } },
  })
  expect(await eventOf('0x1')).toMatchObject({ params: { result: { type: 'blocks' } } })
  expect((await call(5, 'stream.unsubscribe', { subscription: '0x2' })).result).toBe(true)
  expect((await call(6, 'stream.unsubscribe', ['0x2'])).result).toBe(false)
})
