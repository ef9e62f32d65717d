// Traces of the main network: what their authors expect of them, and what the public reference classifier makes of them.

import { describe, expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { DISAGREEMENTS, disagreeingColumns } from './disagreements.ts'
import { missing, unlike } from './expectations.ts'
import { expectShapes } from './shapes.ts'
import { readReferenceActions, readTraceFixture, traceNames } from './traceFixtures.ts'

/** Mistakes in what is expected. */
const MISTAKES: Readonly<Record<string, (difference: string) => boolean>> = {
  // No message there runs from this router to the vault: the other one sent it.
  'stonfi-v2-swaps-01': (difference) => difference.startsWith('call_contract source:'),
  // Its file has the vaults' orders the other way round: 0.1 USDT left the pool as its first asset, not 100.
  'coffee-15': (difference) => /^dex_withdraw_liquidity (asset|user_jetton_wallet_)[12]/.test(difference),
}

const reference = readReferenceActions()

function differencesOf(name: string): readonly string[] {
  const { trace, facts, expected } = readTraceFixture(name)
  const { actions, failure } = classifyTrace(trace, facts)
  if (failure !== null) return [String(failure)]
  const wrong = missing(actions, expected).filter((difference) => MISTAKES[name]?.(difference) !== true)
  return [...wrong, ...unlike(actions, reference.get(name) ?? []).differences]
}

/** `type column`, as a difference begins. */
const knownOf = (name: string): string[] =>
  Object.entries(disagreeingColumns(name)).flatMap(([type, columns]) =>
    columns.split(' ').map((column) => `${type} ${column}`),
  )

describe('real traces mean what they are known to mean', () => {
  test.each(traceNames)('%s', (name) => {
    const differences = differencesOf(name)
    const known = knownOf(name)
    const isOf = (known: string) => (difference: string) => `${difference}:`.startsWith(`${known}:`)
    expect(
      differences.filter((difference) => !known.some((one) => isOf(one)(difference))),
      'differences',
    ).toEqual([])
    expect(
      known.filter((one) => !differences.some(isOf(one))),
      'listed in disagreements.ts, and agrees now',
    ).toEqual([])
  })

  test.each(Object.entries(DISAGREEMENTS))('%s: the chain proves what is not as expected', (_, { traces, holds }) => {
    for (const [name, columns] of Object.entries(traces)) {
      const { trace, facts } = readTraceFixture(name)
      const ours = classifyTrace(trace, facts).actions.find(({ type }) => type in columns)
      expect(holds({ trace, facts }, ours), name).toBe(true)
    }
  })

  test.each(traceNames)('%s: details fit the shape of their type', (name) => {
    const { trace, facts } = readTraceFixture(name)
    expectShapes(classifyTrace(trace, facts).actions)
  })

  test('every trace has its reference, and only traces that are here are listed', () => {
    expect(traceNames.length).toBeGreaterThan(90)
    expect([...reference.keys()].sort()).toEqual(traceNames)
    const exempt = Object.values(DISAGREEMENTS).flatMap(({ traces }) => Object.keys(traces))
    expect(exempt.filter((name) => !traceNames.includes(name))).toEqual([])
    expect(new Set(exempt).size).toBe(exempt.length)
    expect(Object.keys(DISAGREEMENTS).length).toBeLessThanOrEqual(5)
  })
})
