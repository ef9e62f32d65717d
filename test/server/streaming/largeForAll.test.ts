// A trace of more transactions than v3 shows together, for those who follow all accounts or an opcode: all of it, in parts.

import { beginCell } from '@ton/core'
import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { loopingContract } from '../../setup/loopingContract.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet } from '../../setup/streams.ts'

const LOOP = `0:${'4C'.repeat(32)}`
const LEAST = 4001
const OPCODE = 0x40400404

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

test('each of its transactions and messages comes once, and again behind any cursor', async () => {
  const { client, send, mine } = await openWallet(service())
  await client.dev.setAccount({ address: LOOP, ...loopingContract(LEAST) })
  await mine()
  const follow = async (wish: Frame) => {
    const stream = await openSocket(service())
    expect(await stream.say('subscribe', wish)).toMatchObject({ status: 'subscribed' })
    return {
      /** All but the heads of blocks up to one. */
      async until(last: number): Promise<readonly Frame[]> {
        await stream.frames.first(({ head }) => (head as Frame | undefined)?.seqno === last)
        return stream.notices().filter(({ type }) => type !== 'heads')
      },
    }
  }
  const all = await follow({ types: ['transactions', 'heads'], addresses: ['*'] })
  const named = { types: ['messages', 'heads'], opcodes: [OPCODE] }
  const messages = await follow(named)
  const body = beginCell().storeUint(OPCODE, 32).endCell()
  const hash = await send(LOOP, { comment: body })
  const trace = await eventually(async () => {
    await mine()
    const { traces } = (await ask(service(), `/api/v3/traces?account=${LOOP}`)).body as { traces: Frame[] }
    return traces[0]
  })
  const { seqno } = await mine()
  const count = Number((trace.trace_info as Frame).transactions)

  const parts = await all.until(seqno)
  expect(new Set(parts.map((one) => one.trace_external_hash_norm))).toEqual(new Set([hash]))
  const listed = parts.flatMap((one) => (one.transactions as Frame[]).map((transaction) => transaction.hash))
  expect(new Set(listed).size).toBe(count)
  expect(listed).toHaveLength(count)
  const heard = await messages.until(seqno)
  const sent = heard.flatMap((one) => one.messages as Frame[])
  expect(sent.map(({ opcode, destination }) => [opcode, destination])).toEqual([['0x40400404', LOOP]])
  const { messages: known } = (await ask(service(), '/api/v3/messages?opcode=0x40400404')).body as Frame
  expect(sent).toEqual(known)

  const both = { types: ['transactions', 'messages', 'heads'], addresses: ['*'], opcodes: [OPCODE] }
  const later = await (await follow({ ...both, after: parts[20]?.cursor })).until(seqno)
  expect(later).toEqual([...parts.slice(21), ...heard])
  const last = await (await follow({ ...both, after: parts.at(-1)?.cursor })).until(seqno)
  expect(last).toEqual(heard)
})
