import type { Log } from '../observe/index.ts'

/**
 * - `refused`: the address must not be fetched, or its answer is not taken.
 * - `failed`: no answer, or none that is a description, for now.
 * - `busy`: the host answers that it cannot serve it at this moment.
 */
export type FetchErrorCode = 'refused' | 'failed' | 'busy'

/** A description could not be had. What is refused stays so; what failed may be there another time. */
export class FetchError extends Error {
  readonly code: FetchErrorCode

  constructor(code: FetchErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'FetchError'
    this.code = code
  }
}

/** What an answer with this status in place of the content means. */
export const codeOfStatus = (status: number): FetchErrorCode => (status === 429 || status >= 500 ? 'busy' : 'failed')

/** Characters of a link. */
const MOST_LOGGED = 200

/** For the log. */
export const shownLink = (uri: string): string => uri.slice(0, MOST_LOGGED)

interface FailedToken {
  readonly log: Pick<Log, 'warn'>
  readonly uri: string
  readonly signal: AbortSignal
}

/** An error of ours is logged and counts as a host that failed: other tokens do not wait for the one that led to it. */
export function failureOf(error: unknown, { log, uri, signal }: FailedToken): FetchError {
  if (error instanceof FetchError) return error
  const words = 'an error of this program kept what a token has outside the chain from being read'
  if (!signal.aborted) log.warn({ err: error, uri: shownLink(uri) }, words)
  return new FetchError('failed', words, { cause: error })
}
