// What a service is asked about a send that is followed.

import { expect, test } from 'vitest'
import { createClient, type RpcRequest, type Transport } from '../../../client/index.ts'
import { follow } from '../../../client/ton/following.ts'

function openClient() {
  const sent: RpcRequest[] = []
  const transport: Transport = async (requests) => {
    sent.push(...requests)
    return requests.map(({ id }) => ({ id, result: {} }))
  }
  return { client: createClient({ transport, retry: false }), sent }
}

test('to wait for the level that is wished, with actions where they are wished', async () => {
  const { client, sent } = openClient()
  const sending = follow(client, Promise.resolve(), ['boc'])
  await sending.sent({ timeoutMs: 5_000 })
  await sending.finalized({ timeoutMs: 90_000, includeActions: true })
  expect(sent.map(({ params }) => params)).toEqual([
    { boc: 'boc', wait: 'pending', timeout_ms: 5_000, include_actions: false },
    { boc: 'boc', wait: 'finalized', timeout_ms: 20_000, include_actions: true },
  ])
})

test.each([0, 2])('error: nothing, of a send of %i messages', async (count) => {
  const { client, sent } = openClient()
  const sending = follow(client, Promise.resolve(), Array(count).fill('boc'))
  await expect(sending.finalized()).rejects.toThrow(`one message can be followed, and ${count} were sent`)
  expect(sent).toEqual([])
})
