import { goingThrough } from '../fairness/index.ts'

/** The rows of each key, in their order. */
export function groupBy<K, T>(rows: Iterable<T>, keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) addToGroup(groups, keyOf(row), row)
  return groups
}

/** The same of any number of rows, in pieces. */
export function* grouping<K, T>(rows: Iterable<T>, keyOf: (row: T) => K): Generator<void, Map<K, T[]>> {
  const groups = new Map<K, T[]>()
  yield* goingThrough(rows, (row) => addToGroup(groups, keyOf(row), row))
  return groups
}

export function addToGroup<K, T>(groups: Map<K, T[]>, key: K, row: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [row])
  else group.push(row)
}
