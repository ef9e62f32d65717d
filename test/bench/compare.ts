// Two things measured in turn, round by round, and printed as a ratio: on a shared machine nothing else is worth printing.

import { availableParallelism, loadavg } from 'node:os'
import { alignedLines } from '../../server/cli/alignedLines.ts'

export interface Row {
  readonly name: string
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
  readonly spread: number
  /** The same ratio by the processor's time, threads and all; null where a part of the work is in another process. */
  readonly byCpu: number | null
  readonly target: number | null
  readonly unit: string
}

export interface Contest {
  readonly name: string
  readonly unit: string
  /** Null where the ratio is only worth knowing. */
  readonly target: number | null
  /** All of the work is in this process. */
  readonly here?: boolean
  readonly ours: () => Promise<number>
  readonly theirs: () => Promise<number>
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

interface Turn {
  readonly rate: number
  /** Processors that were busy for it, on average. */
  readonly share: number
}

async function turn(work: () => Promise<number>): Promise<Turn> {
  const began = performance.now()
  const before = process.cpuUsage()
  const rate = await work()
  const { user, system } = process.cpuUsage(before)
  return { rate, share: (user + system) / 1000 / (performance.now() - began) }
}

/** Medians over `rounds` rounds after one that warms up; `spread` is half the range of the ratios. */
export async function compare({ name, unit, target, here = false, ours, theirs }: Contest, rounds = 5): Promise<Row> {
  await ours()
  await theirs()
  const pairs: [Turn, Turn][] = []
  for (let i = 0; i < rounds; i++) pairs.push([await turn(ours), await turn(theirs)])
  const ratios = pairs.map(([a, b]) => a.rate / b.rate)
  return {
    name,
    unit,
    target,
    ours: median(pairs.map(([a]) => a.rate)),
    theirs: median(pairs.map(([, b]) => b.rate)),
    ratio: median(ratios),
    spread: (Math.max(...ratios) - Math.min(...ratios)) / 2,
    byCpu: here ? median(pairs.map(([a, b]) => a.rate / a.share / (b.rate / b.share))) : null,
  }
}

export const aligned = (head: readonly string[], cells: readonly (readonly string[])[]): string =>
  alignedLines([
    head,
    head.map((_, i) => '-'.repeat(Math.max(...[head, ...cells].map((row) => row[i]?.length ?? 0)))),
    ...cells,
  ]).join('\n')

/** How busy the machine is. */
export const loadLine = (): string => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`

/** The rows as a table; a target missed by more than the spread is marked. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ name, unit, ours, theirs, ratio, spread, byCpu, target }) => [
    name,
    `${Math.round(ours).toLocaleString('en')} ${unit}`,
    `${Math.round(theirs).toLocaleString('en')} ${unit}`,
    `${ratio.toFixed(2)} ±${spread.toFixed(2)}`,
    byCpu === null ? '' : byCpu.toFixed(2),
    ...(target === null
      ? []
      : [`≥ ${target}`, ratio >= target ? 'met' : ratio + spread >= target ? 'within noise' : 'MISSED']),
  ])
  return `${aligned(['what', 'ours', 'reference', 'ratio', 'by cpu', 'target', ''], cells)}\n${loadLine()}`
}

/** What may not be more than so much. */
export interface Bounded {
  readonly name: string
  readonly unit: string
  /** Null where the figure is only worth knowing. */
  readonly atMost: number | null
  readonly values: readonly number[]
}

/** Medians and what they may be at most. */
export function boundsTable(rows: readonly Bounded[]): string {
  const cells = rows.map(({ name, unit, atMost, values }) => {
    const middle = median(values)
    const least = Math.min(...values)
    const spread = (Math.max(...values) - least) / 2
    const digits = middle < 10 ? 2 : 0
    return [
      name,
      `${middle.toFixed(digits)} ±${spread.toFixed(digits)} ${unit}`,
      ...(atMost === null
        ? []
        : [`≤ ${atMost} ${unit}`, middle <= atMost ? 'met' : least <= atMost ? 'within noise' : 'MISSED']),
    ]
  })
  return `${aligned(['what', 'median', 'target', ''], cells)}\n${loadLine()}`
}
