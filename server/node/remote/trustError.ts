/**
 * - `network`: the stored record or the configuration belongs to another network.
 * - `unreadable`: the file cannot be read, or is not a trust file.
 * - `altered`: the file is not as it was written.
 */
export type TrustErrorCode = 'network' | 'unreadable' | 'altered'

/** Why trust cannot start; the text says what to do. */
export class TrustError extends Error {
  readonly code: TrustErrorCode

  constructor(code: TrustErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'TrustError'
    this.code = code
  }
}
