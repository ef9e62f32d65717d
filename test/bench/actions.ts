// The rules compared with the public reference classifier, by protocol: recorded traces, and those made of them. Shares of traces
// that agree as a whole, of actions and of fields, then the traces the reference is proven wrong about:
// `npx tsx test/bench/actions.ts`. Then the processor time of classifying, by 4,000 transactions.

import { classifyTrace } from '../../server/actions/index.ts'
import { traceOfFile } from '../../server/cli/classify/file.ts'
import { type Agreement, agreementOn } from '../server/actions/agreement.ts'
import { DISAGREEMENTS } from '../server/actions/disagreements.ts'
import { largeTraces } from '../server/actions/largeTraces.ts'
import { mistakeOf } from '../server/actions/made/mistakes.ts'
import { madeFiles, readAnswers } from '../server/actions/made/stored.ts'
import { readReferenceActions, readTraceFixture, traceNames } from '../server/actions/traceFixtures.ts'

interface Sum {
  traces: number
  whole: number
  /** Differ, and the trace proves the reference wrong. */
  mistaken: number
  expected: number
  agreeing: number
  fields: number
  agreeingFields: number
}

const NOTHING: Sum = { traces: 0, whole: 0, mistaken: 0, expected: 0, agreeing: 0, fields: 0, agreeingFields: 0 }

const sums = new Map<string, Sum>()

function count(group: string, agreement: Agreement, isMistaken: () => boolean): void {
  const sum = sums.get(group) ?? { ...NOTHING }
  const isWhole = agreement.differences.length === 0
  sum.traces += 1
  sum.whole += isWhole ? 1 : 0
  sum.mistaken += !isWhole && isMistaken() ? 1 : 0
  sum.expected += agreement.expected
  sum.agreeing += agreement.agreeing
  sum.fields += agreement.fields
  sum.agreeingFields += agreement.agreeingFields
  sums.set(group, sum)
}

const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(2)} %`.padStart(10)
const figure = (value: number): string => String(value).padStart(9)

function print(title: string): void {
  console.log(`\n${title.padEnd(32)}   traces     whole mistaken  actions  agreeing   fields  agreeing`)
  const all = { ...NOTHING }
  for (const sum of sums.values()) for (const key of Object.keys(all) as (keyof Sum)[]) all[key] += sum[key]
  for (const [group, sum] of [...[...sums].sort(([a], [b]) => (a < b ? -1 : 1)), ['all', all] as const])
    console.log(
      group.padEnd(32) +
        figure(sum.traces) +
        share(sum.whole, sum.traces) +
        figure(sum.mistaken) +
        figure(sum.expected) +
        share(sum.agreeing, sum.expected) +
        figure(sum.fields) +
        share(sum.agreeingFields, sum.fields),
    )
  const right = all.whole + all.mistaken
  console.log(`without the traces the reference is wrong about:${share(all.whole, all.traces - all.mistaken)}`)
  console.log(`right as a whole, by the reference or by the chain:${share(right, all.traces)}`)
  sums.clear()
}

const protocolOf = (name: string): string => name.replace(/(-failed)?-\d+(:.*)?$/, '')

const reference = readReferenceActions()
for (const name of traceNames)
  count(
    protocolOf(name),
    agreementOn(readTraceFixture(name), reference.get(name) ?? []),
    () => DISAGREEMENTS[name] !== undefined,
  )
print('recorded')

const answers = readAnswers()
for (const { name, file } of madeFiles()) {
  const answer = answers[name]?.actions.map((values) => ({ type: String(values.type), values }))
  if (answer === undefined) continue
  const known = traceOfFile(file)
  const agreement = agreementOn(known, answer)
  count(protocolOf(name), agreement, () => mistakeOf(name, known, agreement) !== null)
}
print('made')

const ROUNDS = 5
console.log('\n4,000 transactions in one trace: ms of processor, the median of five')
for (const { name, trace, facts } of largeTraces()) {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    classifyTrace(trace, facts)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }).sort((a, b) => a - b)
  console.log(`${name.padEnd(60)}${(times[Math.floor(ROUNDS / 2)] ?? 0).toFixed(0).padStart(8)}`)
}
