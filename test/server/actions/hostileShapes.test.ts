// Traces of 4,000 transactions that begin like what a rule looks for, as often as they can: each takes time in proportion.

import { expect, test } from 'vitest'
import { type AccountFacts, classify, type TraceInput, type TraceTransaction } from '../../../server/actions/index.ts'
import { message, trace, transaction } from './madeTraces.ts'
import { readTraceFixture, traceNames } from './traceFixtures.ts'

const COUNT = 4000
const account = (i: number): string => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`

/** Bodies that were recorded, by operation; and which operation led to which. */
const bodies = new Map<number, Uint8Array>()
const steps = new Set<string>()
for (const name of traceNames)
  for (const { inMessage, outMessages } of readTraceFixture(name).trace.transactions)
    for (const { opcode, body } of outMessages) {
      if (opcode === null || body.length > 1500) continue
      bodies.set(opcode, body)
      if (typeof inMessage?.opcode === 'number') steps.add(`${inMessage.opcode} ${opcode}`)
    }

/** Every account holds the jettons of one master. */
const facts = new Map<string, AccountFacts>()
for (let i = 0; i < 40; i++)
  facts.set(account(i), {
    ...{ interfaces: [], codeHash: null },
    jettonWallet: { owner: account((i + 1) % 40), jetton: account(99) },
  })

type Shape = (parent: (i: number) => number, operation: (i: number) => number) => TraceInput

const shaped: Shape = (parent, operation) => {
  const received = Array.from({ length: COUNT }, (_, i) => {
    const opcode = operation(i)
    const source = i === 0 ? null : account(parent(i) % 40)
    const made = message({ source, destination: account(i % 40), lt: BigInt(i + 2) })
    return { ...made, opcode, body: bodies.get(opcode) ?? made.body }
  })
  const sent: (typeof received)[] = received.map(() => [])
  received.forEach((one, i) => {
    if (i > 0) sent[parent(i)]?.push(one)
  })
  const [first, ...others] = received.map((one, i) =>
    transaction({ account: account(i % 40), in: one, outMessages: sent[i] ?? [] }),
  )
  return trace(first as TraceTransaction, ...others)
}

/** Of this process: whatever else the machine does costs none of it. */
function expectQuick(input: TraceInput, name: string): void {
  const before = process.cpuUsage()
  const { actions, failure } = classify(input, facts)
  const { user, system } = process.cpuUsage(before)
  expect([failure, actions.length > 0], name).toEqual([null, true])
  expect((user + system) / 1000, name).toBeLessThan(4000)
}

const inChain = (i: number): number => i - 1

test('chains of two operations in turn, of which one was seen to lead to the other', () => {
  for (const step of steps) {
    const [first = 0, second = 0] = step.split(' ').map(Number)
    if (first <= second && steps.has(`${second} ${first}`))
      expectQuick(
        shaped(inChain, (i) => (i % 2 === 0 ? first : second)),
        step,
      )
  }
})

test.each([
  ['swaps of STON.fi', 0x6664de2a, 0x657b54f5],
  ['swaps of TONCO', 0xa7fb58f8, 0xa1daa96d],
])('%s one behind the other, with and without what came in', (_, swap, payment) => {
  expectQuick(
    shaped(inChain, (i) => (i % 2 === 0 ? swap : payment)),
    'bare',
  )
  const cycle = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, swap, payment]
  expectQuick(
    shaped(inChain, (i) => cycle[i % cycle.length] ?? swap),
    'with transfers',
  )
})

test('the same transfer of jettons, thousands of times', () => {
  const cycle = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0xd53276db]
  const fan = (i: number): number => (i % 4 === 1 ? 0 : i - 1)
  expectQuick(
    shaped(fan, (i) => cycle[(i + 3) % 4] ?? 0),
    'a fan',
  )
  expectQuick(
    shaped(inChain, (i) => cycle[i % 4] ?? 0),
    'a chain',
  )
})

test('transactions that seem to be their own cause', () => {
  const input = shaped(inChain, () => 0x178d4519)
  const [first, ...others] = input.transactions
  const last = others.at(-1)
  if (first?.inMessage == null || last === undefined) throw new Error('no transactions')
  const closed = { ...last, outMessages: [first.inMessage] }
  expectQuick({ ...input, transactions: [first, ...others.slice(0, -1), closed] }, 'a circle')
  const itself = { ...first, outMessages: [first.inMessage, ...first.outMessages] }
  expectQuick({ ...input, transactions: [itself, ...others] }, 'a loop')
})
