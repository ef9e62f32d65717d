/**
 * - `refused`: the address must not be fetched, or its answer is no description of a token.
 * - `failed`: no answer, for now.
 */
export type FetchErrorCode = 'refused' | 'failed'

/** A description could not be had. What is refused stays so; what failed may be there another time. */
export class FetchError extends Error {
  readonly code: FetchErrorCode

  constructor(code: FetchErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'FetchError'
    this.code = code
  }
}
