// What was found out about lite servers, as a table and as advice.

import { MOST_AHEAD_S } from '../../app/index.ts'
import { type Examination, type ExamStep, type Fault, type StepName, skewOfMost } from '../../node/index.ts'
import { alignedLines } from '../alignedLines.ts'

const COLUMNS: readonly (readonly [title: string, step: StepName])[] = [
  ['connection', 'connection'],
  ['handshake', 'handshake'],
  ['signs in', 'authentication'],
  ['clock', 'clock'],
  ['newest block', 'head'],
  ['past', 'archive'],
  ['proof', 'proof'],
]

/** Long texts are printed below the table. */
const cellOf = ({ steps }: Examination, wanted: StepName): string => {
  const found = steps.find(({ step }) => step === wanted)
  if (found === undefined) return '-'
  if (found.fault === null) return found.words
  return found.fault === 'clock' ? `${found.words} WRONG` : found.fault === 'slow' ? 'SLOW' : 'FAILS'
}

export function doctorTable(examinations: readonly Examination[], lagOf: (one: Examination) => number | null): string {
  const header = ['lite server', ...COLUMNS.map(([title]) => title), 'behind']
  const rows = examinations.map((one) => {
    const lag = lagOf(one)
    return [one.server, ...COLUMNS.map(([, step]) => cellOf(one, step)), lag === null ? '-' : String(lag)]
  })
  return alignedLines([header, ...rows]).join('\n')
}

const WHAT_TO_DO: Readonly<Record<Fault, string>> = {
  unreachable: 'check that it runs, its address and port, and that no firewall is in between',
  silent: 'it hangs, or something else listens there: restart it, or ask its operator',
  otherKey: 'fetch the list again, or ask its operator for its key',
  slow: 'it is overloaded, hangs, or is far away: use others',
  closed: 'it may be overloaded, or limit its callers: try again later',
  limited: 'it limits its callers: try again later, or use others',
  refused: 'it may not be in sync yet: ask its operator',
  failing: 'it is overloaded, or its own log has the cause: use others, or ask its operator',
  unreadable: 'it is no lite server of this version: use others',
  incomplete: 'it lacks a call that the service needs, as proxies do: use others, or the server behind it',
  clock: 'set the clock by a time server: that of the server, or that of this machine',
  otherNetwork: 'use the list of this network',
  otherChain:
    'correct "init_block" in the list; if it is right, do not use the server: it is out of date, or serves a fork',
  unproven: 'do not use it: it is out of date, or lies',
}

/** A server without the past is still good for the newest blocks. */
const whatToDo = ({ step, fault }: ExamStep & { readonly fault: Fault }): string =>
  step === 'archive' ? 'use it for the newest blocks only' : WHAT_TO_DO[fault]

const isBad = (step: ExamStep): step is ExamStep & { readonly fault: Fault } => step.fault !== null

const MOST_LAG = 10
const OWN_CLOCK_S = 30

/** A network makes a block each few seconds, and an idle chain of one's own each minute. */
const OLD_S = 300

/** Seconds that clocks of servers are ahead of this machine's. */
const skewsOf = (examinations: readonly Pick<Examination, 'skew'>[]): number[] =>
  examinations.flatMap(({ skew }) => (skew === null ? [] : [skew]))

/** Advice when the newest block is old or in the future, by the clocks of most servers: the clock of this machine may be wrong. */
export function adviceOnAge(usable: readonly Pick<Examination, 'head' | 'skew'>[], now: number): readonly string[] {
  const age = now + skewOfMost(skewsOf(usable)) - Math.max(...usable.map(({ head }) => head?.utime ?? 0))
  if (usable.length === 0 || (age <= OLD_S && age >= -MOST_AHEAD_S)) return []
  if (age < 0)
    return [
      `the newest block was made ${(-age).toFixed(0)} s in the future: the time of that chain was moved, or the clocks ` +
        'of its servers and of this machine are behind; if it is no chain of your own, use other servers',
    ]
  return [`the newest block is ${age.toFixed(0)} s old: the network stands, or none of these servers is in sync`]
}

/** Advice where no server has the first blocks: where an index can begin. */
export function adviceOnOldest(usable: readonly Pick<Examination, 'oldest'>[]): readonly string[] {
  const oldest = Math.min(...usable.flatMap((one) => one.oldest ?? []))
  if (oldest === 1 || oldest === Number.POSITIVE_INFINITY) return []
  // A server whose oldest block is not known may have older ones.
  const keeps = usable.some((one) => one.oldest === null) ? 'is known to keep' : 'keeps'
  return [
    `none of these servers ${keeps} blocks before about ${oldest}: an index begins there or later (--index-from), and one whose ` +
      'next block is older does not get on; add an archive server for older blocks',
  ]
}

/** One line for each thing that can be mended. */
export function adviceOn(
  examinations: readonly Examination[],
  lagOf: (one: Examination) => number | null,
): readonly string[] {
  const skews = skewsOf(examinations)
  const middle = skewOfMost(skews)
  const isOfMost = skews.length > 1
  const own =
    isOfMost && Math.abs(middle) > OWN_CLOCK_S
      ? [
          `the clock of this machine is ${Math.abs(middle).toFixed(0)} s ${middle > 0 ? 'behind' : 'ahead of'} most servers: set it`,
        ]
      : []
  const each = examinations.flatMap((one) => {
    const lag = lagOf(one)
    const bad = one.steps.filter(isBad).filter(({ fault }) => !(fault === 'clock' && own.length > 0))
    return [
      ...bad.map((step) => `${one.server}: ${step.step}: ${step.words}; ${whatToDo(step)}`),
      ...(lag !== null && lag > MOST_LAG ? [`${one.server}: ${lag} blocks behind: it is not used for new blocks`] : []),
    ]
  })
  return [...own, ...each]
}
