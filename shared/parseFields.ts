import type { z } from 'zod'
import { ApiError } from './errors.ts'
import { hasOwnWords, issueWords, valueAt } from './issueWords.ts'
import { clip } from './primitives.ts'

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a day like 2026-11-01',
  datetime: 'must be a time like 2026-11-01T00:00:00Z',
}

function words(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return `unknown field "${clip(issue.keys[0] ?? '')}"`
  const where = issue.path.map(String).join('.')
  const given = valueAt(value, issue.path)
  if (where === '') return hasOwnWords(issue) ? issue.message : `the body ${issueWords(issue, given)}`
  if (given === undefined) return `${where}: is required`
  const own = hasOwnWords(issue) ? issue.message : undefined
  const format = issue.code === 'invalid_format' ? FORMATS[issue.format] : undefined
  return `${where}: ${own ?? format ?? issueWords(issue, given)}`
}

/** The first thing that is wrong with a value, as `limit: must be at most 100`. */
export function fieldRefusal(error: z.ZodError, value: unknown): string {
  const [issue] = error.issues
  return issue === undefined ? 'Invalid params' : words(issue, value)
}

/** A value of this schema. Throws ApiError `invalidParams` that names the field. */
export function parseFields<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new ApiError('invalidParams', fieldRefusal(read.error, value))
}
