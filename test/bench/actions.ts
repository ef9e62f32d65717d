// The rules compared with the public reference classifier, by protocol: recorded traces, and those made of them. Shares of traces
// that agree as a whole, of actions and of fields, with the traces that prove the reference wrong and without them, and why these do:
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
  /** Of the traces that prove the reference wrong. */
  mistakenActions: number
  mistakenAgreeing: number
}

const NOTHING: Sum = {
  traces: 0,
  whole: 0,
  mistaken: 0,
  expected: 0,
  agreeing: 0,
  fields: 0,
  agreeingFields: 0,
  mistakenActions: 0,
  mistakenAgreeing: 0,
}

const sums = new Map<string, Sum>()
interface Exempt {
  readonly traces: string[]
  /** Of the reference's, that differ. */
  actions: number
}

/** By the reason that traces differ for. */
const reasons = new Map<string, Exempt>()

const protocolOf = (name: string): string => name.replace(/(-failed)?-\d+(:.*)?$/, '')

interface Compared {
  readonly name: string
  readonly agreement: Agreement
  /** Why the reference is wrong about it; null when nothing proves that. */
  readonly mistake: () => string | null
}

function count({ name, agreement, mistake }: Compared): void {
  const group = protocolOf(name)
  const sum = sums.get(group) ?? { ...NOTHING }
  const isWhole = agreement.differences.length === 0
  sum.traces += 1
  sum.whole += isWhole ? 1 : 0
  const why = isWhole ? null : (mistake() ?? 'NOT PROVEN')
  if (why !== null) {
    const exempt = reasons.get(why) ?? { traces: [], actions: 0 }
    exempt.traces.push(name)
    exempt.actions += agreement.expected - agreement.agreeing
    reasons.set(why, exempt)
  }
  if (why !== null && why !== 'NOT PROVEN') {
    sum.mistaken += 1
    sum.mistakenActions += agreement.expected
    sum.mistakenAgreeing += agreement.agreeing
  }
  sum.expected += agreement.expected
  sum.agreeing += agreement.agreeing
  sum.fields += agreement.fields
  sum.agreeingFields += agreement.agreeingFields
  sums.set(group, sum)
}

const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(2)} %`.padStart(10)
const figure = (value: number): string => String(value).padStart(9)

const MOST_NAMED = 3

interface Marks {
  /** Of whole traces and of actions, in percent. */
  readonly whole: number
  readonly actions: number
}

/** How many may differ for the share to be at its mark. */
const mayDiffer = (mark: number, of: number): number => Math.floor(of * (1 - mark / 100) + 1e-9)

/** What agrees of everything, and of what is left without the traces that prove the reference wrong. */
interface Shares {
  readonly what: string
  readonly agreeing: number
  readonly of: number
  readonly agreeingApart: number
  readonly ofApart: number
  readonly mark: number
}

const summary: Shares[] = []

function printSummary(): void {
  console.log(`\n${'in all'.padEnd(28)}  mark   agrees             differ  may  without those that prove it wrong`)
  for (const { what, agreeing, of, agreeingApart, ofApart, mark } of summary)
    console.log(
      what.padEnd(28) +
        `${mark} %`.padStart(7) +
        share(agreeing, of) +
        ` of ${String(of).padStart(5)}` +
        String(of - agreeing).padStart(8) +
        String(mayDiffer(mark, of)).padStart(5) +
        share(agreeingApart, ofApart) +
        ` of ${ofApart}`,
    )
}

function print(title: string, marks: Marks): void {
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
  const expected = all.expected - all.mistakenActions
  summary.push(
    {
      what: `${title}: whole traces`,
      agreeing: all.whole,
      of: all.traces,
      mark: marks.whole,
      agreeingApart: all.whole,
      ofApart: all.traces - all.mistaken,
    },
    {
      what: `${title}: actions`,
      agreeing: all.agreeing,
      of: all.expected,
      mark: marks.actions,
      agreeingApart: all.agreeing - all.mistakenAgreeing,
      ofApart: expected,
    },
  )
  console.log('traces  actions  where the trace proves the reference wrong')
  for (const [why, { traces, actions }] of [...reasons].sort(([, a], [, b]) => b.traces.length - a.traces.length)) {
    const names = traces.length > MOST_NAMED ? '' : ` (${traces.join('; ')})`
    console.log(`${String(traces.length).padStart(6)}${figure(actions)}  ${why}${names}`)
  }
  sums.clear()
  reasons.clear()
}

const reference = readReferenceActions()
for (const name of traceNames) {
  const agreement = agreementOn(readTraceFixture(name), reference.get(name) ?? [])
  const exemption = Object.entries(DISAGREEMENTS).find(([, { traces }]) => name in traces)
  count({
    name,
    agreement,
    mistake: () =>
      exemption === undefined ? null : `${exemption[0]}: expected ${exemption[1].expected}; ${exemption[1].chain}`,
  })
}
print('recorded', { whole: 97, actions: 99.5 })

const answers = readAnswers()
for (const { name, file } of madeFiles()) {
  const answer = answers[name]?.actions.map((values) => ({ type: String(values.type), values }))
  if (answer === undefined) continue
  const known = traceOfFile(file)
  const agreement = agreementOn(known, answer)
  count({ name, agreement, mistake: () => mistakeOf(name, known, agreement) })
}
print('made', { whole: 98, actions: 99.5 })

printSummary()

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
