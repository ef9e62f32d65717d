// What a service is asked by a provider, and what a sender is given.

import { Address, Cell, type SenderArguments } from '@ton/core'
import { expect, test } from 'vitest'
import { createClient, type RpcRequest, type Transport } from '../../../client/index.ts'
import { createTon } from '../../../client/ton/index.ts'
import { walletSender } from '../../../client/ton/sender.ts'

const ACCOUNT = Address.parse(`0:${'ab'.repeat(32)}`)

function openTon(result: unknown) {
  const sent: RpcRequest[] = []
  const transport: Transport = async (requests) => {
    sent.push(...requests)
    return requests.map(({ id }) => ({ id, result }))
  }
  return { ton: createTon(createClient({ transport, retry: false })), sent }
}

test('a history that begins at a transaction is read from it, and from no other', async () => {
  const { ton, sent } = openTon({ transactions: [] })
  const from = { lt: 5n, hash: Buffer.alloc(32, 7) }
  expect(await ton.getTransactions(ACCOUNT, { from, limit: 3 })).toEqual([])
  const params = { address: ACCOUNT.toRawString(), limit: 3, lt: '5', hash: from.hash.toString('base64') }
  expect(sent).toMatchObject([{ method: 'getTransactionsStd', params }])
})

test('a contract of one’s own reads as many transactions as it asks for', async () => {
  const { ton, sent } = openTon({ transactions: [] })
  await ton.provider(ACCOUNT).getTransactions(ACCOUNT, 5n, Buffer.alloc(32, 7), 3)
  expect(sent).toMatchObject([{ method: 'getTransactionsStd', params: { limit: 3 } }])
})

test('a failed run says its exit code, whatever it left on the stack', async () => {
  const number = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: 'NaN' } }
  const { ton } = openTon({ exit_code: 4, gas_used: 1, stack: [number] })
  await expect(ton.provider(ACCOUNT).get('seqno', [])).rejects.toMatchObject({ exitCode: 4 })
})

test('a wallet that could not send once sends again', async () => {
  const { ton } = openTon('active')
  const outcomes = [Promise.reject(new Error('no TON')), Promise.resolve()]
  const wallet = { address: ACCOUNT, sender: () => ({ send: () => outcomes.shift() ?? Promise.reject() }) }
  const { send } = walletSender(wallet, ton.provider(ACCOUNT), Buffer.alloc(64))
  await expect(send({ to: ACCOUNT, value: 1n })).rejects.toThrow('no TON')
  await expect(send({ to: ACCOUNT, value: 1n })).resolves.toBeUndefined()
})

test.each(['active', 'uninitialized', 'frozen'])('the first message to an account that is %s', async (state) => {
  const { ton } = openTon(state)
  const init = { code: Cell.EMPTY, data: Cell.EMPTY }
  const given: SenderArguments[] = []
  const via = { send: async (args: SenderArguments) => void given.push(args) }
  await ton.provider(ACCOUNT, init).internal(via, { value: 1n })
  expect(given).toMatchObject([{ to: ACCOUNT, value: 1n, bounce: true, init: state === 'active' ? null : init }])
})
