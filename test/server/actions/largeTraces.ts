// Traces of 4,000 transactions that begin like what a rule looks for, as often as they can.

import type { AccountFacts, AccountsFacts, TraceInput, TraceTransaction } from '../../../server/actions/index.ts'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'
import { readTraceFixture, traceNames } from './traceFixtures.ts'

const COUNT = 4000
const account = (i: number): string => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`

export interface LargeTrace {
  readonly name: string
  readonly trace: TraceInput
  readonly facts: AccountsFacts
}

interface Recorded {
  /** Bodies by operation. */
  readonly bodies: ReadonlyMap<number, Uint8Array>
  /** Which operation led to which. */
  readonly steps: ReadonlySet<string>
}

function recorded(): Recorded {
  const bodies = new Map<number, Uint8Array>()
  const steps = new Set<string>()
  for (const name of traceNames)
    for (const { inMessage, outMessages } of readTraceFixture(name).trace.transactions)
      for (const { opcode, body } of outMessages) {
        if (opcode === null || body.length > 1500) continue
        bodies.set(opcode, body)
        if (typeof inMessage?.opcode === 'number') steps.add(`${inMessage.opcode} ${opcode}`)
      }
  return { bodies, steps }
}

/** Every account holds the jettons of one master. */
const facts = new Map<string, AccountFacts>()
for (let i = 0; i < 40; i++)
  facts.set(account(i), {
    interfaces: [],
    codeHash: null,
    jettonWallet: { owner: account((i + 1) % 40), jetton: account(99) },
  })

interface Shape {
  readonly parent: (i: number) => number
  readonly operation: (i: number) => number
}

function shaped(bodies: Recorded['bodies'], { parent, operation }: Shape): TraceInput {
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

const inChain = (i: number): number => i - 1
const atOnce = (): number => 0
const hex = (opcode: number): string => `0x${opcode.toString(16)}`

const TRANSFER = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0xd53276db]

/** Of DeDust v2, of which no trace is recorded. */
const PAY_NATIVE = 0xa5a7cbf8
const purpose = beginCell().storeUint(0xc442500f, 32).storeCoins(1n).storeUint(0, 40).storeBit(0).end()
const payNative = beginCell().storeUint(PAY_NATIVE, 32).storeUint(0, 64).storeCoins(1n).storeRef(purpose).end()

const SWAPS: readonly (readonly [string, number, number])[] = [
  ['STON.fi', 0x6664de2a, 0x657b54f5],
  ['TONCO', 0xa7fb58f8, 0xa1daa96d],
]

/** Transactions that seem to be their own cause. */
function* circles(bodies: Recorded['bodies']): Generator<LargeTrace> {
  const input = shaped(bodies, { parent: inChain, operation: () => 0x178d4519 })
  const [first, ...others] = input.transactions
  const last = others.at(-1)
  if (first?.inMessage == null || last === undefined) throw new Error('no transactions')
  const closed = { ...last, outMessages: [first.inMessage] }
  yield { name: 'a circle', trace: { ...input, transactions: [first, ...others.slice(0, -1), closed] }, facts }
  const itself = { ...first, outMessages: [first.inMessage, ...first.outMessages] }
  yield { name: 'a loop', trace: { ...input, transactions: [itself, ...others] }, facts }
}

/** `share` is how many of the recorded operations are sent 4,000 times at once: one of so many. */
export function* largeTraces(share = 1): Generator<LargeTrace> {
  const { bodies, steps } = recorded()
  const made = (name: string, shape: Shape): LargeTrace => ({ name, trace: shaped(bodies, shape), facts })
  for (const step of steps) {
    const [first = 0, second = 0] = step.split(' ').map(Number)
    if (first > second || !steps.has(`${second} ${first}`)) continue
    const operation = (i: number): number => (i % 2 === 0 ? first : second)
    yield made(`${hex(first)} and ${hex(second)} in turn, a chain`, { parent: inChain, operation })
  }
  for (const [name, swap, payment] of SWAPS) {
    yield made(`swaps of ${name}, a chain`, { parent: inChain, operation: (i) => (i % 2 === 0 ? swap : payment) })
    const cycle = [...TRANSFER.slice(0, 3), swap, payment]
    yield made(`swaps of ${name} with what came in, a chain`, {
      parent: inChain,
      operation: (i) => cycle[i % cycle.length] ?? swap,
    })
  }
  const ofDedust = shaped(new Map([[PAY_NATIVE, writeBoc(payNative)]]), {
    parent: inChain,
    operation: () => PAY_NATIVE,
  })
  yield { name: 'swaps of DeDust v2, a chain', trace: ofDedust, facts }
  yield made('transfers of jettons, a fan', {
    parent: (i) => (i % 4 === 1 ? 0 : i - 1),
    operation: (i) => TRANSFER[(i + 3) % 4] ?? 0,
  })
  yield made('transfers of jettons, a chain', { parent: inChain, operation: (i) => TRANSFER[i % 4] ?? 0 })
  for (const opcode of [...bodies.keys()].filter((_, i) => i % share === 0))
    yield made(`${hex(opcode)}, sent 4,000 times by one`, { parent: atOnce, operation: () => opcode })
  yield* circles(bodies)
}
