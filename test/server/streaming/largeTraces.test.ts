// A trace of more transactions than v3 shows together: streams and webhooks report all of them, some at a time.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { loopingContract } from '../../setup/loopingContract.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openSocket, openWallet } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const LOOP = `0:${'4C'.repeat(32)}`
const LEAST = 4001
const types = ['transactions', 'actions', 'trace']

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', webhookPrivate: true } }))

const lastOf = async (wish: Frame, isLast: (frame: Frame) => boolean) => {
  const stream = await openSocket(service())
  await stream.say('subscribe', wish)
  return async (): Promise<readonly Frame[]> => {
    await stream.frames.first(isLast)
    return stream.notices()
  }
}
const isTrace = ({ type, finality }: Frame): boolean => type === 'trace' && finality === 'finalized'
const listOf = ({ transactions }: Frame) => transactions as readonly { readonly hash: string; readonly lt: string }[]
const ofTransactions = (all: readonly Frame[]) => all.filter(({ type }) => type === 'transactions')

test('each transaction is reported once, the last first, and a reader or an endpoint goes on after any of them', async () => {
  const { client, raw, send, mine } = await openWallet(service())
  await client.dev.setAccount({ address: LOOP, ...loopingContract(LEAST) })
  await mine()
  const receiver = await openReceiver()
  receiver.answer = (res) => void res.writeHead(receiver.all.length === 10 ? 500 : 200).end()
  await webhooksOf(service()).add(receiver.url, { types: ['transactions'], addresses: [LOOP] })
  const hash = await send(LOOP)
  const wish = { types, addresses: [LOOP], trace_external_hash_norms: [hash] }
  const whole = await lastOf(wish, isTrace)
  const ofWallet = await lastOf(
    { types: ['transactions'], addresses: [raw] },
    ({ finality }) => finality === 'finalized',
  )
  const infoOf = async () => (await ask(service(), `/api/v3/traces?account=${LOOP}`)).body.traces as Frame[]
  const [trace] = await eventually(async () => {
    await mine()
    const found = await infoOf()
    return found.length > 0 ? found : undefined
  })
  const count = Number((trace?.trace_info as Frame | undefined)?.transactions)
  expect(count).toBeGreaterThan(LEAST)

  const heard = await whole()
  const parts = ofTransactions(heard)
  const lts = parts.flatMap(listOf).map(({ lt }) => BigInt(lt))
  expect(lts).toHaveLength(count - 1)
  expect(lts.every((lt, i) => i === 0 || lt < (lts[i - 1] ?? 0n))).toBe(true)
  expect(Math.max(...parts.map((one) => listOf(one).length))).toBe(100)
  expect(new Set(heard.map(({ trace_external_hash_norm: name }) => name))).toEqual(new Set([hash]))
  const { cursor: _, ...last } = heard.at(-1) ?? {}
  expect(last).toEqual({
    type: 'trace',
    finality: 'finalized',
    trace_external_hash_norm: hash,
    is_incomplete: trace?.is_incomplete,
    warning: trace?.warning,
    trace: null,
    transactions: {},
  })
  expect(heard.map(({ type }) => type)).toEqual([...parts.map(() => 'transactions'), 'trace'])

  const own = ofTransactions(await ofWallet()).filter(({ finality }) => finality === 'finalized')
  expect(own.map((one) => listOf(one).length)).toEqual([1])

  for (const at of [0, 20, parts.length - 1]) {
    const resumed = await lastOf({ ...wish, after: parts[at]?.cursor }, isTrace)
    expect(await resumed()).toEqual(heard.slice(at + 1))
  }
  const named = await lastOf({ types: ['trace', 'blocks'], trace_external_hash_norms: [hash] }, isTrace)
  expect(await named()).toEqual([last])

  const posted = await receiver.count(parts.length + 1)
  expect(posted.map(({ body }) => body)).toEqual([...parts.slice(0, 10), ...parts.slice(9)])
})
