/** Rows of a table as lines, each column as wide as its widest cell. */
export function alignedLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) for (const [i, { length }] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, length)
  const lineOf = (row: readonly string[]): string => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return rows.map((row) => lineOf(row).trimEnd())
}
