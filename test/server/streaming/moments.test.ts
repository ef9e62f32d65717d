// When notifications come: a finalized transaction can be read in v3 at that moment, and actions do not wait for the excess
// that is returned in a later block.

import { Cell } from '@ton/core'
import { runTolkCompiler } from '@ton/tolk-js'
import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const MASTER_RECEIVER = `-1:${'CD'.repeat(32)}`

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
let opened: ReturnType<typeof openWallet> | null = null
/** One for all tests: each of its messages has the next number. */
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const of = (frame: Frame, name: string) => frame[name] as readonly Frame[]

/** Sends what it receives back, as an excess. */
const GIVER = `
tolk 1.3
import "@stdlib/gas-payments"
fun onInternalMessage(in: InMessage) {
    val back = createMessage({ bounce: false, value: 0, dest: in.senderAddress, body: beginCell().storeUint(0xd53276db, 32).storeUint(0, 64).endCell() });
    back.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
}
`

test('actions are final before an excess in another block, which nobody waits for', async () => {
  const { raw, send, mine, client } = await wallet()
  const result = await runTolkCompiler({ entrypointFileName: 'giver.tolk', fsReadCallback: () => GIVER })
  if (result.status === 'error') throw new Error(result.message)
  const data = new Cell().toBoc().toString('base64')
  // What the masterchain sends to another chain is in the next block.
  const giver = MASTER_RECEIVER
  await client.dev.setAccount({ address: giver, code: result.codeBoc64, data, balance: '1000000000' })
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['transactions', 'actions'], addresses: [raw] })
  const hash = await send(giver, { bounce: true })
  await mine()
  const told = () => stream.notices().filter((one) => one.trace_external_hash_norm === hash)
  const [first] = await eventually(() => (told().length > 0 ? told() : undefined))
  // The last of them first: it is predicted.
  expect(of(first ?? {}, 'actions').map(({ finality }) => finality)).toEqual(['pending', 'finalized'])
  expect(told().map(shortOf)).toEqual(['actions finalized'])
  await mine()
  const last = await stream.frames.first((one) => one.type === 'transactions')
  expect(of(last, 'transactions').map(({ account, in_msg }) => [account, (in_msg as Frame).opcode])).toEqual([
    [raw, '0xd53276db'],
    [raw, expect.any(String)],
  ])
})

test('what is finalized can be read at that moment, a hundred times of a hundred', async () => {
  const { raw, send, mine } = await wallet()
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['transactions'], addresses: [raw] })
  const statuses: unknown[] = []
  const reads: Promise<void>[] = []
  stream.socket.on('message', (data) => {
    for (const { hash } of (JSON.parse(String(data)).transactions ?? []) as Frame[])
      reads.push(
        ask(service(), `/api/v3/transactions?hash=${encodeURIComponent(String(hash))}`).then(({ status, body }) => {
          statuses.push([status, of(body, 'transactions').length])
        }),
      )
  })
  for (let i = 0; i < 100; i++) {
    await send(RECEIVER, { comment: `number ${i}` })
    await mine()
  }
  await eventually(() => (reads.length === 100 ? true : undefined))
  await Promise.all(reads)
  expect(statuses).toEqual(Array.from({ length: 100 }, () => [200, 1]))
})
