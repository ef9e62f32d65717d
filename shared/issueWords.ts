// What is wrong with a value, in the words of callers: what it should be, never the validator's own jargon.

import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const bound = (issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string => {
  const [word, limit] = issue.code === 'too_big' ? ['at most', issue.maximum] : ['at least', issue.minimum]
  if (issue.origin === 'string') return `must have ${word} ${limit} characters`
  if (issue.origin === 'array') return `must have ${word} ${limit} items`
  return `must be ${word} ${limit}`
}

/** Whether the schema brought words of its own: the validator's defaults all start alike. */
export const hasOwnWords = (issue: Issue): boolean =>
  issue.code === 'custom' || !/^(Invalid|Too|Unrecognized|Expected)/.test(issue.message)

/** The rest of a sentence that begins with the name of the value. */
export function issueWords(issue: Issue, value: unknown): string {
  // Whole numbers that a double would round are read as bigints.
  if (issue.code === 'invalid_type' && /^(int|number)$/.test(issue.expected) && typeof value === 'bigint')
    return value < 0n ? 'is too small' : 'is too large'
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_big' || issue.code === 'too_small') return bound(issue)
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return 'is not valid'
}

/** The value at this place, undefined where there is none. */
export function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  let value = whole
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}
