// What this room throws. The texts of reading errors are those of the public C++ node: clients have seen them before.

export type TlErrorCode =
  /** Bytes end before the value does. */
  | 'underflow'
  /** Bytes go on behind the value. */
  | 'trailing'
  /** A constructor id that is not in the schema, or not of the expected type. */
  | 'constructor'
  /** A length or a count that no encoder writes, or that the bytes left cannot hold. */
  | 'length'
  /** A prefix of a request where the request is expected. */
  | 'wrapper'
  /** A value to encode that does not fit the schema. */
  | 'value'

/** Bytes that are not what the schema says, or a value that does not fit it. */
export class TlError extends Error {
  readonly code: TlErrorCode

  constructor(code: TlErrorCode, text: string) {
    super(text)
    this.name = 'TlError'
    this.code = code
  }
}
