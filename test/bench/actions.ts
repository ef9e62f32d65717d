// The rules beside the public reference classifier, by protocol: recorded traces, and those made of them. Shares of
// actions that agree in every column, and of traces that agree as a whole: `npx tsx test/bench/actions.ts`.

import { traceOfFile } from '../../server/cli/classify/file.ts'
import { type Agreement, agreementOn } from '../server/actions/agreement.ts'
import { madeFiles, readAnswers } from '../server/actions/made/stored.ts'
import { readReferenceActions, readTraceFixture, traceNames } from '../server/actions/traceFixtures.ts'

interface Sum {
  traces: number
  whole: number
  actions: number
  agreeing: number
}

const sums = new Map<string, Sum>()

function count(group: string, { differences, expected, agreeing }: Agreement): void {
  const sum = sums.get(group) ?? { traces: 0, whole: 0, actions: 0, agreeing: 0 }
  sum.traces += 1
  sum.whole += differences.length === 0 ? 1 : 0
  sum.actions += expected
  sum.agreeing += agreeing
  sums.set(group, sum)
}

const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`.padStart(8)

function print(title: string): void {
  console.log(`\n${title.padEnd(32)}  traces     whole   actions  agreeing`)
  const all = [...sums.values()].reduce((a, b) => ({
    traces: a.traces + b.traces,
    whole: a.whole + b.whole,
    actions: a.actions + b.actions,
    agreeing: a.agreeing + b.agreeing,
  }))
  for (const [group, sum] of [...[...sums].sort(([a], [b]) => (a < b ? -1 : 1)), ['all', all] as const])
    console.log(
      `${group.padEnd(32)}${String(sum.traces).padStart(8)}  ${share(sum.whole, sum.traces)}${String(sum.actions).padStart(10)}  ${share(sum.agreeing, sum.actions)}`,
    )
  sums.clear()
}

const protocolOf = (name: string): string => name.replace(/(-failed)?-\d+(:.*)?$/, '')

const reference = readReferenceActions()
for (const name of traceNames) count(protocolOf(name), agreementOn(readTraceFixture(name), reference.get(name) ?? []))
print('recorded')

const answers = readAnswers()
for (const { name, file } of madeFiles()) {
  const answer = answers[name]?.actions.map((values) => ({ type: String(values.type), values }))
  if (answer !== undefined) count(protocolOf(name), agreementOn(traceOfFile(file), answer))
}
print('made')
