import { z } from 'zod'

/**
 * A list that is read up to its first item that does not fit: an issue takes 3 µs, and a request has room for sixty thousand
 * wrong items.
 */
const ListUntilWrong: z.core.$constructor<z.ZodArray> = z.core.$constructor('ListUntilWrong', (list, definition) => {
  z.ZodArray.init(list, definition)
  const readWhole = list._zod.parse
  const most = Math.min(...z.core.util.sizeCaps(definition.checks).map(([size]) => size))
  list._zod.parse = (payload, context) => {
    const { value } = payload
    // One that is too long is refused as such, before its items are read.
    if (!Array.isArray(value) || value.length > most) return readWhole(payload, context)
    const read: unknown[] = []
    for (const [index, item] of value.entries()) {
      const one = definition.element._zod.run({ value: item, issues: [] }, context)
      if (one instanceof Promise) throw new z.core.$ZodAsyncError()
      read.push(one.value)
      if (one.issues.length === 0) continue
      payload.issues.push(...z.core.util.prefixIssues(index, one.issues))
      break
    }
    payload.value = read
    return payload
  }
})

// The cast: the class knows no type of its items.
export const listUntilWrong = <S extends z.ZodType>(item: S): z.ZodArray<S> =>
  new ListUntilWrong({ type: 'array', element: item }) as unknown as z.ZodArray<S>
