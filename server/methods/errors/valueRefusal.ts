// Error texts for params that do not fit: the parameter by name and what it should be, never the
// validator's own jargon, never more of the caller's text than fits a line.

import type { z } from 'zod'
import { ApiError, type ErrorData } from '../../../shared/errors.ts'
import { hasOwnWords, issueWords, valueAt } from '../../../shared/issueWords.ts'
import type { MissingWords } from '../../../shared/method.ts'
import { clip } from '../../../shared/primitives.ts'

type Issue = z.core.$ZodIssue

function words(issue: Issue, params: unknown): string {
  const name = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') return `unknown parameter "${clip(issue.keys[0] ?? '')}"`
  const value = valueAt(params, issue.path)
  if (value === undefined) return `"${name}" is required`
  if (hasOwnWords(issue)) return issue.message
  return `"${name}" ${issueWords(issue, value)}`
}

/** The refusal of one that was left out, with the text of its method; null for any other, or where there is no text. */
function missing(issue: Issue, params: unknown, { kind, words, orEmpty }: MissingWords): ApiError | null {
  const [name] = issue.path
  if (issue.path.length !== 1 || typeof name !== 'string' || !Object.hasOwn(words, name)) return null
  const value = valueAt(params, issue.path)
  if (value !== undefined && !(orEmpty === true && value === '')) return null
  return new ApiError(kind, words[name], { param: name })
}

/** A value that is no value of its param's kind, as against one that is not allowed. */
export class ValueRefusal extends ApiError {
  /** Which of a list it is. */
  readonly index: number | null
  /** How many other values do not fit either. */
  readonly others: number

  constructor(text: string, data: ErrorData, { index, others }: { index: number | null; others: number }) {
    super('invalidParams', text, data)
    this.index = index
    this.others = others
  }
}

/** What to do about it, where the schema says so. */
function adviceOf(issue: Issue): Pick<ErrorData, 'advice'> {
  const advice: unknown = issue.code === 'custom' ? issue.params?.advice : undefined
  return typeof advice === 'string' ? { advice } : {}
}

/** Whether the value itself could not be parsed. */
function isUnread(issue: Issue, params: unknown): boolean {
  if (valueAt(params, issue.path) === undefined) return false
  if (issue.code === 'custom') return issue.params?.rule !== true
  return issue.code === 'invalid_type' || issue.code === 'invalid_format'
}

/** The refusal for the first thing that does not fit. */
export function refusal(error: z.ZodError, params: unknown, whenMissing?: MissingWords): ApiError {
  const issue = error.issues[0]
  if (!issue) return new ApiError('invalidParams')
  const left = whenMissing && missing(issue, params, whenMissing)
  if (left) return left
  const param = issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path[0]
  const text = words(issue, params)
  if (param === undefined) return new ApiError('invalidParams', text)
  const name = clip(String(param))
  if (!isUnread(issue, params)) return new ApiError('invalidParams', text, { param: name })
  const [, index] = issue.path
  const others = error.issues.length - 1
  return new ValueRefusal(
    text,
    { param: name, ...adviceOf(issue) },
    { index: typeof index === 'number' ? index : null, others },
  )
}
