// Messages of some opcodes: what comes of them on each transport and at each level, and which lists of opcodes are refused.

import { beginCell } from '@ton/core'
import { expect, test } from 'vitest'
import { stream } from '../../../client/ws.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, knownKey, openEvents, openSocket, openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', limits: 'off' } }))

const A = `0:${'A1'.repeat(32)}`
const B = `0:${'B2'.repeat(32)}`
const OPCODE = 0x8f8a7ea5
const bodyOf = (opcode: number, n = 0) => beginCell().storeUint(opcode, 32).storeUint(n, 64).endCell()

/** One wallet for all tests: its messages are numbered. */
let opened: ReturnType<typeof openWallet> | undefined
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const headIn = ({ type, head }: Frame): unknown => (type === 'heads' ? (head as Frame).seqno : undefined)
const opcodesIn = ({ messages }: Frame): readonly unknown[] =>
  (messages as readonly Frame[]).map(({ opcode, destination }) => [opcode, destination])

test('of any account, on each transport, are those of v3 with their transactions', async () => {
  const { send, mine, raw } = await wallet()
  const wish = { types: ['messages'], opcodes: ['0x8f8a7ea5'] }
  const socket = await openSocket(service())
  await socket.say('subscribe', wish)
  const events = await openEvents(service(), { ...wish, opcodes: [OPCODE] })
  await events.frames.count(1)
  const rpc = await openSocket(service(), '/jsonRPC')
  rpc.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.subscribe', params: { ...wish, opcodes: [OPCODE | 0] } }),
  )
  await rpc.frames.first(({ id }) => id === 1)
  const end = new AbortController()
  const typed = stream({ url: service().url, types: ['messages'], opcodes: [OPCODE], signal: end.signal })
  const first = typed.next()
  await eventually(async () => {
    const text = await (await fetch(`${service().url}/metrics`)).text()
    return /tonrpc_stream_subscriptions 4\b/.test(text) || undefined
  })

  await send(A, { comment: bodyOf(0x11111111) })
  await mine()
  const hash = await send(A, { comment: bodyOf(OPCODE) })
  await mine()

  const notice = await socket.frames.first(({ type }) => type === 'messages')
  const { body } = await ask(service(), `/api/v3/messages?opcode=0x8f8a7ea5&destination=${A}`)
  expect(notice).toEqual({
    type: 'messages',
    finality: 'finalized',
    trace_external_hash_norm: hash,
    messages: (body as Frame).messages,
    cursor: expect.any(String),
  })
  expect(opcodesIn(notice)).toEqual([['0x8f8a7ea5', A]])
  await events.frames.count(2)
  expect(events.notices()).toEqual([notice])
  const call = await rpc.frames.first(({ method }) => method === 'stream.event')
  expect(call.params).toMatchObject({ result: notice })
  const { value } = await first
  end.abort()
  expect(value).toEqual(notice)
  if (value?.type === 'messages') expect(value.messages[0]?.source).toBe(raw)
})

test('of some accounts: the sender or the recipient is one of them, and the opcode one of the list', async () => {
  const { send, mine, raw } = await wallet()
  const socketOf = async (addresses: readonly string[], opcodes: readonly unknown[]) => {
    const socket = await openSocket(service())
    await socket.say('subscribe', { types: ['messages', 'heads'], opcodes, addresses })
    return async (last: number) => {
      await socket.frames.first((frame) => headIn(frame) === last)
      return socket
        .notices()
        .filter(({ type }) => type === 'messages')
        .map(opcodesIn)
    }
  }
  const all = await Promise.all([
    socketOf([A], [0x22222222]),
    socketOf([B], [0x22222222, 0x33333333]),
    socketOf([raw], ['0x33333333']),
    socketOf([`0:${'C3'.repeat(32)}`], ['0x22222222', '0x33333333']),
    socketOf([A, B], [0x44444444]),
    socketOf([], [0x22222222]),
  ])
  await send(A, { comment: bodyOf(0x22222222) })
  await mine()
  await send(B, { comment: bodyOf(0x33333333) })
  const { seqno } = await mine()
  const twos = [['0x22222222', A]]
  const threes = [['0x33333333', B]]
  expect(await Promise.all(all.map((heard) => heard(seqno)))).toEqual([[twos], [threes], [threes], [], [], [twos]])
})

test('come as they are predicted, in a block, and final; what was missed comes from a cursor, once', async () => {
  const { send, mine } = await wallet()
  const wish = { types: ['messages'], opcodes: [0x55555555], min_finality: 'pending' }
  const live = await openSocket(service())
  await live.say('subscribe', wish)
  await send(A, { comment: bodyOf(0x55555555, 1) })
  const predicted = await live.frames.first(({ finality }) => finality === 'pending')
  expect((predicted.messages as readonly Frame[])[0]).not.toHaveProperty('in_msg_tx_hash')
  await mine()
  await live.frames.first(({ finality }) => finality === 'finalized')
  expect(live.notices().map(({ finality }) => finality)).toEqual(['pending', 'confirmed', 'finalized'])
  await send(A, { comment: bodyOf(0x55555555, 2) })
  await mine()
  await mine()
  await send(A, { comment: bodyOf(0x55555555, 3) })
  await mine()
  const finals = await eventually(() => {
    const found = live.notices().filter(({ finality }) => finality === 'finalized')
    return found.length === 3 ? found : undefined
  })
  const later = await openEvents(service(), { ...wish, min_finality: 'finalized', after: finals[0]?.cursor })
  await later.frames.count(3)
  expect(later.notices()).toEqual(finals.slice(1))
  const ofOne = { ...wish, min_finality: 'finalized', addresses: [A], after: finals[1]?.cursor }
  const addressed = await openEvents(service(), ofOne)
  await addressed.frames.count(2)
  expect(addressed.notices()).toEqual(finals.slice(2))
})

test('do not come once all accounts of a subscription were removed', async () => {
  const { send, mine } = await wallet()
  const socket = await openSocket(service())
  await socket.say('subscribe', { types: ['messages', 'heads'], opcodes: [0x66666666], addresses: [A] })
  await socket.say('unsubscribe', { addresses: [A] })
  await send(A, { comment: bodyOf(0x66666666) })
  const { seqno } = await mine()
  await socket.frames.first((frame) => headIn(frame) === seqno)
  expect(socket.notices().filter(({ type }) => type === 'messages')).toEqual([])
})

test('lists of opcodes that are refused', async () => {
  const socket = await openSocket(service())
  const errorOf = async (fields: Frame) => (await socket.say('subscribe', fields)).error
  const wish = { types: ['messages'] }
  const many = (count: number) => Array.from({ length: count }, (_, i) => i)
  expect(await errorOf(wish)).toBe('opcodes are required for messages subscription')
  expect(await errorOf({ ...wish, addresses: [A] })).toBe('opcodes are required for messages subscription')
  expect(await errorOf({ ...wish, opcodes: many(10_000) })).toBe('too many opcodes: 10000 > max 1000')
  expect(await errorOf({ ...wish, opcodes: many(1001).map(String) })).toBe('too many opcodes: 1001 > max 1000')
  expect(await errorOf({ types: ['blocks'], opcodes: [1] })).toBe('opcodes requires type "messages"')
  for (const one of [null, true, {}, [], 1.5, 2 ** 32, -(2 ** 31) - 1, '', '0x', '0x123456789', 'jetton_transfer', 'x'])
    expect(await errorOf({ ...wish, opcodes: [0, one] })).toMatch(/^invalid opcode: /)
  const big = '99999999999999999999'
  for (const [i, one] of [big, `[${big}]`].entries()) {
    socket.send(`{"operation":"subscribe","id":"big ${i}","types":["messages"],"opcodes":[${one}]}`)
    const { error } = await socket.frames.first(({ id }) => id === `big ${i}`)
    expect(error).toMatch(/^invalid opcode: .*9999/)
    const events = await openEvents(service(), `{"types":["messages"],"opcodes":[${one}]}`)
    expect([events.reply.status, await events.reply.json()]).toEqual([400, { error }])
  }
  expect(await errorOf({ ...wish, opcodes: 'all' })).toMatch(/^invalid subscribe request: opcodes: /)
  expect(await errorOf({ ...wish, opcodes: many(1000) })).toBeUndefined()
  expect(await errorOf({ ...wish, opcodes: [OPCODE, OPCODE | 0, '0X8F8A7EA5', '8f8a7ea5'] })).toBeUndefined()
})

test('a webhook may be of messages', async () => {
  const { key } = await knownKey(service(), true)
  const send = (subscription: object) =>
    fetch(`${service().url}/webhooks`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: JSON.stringify({ endpoint: 'http://127.0.0.1:9/hook', subscription }),
    })
  expect((await send({ types: ['messages'] })).status).toBe(422)
  const made = await send({ types: ['messages'], opcodes: ['0x77777777'] })
  expect([made.status, await made.json()]).toMatchObject([422, { error: expect.stringContaining('endpoint') }])
})
