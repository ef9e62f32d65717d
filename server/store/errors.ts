// What this room throws. Why a statement failed is read off its SQLSTATE, never off a text, which differs with the
// language of the server and its version.

/**
 * - `timeout`: the statement took longer than its limit and was ended.
 * - `aborted`: whoever asked does not wait any more.
 * - `unavailable`: the database cannot be reached, or is starting or stopping; later it may answer.
 * - `busy`: too much is waiting already; later there is room.
 * - `locked`: the data folder is in use by another process.
 * - `conflict`: another transaction came first; the same again may succeed.
 * - `mismatch`: tables and program do not fit together; the text tells what to do.
 * - `full`: no room on the disk, or no memory.
 * - `failed`: the statement itself is wrong, or breaks a rule of its table; it never succeeds.
 * - `closed`: asked after `close`.
 */
export type StoreErrorCode =
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'busy'
  | 'locked'
  | 'conflict'
  | 'mismatch'
  | 'full'
  | 'failed'
  | 'closed'

export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** Of five letters and digits, when the database said one. */
  readonly sqlState: string | null

  constructor(code: StoreErrorCode, text: string, options: ErrorOptions & { readonly sqlState?: string | null } = {}) {
    super(text, options)
    this.name = 'StoreError'
    this.code = code
    this.sqlState = options.sqlState ?? null
  }
}
