// Errors of the log. Each is a `LogError` with a code; subclasses have the details a caller can act on. Texts name the
// remedy, because a person reads them at a refused start.

import { StorageError } from '../../node/index.ts'
import { type FolderLocked, failureText, hasCode } from '../../process/index.ts'
import type { LogPosition } from './logRecord.ts'

export type LogErrorCode =
  | 'locked'
  | 'full'
  | 'broken'
  | 'damaged'
  | 'foreign'
  | 'shared'
  | 'position'
  | 'record'
  | 'closed'

/** A failure of a log, snapshot or lock. */
export class LogError extends StorageError<LogErrorCode> {}

/** The folder is in use; `pid` is null when the lock does not name the process. */
export class LogLocked extends LogError {
  readonly folder: string
  readonly pid: number | null

  constructor(cause: FolderLocked) {
    super('locked', cause.message, { cause })
    this.folder = cause.folder
    this.pid = cause.pid
  }
}

/** The disk is full. The refused append left no trace, and the log continues once there is room. */
export class LogFull extends LogError {
  constructor(folder: string, cause: unknown) {
    const text = `No room on the disk for ${folder}: nothing acknowledged is lost; make room and try again`
    super('full', text, { cause })
  }
}

/** The disk failed and its content is uncertain: the log refuses appends until it is reopened. */
export class LogBroken extends LogError {
  constructor(folder: string, cause: unknown) {
    const why = failureText(cause)
    super('broken', `The log in ${folder} takes nothing more: ${why}. Mend the disk and start the service again`, {
      cause,
    })
  }
}

/** Bytes that were safe on the disk are not what was written. */
export class LogDamaged extends LogError {
  readonly file: string
  readonly offset: number

  constructor(file: string, offset: number, what: string) {
    const advice =
      'Nothing was changed. Put the folder back from a copy, or move it away to start a new chain from nothing'
    super('damaged', `${file} is damaged at byte ${offset}: ${what}. ${advice}`)
    this.file = file
    this.offset = offset
  }
}

/** A whole file, but of another network, log or format. */
export class LogForeign extends LogError {
  readonly file: string
  /** The network it is of, where it is another one. */
  readonly network: Uint8Array | null

  constructor(file: string, what: string, network: Uint8Array | null = null) {
    super('foreign', `${file} ${what}. Use another data folder, or move this one away`)
    this.file = file
    this.network = network
  }
}

/** No room: on the disk, in the quota, or under the limit of a file's size. */
export const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')

/** A position that is not in this log. */
export function strayPosition({ segment, offset }: LogPosition, why: string): LogError {
  return new LogError('position', `No record at ${segment}:${offset}: ${why}`)
}
