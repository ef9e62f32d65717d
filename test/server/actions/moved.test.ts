// What actions say was moved is what moved: on traces that are recorded, made, or made at random.

import { expect, test } from 'vitest'
import { type Action, classify, type Facts, type TraceInput } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { randomTraces } from './made/random.ts'
import { madeFiles } from './made/stored.ts'
import { hasMoved, isTon, jettonsMoved, type Leg, type Movement, PROXY_TON, paidLegs, tonMoved } from './moved.ts'
import { readTraceFixture, traceNames } from './traceFixtures.ts'

interface Named extends KnownTrace {
  readonly name: string
}

/** Every fifth of the made ones: all changes come round. */
const ONE_OF = 5

/** `TRACES=2000 SEED=another` tries new traces. */
const { SEED = 'moved', TRACES = '150' } = process.env

function* traces(): Generator<Named> {
  for (const name of traceNames) yield { name, ...readTraceFixture(name) }
  let at = 0
  for (const { name, file } of madeFiles()) if (at++ % ONE_OF === 0) yield { name, ...traceOfFile(file) }
  for (const { name, file } of randomTraces(SEED, Number(TRACES))) yield { name, ...traceOfFile(file) }
}

const sums = (movements: Iterable<Movement>): Map<string, bigint> => {
  const found = new Map<string, bigint>()
  const add = (account: string | null, asset: string | null, amount: bigint) => {
    if (account === null || amount === 0n) return
    const key = `${account} ${asset}`
    found.set(key, (found.get(key) ?? 0n) + amount)
  }
  for (const { from, to, asset, amount } of movements) {
    add(from, asset, -amount)
    add(to, asset, amount)
  }
  return new Map([...found].filter(([, sum]) => sum !== 0n))
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What successful transfers of jettons say, the proxy of TON aside: that moves TON. */
const transfersSaid = (actions: readonly Action[]): (Movement & { readonly action: Action })[] =>
  actions
    .filter(
      ({ type, success, details }) => type === 'jetton_transfer' && success && !PROXY_TON.has(String(details.asset)),
    )
    .map((action) => ({
      action,
      transaction: '',
      asset: text(action.details.asset),
      from: text(action.details.sender),
      to: String(action.details.receiver),
      amount: BigInt(String(action.details.amount)),
    }))

function jettonTrouble(trace: TraceInput, facts: Facts, actions: readonly Action[]): string[] {
  const said = transfersSaid(actions)
  const theirs = new Set(said.flatMap(({ action }) => action.transactions))
  const moved = jettonsMoved(trace, facts).filter(({ transaction }) => theirs.has(transaction))
  const [of, as] = [sums(said), sums(moved)]
  return [...new Set([...of.keys(), ...as.keys()])]
    .filter((key) => of.get(key) !== as.get(key))
    .map((key) => `${key}: said ${of.get(key) ?? 0n}, moved ${as.get(key) ?? 0n}`)
}

function tonTrouble(trace: TraceInput, actions: readonly Action[]): string[] {
  const plain = actions.filter(({ type }) => type === 'ton_transfer' || type === 'call_contract')
  const left = tonMoved(trace)
  return plain.flatMap(({ details, transactions, type }) => {
    if (details.destination == null || details.value == null) return []
    const at = left.findIndex(
      ({ transaction, from, to, amount }) =>
        // Its own is the first; what it answers may be just as much.
        transactions[0] === transaction &&
        from === details.source &&
        to === details.destination &&
        String(amount) === details.value,
    )
    if (at < 0) return [`${type} of ${String(details.value)}`]
    left.splice(at, 1)
    return []
  })
}

/** The amounts an exchange is said to have taken in or paid. */
function legsOf(action: Action): Leg[] {
  const { type, details } = action
  // The cast: the shape of the type has it.
  const incoming = details.dex_incoming_transfer as Leg | undefined
  if (type === 'jetton_swap') return [{ asset: incoming?.asset, amount: incoming?.amount }, ...paidLegs(action)]
  if (type === 'dex_deposit_liquidity')
    return [1, 2].map((n) => ({ asset: details[`asset_${n}`], amount: details[`amount_${n}`] }))
  return paidLegs(action).map(({ asset, amount }) => ({ asset, amount }))
}

function legTrouble(trace: TraceInput, facts: Facts, actions: readonly Action[]): string[] {
  const moved = [...jettonsMoved(trace, facts), ...tonMoved(trace)]
  // Of what failed, the amounts are those that were to be moved.
  return actions
    .filter(({ success }) => success)
    .flatMap((action) =>
      legsOf(action)
        .filter(({ amount }) => amount != null && amount !== '0')
        .filter((leg) => !hasMoved(action, isTon(leg.asset) ? { ...leg, to: null } : leg, moved))
        .map(({ asset, amount }) => `${action.type}: ${String(amount)} of ${String(asset)}`),
    )
}

test('transfers, calls and the legs of exchanges add up to what moved', () => {
  const trouble: string[] = []
  for (const { name, trace, facts } of traces()) {
    const { actions } = classify(trace, facts)
    const sent = actions.filter(({ transactions }) => transactions.length > 0)
    const isGhost = trace.transactions.length === 1
    if (isGhost) continue
    for (const one of [
      ...jettonTrouble(trace, facts, sent),
      ...tonTrouble(trace, sent),
      ...legTrouble(trace, facts, sent),
    ])
      trouble.push(`${name}: ${one}`)
  }
  expect(trouble).toEqual([])
})
