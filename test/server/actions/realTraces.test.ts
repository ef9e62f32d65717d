// Traces of the main network and what they are known to mean.

import { describe, expect, test } from 'vitest'
import { classify } from '../../../server/actions/index.ts'
import { missing } from './expectations.ts'
import { readTraceFixture, traceNames } from './traceFixtures.ts'

/** Families that have no rules yet. */
const WITHOUT_RULES: readonly string[] = ['cocoon', 'jvault', 'layerzero', 'tgbtc']

/** Differences that are mistakes of what is expected. */
const NOT_SO: Readonly<Record<string, (difference: string) => boolean>> = {
  // No message there runs from this router to the vault: the other one sent it.
  'stonfi-v2-swaps-01': (difference) => difference.startsWith('call_contract source:'),
}

const differences = new Map<string, readonly string[]>()

const familyOf = (name: string): string => name.replace(/-\d+$/, '')
const families = [...new Set(traceNames.map(familyOf))]

function differencesOf(name: string): readonly string[] {
  const known = differences.get(name)
  if (known !== undefined) return known
  const { trace, facts, expected } = readTraceFixture(name)
  const { actions, failure } = classify(trace, facts)
  const all = failure === null ? missing(actions, expected) : [String(failure)]
  const found = all.filter((difference) => NOT_SO[name]?.(difference) !== true)
  differences.set(name, found)
  return found
}

describe.skipIf(traceNames.length === 0)('real traces mean what they are known to mean', () => {
  const ready = traceNames.filter((name) => !WITHOUT_RULES.includes(familyOf(name)))

  test.each(ready)('%s', (name) => {
    expect(differencesOf(name)).toEqual([])
  })

  test('families that are said to be without rules are', () => {
    const settled = families
      .filter((family) => WITHOUT_RULES.includes(family))
      .filter((family) => traceNames.every((name) => familyOf(name) !== family || differencesOf(name).length === 0))
    expect(settled).toEqual([])
  })
})
