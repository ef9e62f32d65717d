// Two things measured in turn, round by round, and told as a ratio: on a shared machine nothing else is worth printing.

export interface Row {
  readonly name: string
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
  readonly spread: number
  readonly target: number
  readonly unit: string
}

export interface Contest {
  readonly name: string
  readonly unit: string
  readonly target: number
  readonly ours: () => Promise<number>
  readonly theirs: () => Promise<number>
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Medians over `rounds` rounds after one that warms up; `spread` is half the range of the ratios. */
export async function compare({ name, unit, target, ours, theirs }: Contest, rounds = 5): Promise<Row> {
  await ours()
  await theirs()
  const pairs: [number, number][] = []
  for (let i = 0; i < rounds; i++) pairs.push([await ours(), await theirs()])
  const ratios = pairs.map(([a, b]) => a / b)
  return {
    name,
    unit,
    target,
    ours: median(pairs.map(([a]) => a)),
    theirs: median(pairs.map(([, b]) => b)),
    ratio: median(ratios),
    spread: (Math.max(...ratios) - Math.min(...ratios)) / 2,
  }
}

/** The rows as a table; a target missed by more than the spread is marked. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ name, unit, ours, theirs, ratio, spread, target }) => [
    name,
    `${Math.round(ours).toLocaleString('en')} ${unit}`,
    `${Math.round(theirs).toLocaleString('en')} ${unit}`,
    `${ratio.toFixed(2)} ±${spread.toFixed(2)}`,
    `≥ ${target}`,
    ratio >= target ? 'met' : ratio + spread >= target ? 'within noise' : 'MISSED',
  ])
  const head = ['what', 'ours', 'reference', 'ratio', 'target', '']
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)))
  return [head, widths.map((width) => '-'.repeat(width)), ...cells]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
