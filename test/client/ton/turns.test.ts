// Which message is followed of a sender whose sends come one after the other.

import { Address, beginCell, type SenderArguments } from '@ton/core'
import { expect, test } from 'vitest'
import { createClient, type RpcRequest, type Transport } from '../../../client/index.ts'
import { createTon, type SigningWallet } from '../../../client/ton/index.ts'

const ADDRESS = Address.parse(`0:${'ab'.repeat(32)}`)
const args: SenderArguments = { to: ADDRESS, value: 1n }

/** Sends one message for each true. */
function walletThatSends(sends: readonly boolean[]): SigningWallet {
  let count = 0
  return {
    address: ADDRESS,
    sender: (provider) => ({
      async send() {
        const n = count++
        if (sends[n] === true) await provider.external(beginCell().storeUint(n, 32).endCell())
      },
    }),
  }
}

function openTon() {
  const calls: RpcRequest[] = []
  const transport: Transport = async (requests) => {
    calls.push(...requests)
    return requests.map(({ id }) => ({ id, result: {} }))
  }
  const bocsOf = (name: string) => {
    const own = calls.filter(({ method }) => method === name)
    return own.map(({ params }) => Reflect.get(Object(params), 'boc'))
  }
  return { ton: createTon(createClient({ transport, retry: false })), bocsOf, calls }
}

test('a send that sends nothing is not taken for the one before', async () => {
  const { ton, bocsOf, calls } = openTon()
  const sender = ton.sender(walletThatSends([true, false, true]), Buffer.alloc(64))
  const all = [sender.send(args), sender.send(args), sender.send(args)]
  await all[0]?.finalized()
  await expect(all[1]?.finalized()).rejects.toThrow('one message can be followed, and 0 were sent')
  await all[2]?.finalized()
  const followed = bocsOf('v3.sendAndWait')
  const sent = calls
    .filter(({ method }) => method.startsWith('sendBoc'))
    .map(({ params }) => Reflect.get(Object(params), 'boc'))
  expect(followed).toHaveLength(2)
  expect(followed).toEqual(sent)
})
