// How tables are split over several servers, as the guide says: read from its tables, so that what it says is what is tested.

import { readGuide } from '../../server/docs/guides.ts'

const { text } = readGuide('capacity')

const rowsUnder = (title: string): readonly (readonly string[])[] => {
  const [, section = ''] = text.split(`### ${title}\n`)
  const [body = ''] = section.split('\n#')
  return body
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

/** By table: the column whose value decides where a row is, or null for a table that every server has. */
export const keyOfTable: ReadonlyMap<string, string | null> = new Map(
  rowsUnder('Keys').flatMap(([, tables, key]) =>
    namesIn(tables).map((name) => [name, namesIn(key)[0] ?? null] as const),
  ),
)

const COMBINED = new Set(
  ['Reads that combine', 'Writes that combine'].flatMap((title) =>
    rowsUnder(title).map(([, tables]) => namesIn(tables).sort().join(' + ')),
  ),
)

/** What a statement reads of more than one split table, where the guide does not list it; null when nothing. */
export function unlistedCombination(tables: readonly (string | undefined)[]): string | null {
  const split = new Set(tables.filter((name) => name !== undefined && keyOfTable.get(name) !== null))
  const combined = [...split].sort().join(' + ')
  return split.size > 1 && !COMBINED.has(combined) ? combined : null
}
