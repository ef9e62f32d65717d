import { ApiError } from '../../../../shared/errors.ts'

interface TooLarge {
  readonly bytes: number
  readonly most: number
  /** What is to be lowered. */
  readonly param: string
}

/** Refuses what is more than one answer should hold, in words that have both sizes. */
export function tooLarge(what: string, { bytes, most, param }: TooLarge): ApiError {
  const [there, limit] = [bytes, most].map((count) => Math.ceil(count / 2 ** 20))
  return new ApiError('replyTooLarge', `${what} have ${there} MB, ${limit} MB at most in one answer`, {
    param,
    limit: most,
  })
}
