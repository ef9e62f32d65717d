// What holds of every rule: ids, bounds, failures, and which types a client is shown.

import { describe, expect, test } from 'vitest'
import { Kind } from '../../../server/actions/actionKind.ts'
import { isCall } from '../../../server/actions/base.ts'
import { classifyTrace, supportedTypes, type TraceInput, type TraceTransaction } from '../../../server/actions/index.ts'
import type { Rule } from '../../../server/actions/rule.ts'
import { ACTION_RULES } from '../../../server/actions/rules/index.ts'
import { beginCell, type Cell, stdAddress, storeAddress, writeBoc } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'

const A = `0:${'A'.repeat(64)}`
const B = `0:${'B'.repeat(64)}`
const C = `0:${'C'.repeat(64)}`
const NO_FACTS = new Map()

const actionsOf = (input: TraceInput, rules?: readonly Rule[]) =>
  rules === undefined ? classifyTrace(input, NO_FACTS) : classifyTrace(input, NO_FACTS, rules)

const call = (opcode: number): Cell => beginCell().storeUint(opcode, 32).storeUint(0, 64).end()
const comment = (text: string): Cell => beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).end()

describe('plain messages', () => {
  test('a transfer with a comment, one whose bytes are no text, and one that is encrypted', () => {
    const bodies = [
      comment('good day'),
      beginCell()
        .storeUint(0, 32)
        .storeBytes(Buffer.of(0x61, 0xff, 0, 0xc3, 0x62))
        .end(),
      beginCell().storeUint(0x2167da4b, 32).storeBytes(Buffer.from('secret')).end(),
      beginCell().storeUint(0, 16).end(),
      beginCell().storeUint(0, 33).end(),
    ]
    const shown = bodies.map((body) => {
      const [action] = actionsOf(
        trace(transaction({ account: B, in: message({ source: A, destination: B, body }) })),
      ).actions
      return [action?.type, action?.details.comment, action?.details.encrypted]
    })
    expect(shown).toEqual([
      ['ton_transfer', 'good day', false],
      ['ton_transfer', 'a\\xff\\xc3b', false],
      ['ton_transfer', Buffer.from('secret').toString('base64'), true],
      ['ton_transfer', null, false],
      ['ton_transfer', null, false],
    ])
  })

  test('a transfer that failed and came back, and one that stayed though no account could take it', () => {
    const input = (bounce: boolean, endStatus: string) =>
      trace(transaction({ account: B, in: message({ source: A, destination: B, bounce }), aborted: true, endStatus }))
    const success = (bounce: boolean, endStatus: string) => actionsOf(input(bounce, endStatus)).actions[0]?.success
    expect([success(true, 'uninit'), success(false, 'uninit'), success(false, 'active')]).toEqual([false, true, false])
  })

  test('an account that comes to life is one more action, once', () => {
    const begun = { account: B, origStatus: 'uninit', endStatus: 'active' }
    const input = trace(transaction({ ...begun, in: message({ source: A, destination: B, body: call(7) }) }))
    const { actions } = actionsOf(input)
    expect(actions.map(({ type }) => type)).toEqual(['call_contract', 'contract_deploy'])
    expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(2)
    const fromOutside = trace(transaction({ ...begun, in: message({ source: null, destination: B }) }))
    expect(actionsOf(fromOutside).actions.map(({ type, details }) => [type, details.source])).toEqual([
      ['contract_deploy', undefined],
    ])
  })

  test('the clock alone has no action of its own, and one within a trace', () => {
    const tick = transaction({ account: B, in: null, isTickTock: true })
    expect(actionsOf(trace(tick)).actions).toEqual([])
    const sent = message({ source: B, destination: C })
    const input = trace({ ...tick, outMessages: [sent] }, transaction({ account: C, in: sent }))
    expect(actionsOf(input).actions.map(({ type }) => type)).toEqual(['tick_tock', 'ton_transfer'])
  })

  test('a message from outside that says nothing known', () => {
    const input = trace(transaction({ account: B, in: message({ source: null, destination: B, body: call(9) }) }))
    expect(actionsOf(input).actions).toMatchObject([
      { type: 'unknown', actionId: input.traceId, transactions: [input.traceId], accounts: [B], details: {} },
    ])
  })
})

test('messages a wallet was ordered to send and did not, two of them alike', () => {
  const order = beginCell().storeUint(0b011000, 6)
  const to = storeAddress(order.storeUint(0, 0), stdAddress(0, Buffer.alloc(32, 0xbb)))
  const sent = to
    .storeCoins(5n)
    .storeUint(0, 1 + 4 + 4 + 64 + 32 + 2)
    .end()
  const wallet = beginCell().storeBytes(Buffer.alloc(64)).storeUint(1, 32).storeUint(2, 32).storeUint(3, 32)
  const body = wallet.storeUint(3, 8).storeRef(sent).storeUint(3, 8).storeRef(sent).end()
  const { actions } = actionsOf(trace(transaction({ account: A, in: message({ source: null, destination: A, body }) })))
  expect(actions).toMatchObject([
    { type: 'ton_transfer', success: false, accounts: [A], details: { source: A, destination: B, value: '5' } },
    { type: 'ton_transfer', success: false },
  ])
  expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(2)
})

test('the id of an action is that of its first message and its type', () => {
  const hash = 'Cn59JAl38ihSdaGdBxcnJkUHm+aWCaPY2KcJmxo4y1Q='
  const input = trace(transaction({ account: B, in: { ...message({ source: A, destination: B }), hash } }))
  expect(actionsOf(input).actions[0]?.actionId).toBe('2w63ODTcF5Jcx0ff5OOJKZ9kMhn5BzeYKr3R+OLEZMU=')
})

/** A contract that sends so many messages, each to an account that answers. */
function wide(count: number, body: Cell): TraceInput {
  const sent = Array.from({ length: count }, (_, i) =>
    message({ source: B, destination: `0:${i.toString(16).toUpperCase().padStart(64, '0')}`, body, lt: BigInt(i + 2) }),
  )
  const first = transaction({ account: B, in: message({ source: A, destination: B }), outMessages: sent })
  return trace(first, ...sent.map((one) => transaction({ account: one.destination ?? A, in: one })))
}

/** Each contract passes on to the next. */
function deep(count: number, body: Cell): TraceInput {
  const links: TraceTransaction[] = []
  let received = message({ source: A, destination: B, body })
  for (let i = 0; i < count; i++) {
    const sent = message({ source: B, destination: B, body, lt: BigInt(i + 2) })
    links.push(transaction({ account: B, in: received, outMessages: [sent] }))
    received = sent
  }
  const [first = transaction({ account: B, in: received }), ...others] = links
  return trace(first, ...others, transaction({ account: B, in: received }))
}

test.each([
  ['wide', wide],
  ['deep', deep],
])('a trace of 4000 transactions, %s, takes time in proportion', (_, shape) => {
  for (const opcode of [0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x5fcc3d14, 0xd53276db, 0xffffffff, 0x706c7567]) {
    const input = shape(3999, call(opcode))
    // Of this process: whatever else the machine does costs none of it.
    const before = process.cpuUsage()
    const { actions, failure } = actionsOf(input)
    expect([failure, actions.length > 0]).toEqual([null, true])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(5000)
  }
})

test('blocks that stand apart are one only for a rule that says so', () => {
  const sent = [1n, 2n].map((lt) => message({ source: B, destination: C, body: call(7), lt }))
  const first = transaction({
    account: B,
    in: message({ source: A, destination: B, body: call(5) }),
    outMessages: sent,
  })
  const input = trace(first, ...sent.map((one) => transaction({ account: C, in: one })))
  const pair = new Kind<null>({ type: 'pair', isFlat: true, describe: () => ({ roles: {}, details: {} }) })
  const pairs = (isScattered: boolean): Rule => ({
    name: 'pairs',
    begins: ({ next }) => next.length === 2,
    match: ({ next }) => ({ blocks: new Set(next), content: pair.content(null), failed: false, isScattered }),
  })
  const types = (isScattered: boolean) => actionsOf(input, [pairs(isScattered)]).actions.map(({ type }) => type)
  expect(types(false)).toEqual(['call_contract', 'call_contract', 'call_contract'])
  expect(types(true)).toEqual(['call_contract', 'pair'])
})

test('blocks that stand apart, one behind the other, are one in the place of the first, and what is between follows', () => {
  const ends = new Kind<null>({ type: 'ends', isFlat: true, describe: () => ({ roles: {}, details: {} }) })
  const rule: Rule = {
    name: 'ends',
    begins: ({ next }) => next.length === 0,
    match(last) {
      const first = last.previous?.previous ?? last
      return { blocks: new Set([last, first]), content: ends.content(null), failed: false, isScattered: true }
    },
  }
  const { actions } = actionsOf(deep(2, call(7)), [rule])
  expect(actions.map(({ type, transactions }) => [type, transactions.length])).toEqual([
    ['ends', 2],
    ['call_contract', 2],
  ])
})

test('a rule that begins with any of several operations finds each of them in one trace', () => {
  const links = [5, 6, 7, 5].map((opcode) => message({ source: B, destination: C, body: call(opcode) }))
  const first = transaction({ account: B, in: message({ source: A, destination: B }), outMessages: links })
  const found = new Kind<null>({ type: 'found', isFlat: true, describe: () => ({ roles: {}, details: {} }) })
  const rule: Rule = {
    name: 'found',
    begins: isCall(5, 6),
    match: (block) => ({ blocks: new Set([block]), content: found.content(null), failed: false }),
  }
  const { actions } = actionsOf(trace(first, ...links.map((one) => transaction({ account: C, in: one }))), [rule])
  expect(actions.map(({ type }) => type)).toEqual(['ton_transfer', 'found', 'found', 'call_contract', 'found'])
})

test('a rule takes in nothing that it made itself: in a chain each would hold all before it', () => {
  const pair = new Kind<null>({ type: 'pair', isFlat: true, describe: () => ({ roles: {}, details: {} }) })
  const pairs: Rule = {
    name: 'pairs',
    begins: ({ previous }) => previous !== null,
    match: (block) => ({
      blocks: new Set([block, ...(block.previous === null ? [] : [block.previous])]),
      content: pair.content(null),
      failed: false,
    }),
  }
  const { actions } = actionsOf(deep(5, call(7)), [pairs])
  expect(actions.map(({ type, transactions }) => [type, transactions.length])).toEqual([
    ['pair', 2],
    ['pair', 3],
    ['pair', 3],
  ])
})

describe('a rule that fails', () => {
  const first = trace(transaction({ account: B, in: message({ source: A, destination: B }) }))

  test('on what it reads counts for nothing', () => {
    const body = call(0x0f8a7ea5)
    const input = trace(transaction({ account: B, in: message({ source: A, destination: B, body }) }))
    expect(actionsOf(input).actions.map(({ type }) => type)).toEqual(['call_contract'])
  })

  test('by mistake leaves the plain messages, and says so', () => {
    const broken: Rule = {
      name: 'broken',
      begins: () => true,
      match() {
        throw new TypeError('a mistake')
      },
    }
    const { actions, failure } = actionsOf(first, [broken])
    expect(String(failure)).toMatch('a mistake')
    expect(actions.map(({ type }) => type)).toEqual(['ton_transfer'])
  })
})

test('bodies and bags that are none do no harm', () => {
  const garbage = Buffer.from('b5ee9c72deadbeef', 'hex')
  for (const opcode of [0x0f8a7ea5, 0, 0xf718510f]) {
    const hostile = { ...message({ source: A, destination: B }), body: garbage, opcode }
    expect(actionsOf(trace(transaction({ account: B, in: hostile }))).failure).toBeNull()
  }
  const empty = { ...message({ source: null, destination: B }), body: writeBoc(beginCell().end()) }
  expect(actionsOf(trace(transaction({ account: B, in: empty }))).actions).toMatchObject([{ type: 'unknown' }])
})

test('versions and families stand for types, one within another; the first version always counts', () => {
  expect(supportedTypes(['cocoon']).has('ton_transfer')).toBe(true)
  expect(supportedTypes(['v2']).has('evaa_supply')).toBe(true)
  expect(supportedTypes(['v1']).has('evaa_supply')).toBe(false)
  expect(supportedTypes([]).has('layerzero_send')).toBe(true)
  expect(supportedTypes(['nft.v3', 'no_such']).has('dns_release')).toBe(true)
  const ofRules = ACTION_RULES.flatMap(({ types = [] }) => types)
  expect(supportedTypes(['latest'])).toEqual(new Set([...supportedTypes(['v5']), ...ofRules]))
  expect(supportedTypes(['latest']).has('tgbtc_mint')).toBe(false)
})
