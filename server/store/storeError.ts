// What this room throws. The cause of a failure is taken from its SQLSTATE, never from the message, which differs with the
// language of the server and its version.

/**
 * - `timeout`: the statement took longer, or larger temporary files, than its limit and was ended.
 * - `aborted`: the caller has gone.
 * - `unavailable`: the database cannot be reached, or is starting or stopping; a later retry may succeed.
 * - `busy`: the queue is full, or no memory is free; a later retry may succeed.
 * - `locked`: the data folder is in use by another process.
 * - `conflict`: another transaction came first; the same again may succeed.
 * - `mismatch`: tables and program do not fit together; the message says what to do.
 * - `damaged`: a file of the database is not what was written.
 * - `full`: no space on the disk.
 * - `failed`: the statement itself is wrong, or breaks a constraint of its table; it never succeeds.
 * - `closed`: called after `close`.
 */
export type StoreErrorCode =
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'busy'
  | 'locked'
  | 'conflict'
  | 'mismatch'
  | 'damaged'
  | 'full'
  | 'failed'
  | 'closed'

export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** Five letters and digits; null when the failure did not come from the database. */
  readonly sqlState: string | null

  constructor(code: StoreErrorCode, text: string, options: ErrorOptions & { readonly sqlState?: string | null } = {}) {
    super(text, options)
    this.name = 'StoreError'
    this.code = code
    this.sqlState = options.sqlState ?? null
  }
}
