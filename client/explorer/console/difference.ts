// What changed from one reply to the next, by the paths of values.

import { pathInside } from '../parts/jsonPath.ts'

export interface ReplyChange {
  /** As in a program: `actions[0].details.value`. */
  readonly path: string
  /** Absent for what is new. */
  readonly before?: unknown
  /** Absent for what is gone. */
  readonly after?: unknown
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Differences in the order of the older value, `most` of them. Lists are compared by position. */
export function differences(before: unknown, after: unknown, most: number): readonly ReplyChange[] {
  const found: ReplyChange[] = []
  const compare = (one: unknown, other: unknown, path: string): void => {
    if (found.length >= most || Object.is(one, other)) return
    if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) {
      found.push({ path, before: one, after: other })
      return
    }
    const isList = Array.isArray(one)
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const has = Object.hasOwn(one, key)
      const hasThen = Object.hasOwn(other, key)
      const at = pathInside(path, key, isList)
      if (has && hasThen) compare(one[key], other[key], at)
      else if (found.length < most) found.push({ path: at, ...(has ? { before: one[key] } : { after: other[key] }) })
    }
  }
  compare(before, after, '')
  return found
}
