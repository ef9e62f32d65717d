// What was found out about lite servers, as a table and as advice.

import type { Examination, StepName } from '../../node/index.ts'

const COLUMNS: readonly (readonly [title: string, step: StepName])[] = [
  ['connection', 'connection'],
  ['handshake', 'handshake'],
  ['signs in', 'authentication'],
  ['clock', 'clock'],
  ['newest block', 'head'],
  ['past', 'archive'],
  ['proof', 'proof'],
]

/** What is long is said below the table. */
const cellOf = ({ steps }: Examination, wanted: StepName): string => {
  const found = steps.find(({ step }) => step === wanted)
  if (found === undefined) return '-'
  return found.ok ? found.words : wanted === 'clock' ? `${found.words} WRONG` : 'FAILS'
}

export function doctorTable(examinations: readonly Examination[], lagOf: (one: Examination) => number | null): string {
  const header = ['lite server', ...COLUMNS.map(([title]) => title), 'behind']
  const rows = examinations.map((one) => {
    const lag = lagOf(one)
    return [one.server, ...COLUMNS.map(([, step]) => cellOf(one, step)), lag === null ? '-' : String(lag)]
  })
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const WHAT_TO_DO: Readonly<Record<StepName, string>> = {
  connection: 'is it running, are address and port right, does a firewall stand between?',
  handshake: 'its key is another one: fetch the list again, or ask its operator',
  authentication: 'it takes the connection and answers nothing: it may be overloaded, or not in sync',
  clock: 'set the clock by a time server',
  head: 'it is a server of another network: use the list of this one',
  archive: 'it answers too slowly; use it for the newest blocks only',
  proof: 'do not use it: either it is out of date, or it does not tell the truth',
}

const MOST_LAG = 10
const OWN_CLOCK_S = 30

/** One line for each thing that can be mended. */
export function adviceOn(
  examinations: readonly Examination[],
  lagOf: (one: Examination) => number | null,
): readonly string[] {
  const skews = examinations.flatMap(({ skew }) => (skew === null ? [] : [skew])).sort((a, b) => a - b)
  const middle = skews[Math.floor(skews.length / 2)] ?? 0
  const own =
    skews.length > 1 && Math.abs(middle) > OWN_CLOCK_S
      ? [
          `the clock of this machine is ${Math.abs(middle).toFixed(0)} s ${middle > 0 ? 'behind' : 'ahead of'} most servers: set it`,
        ]
      : []
  const each = examinations.flatMap((one) => {
    const lag = lagOf(one)
    const bad = one.steps.filter(({ ok, step }) => !ok && !(step === 'clock' && own.length > 0))
    return [
      ...bad.map(({ step, words }) => `${one.server}: ${step}: ${words}; ${WHAT_TO_DO[step]}`),
      ...(lag !== null && lag > MOST_LAG
        ? [`${one.server}: ${lag} blocks behind: it is not asked for new blocks`]
        : []),
    ]
  })
  return [...own, ...each]
}
