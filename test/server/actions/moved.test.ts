// What actions say was moved is what moved: on traces that are recorded, made, or made at random.

import { expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { eachTwice, possibleBases, randomTraces } from './made/random.ts'
import { madeFiles } from './made/stored.ts'
import { fileOf } from './made/tree.ts'
import { untrueClaims } from './untrueClaims.ts'

interface Named extends KnownTrace {
  readonly name: string
}

/** Every fifth of the made ones: all changes come round. */
const ONE_OF = 5

/** `TRACES=2000 SEED=7` tries new traces. */
const { SEED = 'moved', TRACES = '150' } = process.env

function* traces(): Generator<Named> {
  for (const { name, tree } of possibleBases()) {
    yield { name, ...traceOfFile(fileOf(tree)) }
    for (const [i, made] of eachTwice(tree).entries())
      yield { name: `${name}, message ${i} twice`, ...traceOfFile(fileOf(made)) }
  }
  let at = 0
  for (const { name, file } of madeFiles())
    if (at++ % ONE_OF === 0 && !name.startsWith('dex_')) yield { name, ...traceOfFile(file) }
  for (const { name, file } of randomTraces(SEED, Number(TRACES))) yield { name, ...traceOfFile(file) }
}

test('what each action says was moved adds up to what moved, by account and asset', () => {
  const untrue: string[] = []
  const claimed = new Set<string>()
  for (const { name, ...known } of traces()) {
    // Of a wallet that sent nothing, actions show what it was to send.
    if (known.trace.transactions.length === 1) continue
    for (const action of classifyTrace(known.trace, known.facts).actions) {
      // Of what failed, too.
      if (!action.success || action.transactions.length === 0) continue
      claimed.add(action.type)
      for (const one of untrueClaims(action, known)) untrue.push(`${name}: ${one}`)
    }
  }
  expect(untrue).toEqual([])
  // Those of which no trace is stored have tests of their own.
  expect(claimed.size).toBeGreaterThan(60)
})
