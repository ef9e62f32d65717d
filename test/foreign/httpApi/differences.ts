// Where two answers differ, as paths into their JSON.

export interface Difference {
  /** `result.transactions.3.hash`. */
  readonly path: string
  readonly ours: unknown
  readonly theirs: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export function differencesOf(ours: unknown, theirs: unknown, path = ''): readonly Difference[] {
  if (!isObject(ours) || !isObject(theirs) || Array.isArray(ours) !== Array.isArray(theirs))
    return ours === theirs ? [] : [{ path, ours, theirs }]
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return names.flatMap((name) => differencesOf(ours[name], theirs[name], path === '' ? name : `${path}.${name}`))
}
