// Answers of lite servers of the public C++ node: each one verifies, and none does that was altered or given to another
// question, unless what was altered is not among the values one is left with.

import { beforeAll, describe, expect, test } from 'vitest'
import { LiteError, ProofError } from '../../../../server/node/index.ts'
import { alterations } from '../../../setup/alterations.ts'
import type { Verb } from '../../../setup/lyingServer.ts'
import { type RecordedCall, recordedCalls, SESSIONS } from '../../../setup/recordedSession.ts'
import { fingerprint } from '../../devchain/lite/fingerprint.ts'
import { CHECKS, type KnownNames, namesOf } from './recordedChecks.ts'

/** What a server says of itself. */
const OWN_WORDS: readonly Verb[] = ['queueSizes']

/** The checked values of an answer, or null when it is rejected. */
function checkedValue({ verb, args, answer }: RecordedCall, names: KnownNames): string | null {
  const check = CHECKS[verb]
  if (check === undefined) throw new Error(`Nothing checks ${verb}`)
  try {
    return fingerprint(check(args as never, answer as never, names))
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}

/** Of each verb and mode a few, from the first to the last. */
function someOfEach(calls: readonly RecordedCall[], most: number): readonly RecordedCall[] {
  const kinds = new Map<string, RecordedCall[]>()
  for (const call of calls) {
    const modes = call.args.filter((arg) => typeof arg === 'number' || typeof arg === 'boolean')
    const kind = `${call.verb} ${modes.join(' ')}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), call])
  }
  return [...kinds.values()].flatMap((all) => {
    const step = Math.max(1, Math.floor(all.length / most))
    return all.filter((_, i) => i % step === 0).slice(0, most)
  })
}

describe.each(SESSIONS)('%s', (session) => {
  let calls: readonly RecordedCall[]
  let names: KnownNames
  beforeAll(async () => {
    const all = await recordedCalls(session)
    names = namesOf(all.filter(({ answer }) => !(answer instanceof Error)))
    calls = all.filter(({ verb, answer }) => !(answer instanceof Error) && !OWN_WORDS.includes(verb))
  })

  test('behavior: refusals are those of lite servers', async () => {
    const refused = (await recordedCalls(session)).filter(({ answer }) => answer instanceof Error)
    expect(refused.filter(({ answer }) => !(answer instanceof LiteError))).toEqual([])
    expect(new Set(refused.map(({ answer }) => (answer as LiteError).code))).toEqual(
      new Set(session === 'cpp-session' ? [651, -400] : [651]),
    )
  })

  test('behavior: every answer verifies', () => {
    const refused = calls.filter((call) => checkedValue(call, names) === null)
    expect(refused.map(({ verb, args }) => [verb, fingerprint(args)])).toEqual([])
  })

  test('error: an answer altered anywhere', () => {
    const believed: string[] = []
    let tries = 0
    for (const call of someOfEach(calls, 6)) {
      const honest = checkedValue(call, names)
      for (const { where, altered } of alterations(call.answer, 8)) {
        tries++
        const value = checkedValue({ ...call, answer: altered }, names)
        if (value !== null && value !== honest) believed.push(`${call.verb}${where}`)
      }
    }
    // That a library does not exist is proven by `librariesWithProof` only.
    expect([...new Set(believed)]).toEqual(['libraries without the last'])
    expect(tries).toBeGreaterThan(10_000)
  })

  test('error: the answer to another question, or about another block', () => {
    const believed: string[] = []
    // Which block fits a look-up is proven by `lookupWithProof` only.
    const some = someOfEach(calls, 8).filter(({ verb }) => verb !== 'lookup')
    for (const [i, call] of some.entries()) {
      const honest = checkedValue(call, names)
      const other = some.slice(i + 1).find(({ verb }) => verb === call.verb)
      const swapped = other === undefined ? null : checkedValue({ ...call, answer: other.answer }, names)
      if (swapped !== null && swapped !== honest) believed.push(`${call.verb}: of another call`)
      const [first, ...rest] = call.args
      for (const { where, altered } of alterations(first, 1)) {
        const value = checkedValue({ ...call, args: [altered, ...rest] }, names)
        if (value !== null && value !== honest) believed.push(`${call.verb}: with${where}`)
      }
    }
    expect(believed).toEqual([])
  })
})
