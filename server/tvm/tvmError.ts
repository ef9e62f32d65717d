// What this room throws. A contract that fails is not an error: its exit code is part of the answer.

/**
 * - `badInput`: code, data, stack, account, message or a number was refused; nothing ran.
 * - `badConfig`: the configuration is not one the emulator takes.
 * - `stackTooDeep`: the get-method ran, but what it left on the stack cannot be written down.
 * - `crashed`: the emulator or its thread broke down in this call; it has been or must be restarted.
 * - `timeout`, `busy`, `aborted`, `closed`: the pool's own.
 */
export type TvmErrorCode =
  | 'badInput'
  | 'badConfig'
  | 'stackTooDeep'
  | 'crashed'
  | 'timeout'
  | 'busy'
  | 'aborted'
  | 'closed'

export class TvmError extends Error {
  readonly code: TvmErrorCode

  constructor(code: TvmErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'TvmError'
    this.code = code
  }
}

/** The run took longer than the wall-time limit; its thread was ended. */
export class TvmTimeout extends TvmError {
  /** Milliseconds the run was allowed to take. */
  readonly limit: number

  constructor(limit: number) {
    super('timeout', `TVM run took longer than ${limit} ms`)
    this.name = 'TvmTimeout'
    this.limit = limit
  }
}

/** Too many runs wait already: of this caller, or of all together. */
export class TvmBusy extends TvmError {
  /** Runs that may wait at most. */
  readonly limit: number
  readonly whose: 'caller' | 'all'

  constructor(limit: number, whose: TvmBusy['whose']) {
    super('busy', whose === 'all' ? `TVM queue is full (${limit} runs)` : `over ${limit} TVM runs of one caller wait`)
    this.name = 'TvmBusy'
    this.limit = limit
    this.whose = whose
  }
}
