// Reads rows of replies for examples: a missing value throws, and the example stays as it was.

export type DrawnRow = Readonly<Record<string, unknown>>
export type AskMethod = (name: string, params?: DrawnRow) => Promise<DrawnRow>

export const isRow = (value: unknown): value is DrawnRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const drawnRowsOf = (body: DrawnRow, name: string): readonly DrawnRow[] => {
  const { [name]: list } = body
  return Array.isArray(list) ? list.filter(isRow) : []
}
/** The text at a path into a row. Throws Error for a missing one. */
export function textAt(row: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row)
  if (typeof found !== 'string') throw new Error(`no ${path.join('.')}`)
  return found
}

/** The first row of a list that a method answers with. Throws Error for an empty one. */
export const firstRow = async (
  ask: AskMethod,
  method: string,
  list: string,
  params: DrawnRow = {},
): Promise<DrawnRow> => {
  const [row] = drawnRowsOf(await ask(method, { limit: 1, ...params }), list)
  if (row === undefined) throw new Error(`no ${list}`)
  return row
}

/** Tries the values of the list until one fits. */
export async function findFirst<T>(list: readonly T[], fits: (one: T) => Promise<boolean>): Promise<T> {
  for (const one of list) if (await fits(one)) return one
  throw new Error('none fits')
}

/** Reads parameters for examples from the running chain, by the names of their methods. */
export type Draw = () => Promise<Readonly<Record<string, DrawnRow>>>

export const exampleFor = (name: string, params: DrawnRow): Readonly<Record<string, DrawnRow>> => ({ [name]: params })
/** The same parameters for several methods. */
export const sameParams = (names: readonly string[], params: DrawnRow): Readonly<Record<string, DrawnRow>> =>
  Object.fromEntries(names.map((name) => [name, params]))

export const rowsIn = (list: unknown): number => (Array.isArray(list) ? list.length : 0)
