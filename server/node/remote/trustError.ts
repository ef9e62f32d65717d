/**
 * - `network`: the stored record or the configuration belongs to another network.
 * - `unreadable`: the file cannot be read, or is not a trust file.
 * - `altered`: the file is not as it was written.
 * - `start`: the block trust starts from is not on the chain of the servers; `ahead`: it is newer than their newest.
 */
export type TrustErrorCode = 'network' | 'unreadable' | 'altered' | 'start' | 'ahead'

/** Why trust cannot start; the text says what to do. */
export class TrustError extends Error {
  readonly code: TrustErrorCode

  constructor(code: TrustErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'TrustError'
    this.code = code
  }
}

/** The one that caused an error, or null. */
export function trustErrorIn(error: unknown): TrustError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof TrustError) return one
  return null
}
