// What this room throws. Everything is a `LogError` with a machine code; the subclasses carry what a caller can act upon.
// Texts say what to do, because a person reads them at a start that was refused.

import { StorageError } from '../../node/index.ts'
import { type FolderLocked, hasCode } from '../../process/index.ts'
import type { Position } from './record.ts'

export type LogErrorCode = 'locked' | 'full' | 'broken' | 'damaged' | 'foreign' | 'position' | 'record' | 'closed'

/** A log, snapshot or lock that cannot do what was asked. */
export class LogError extends StorageError<LogErrorCode> {}

/** The folder is in use; `pid` is null when the lock does not say by whom. */
export class LogLocked extends LogError {
  readonly folder: string
  readonly pid: number | null

  constructor(cause: FolderLocked) {
    super('locked', cause.message, { cause })
    this.folder = cause.folder
    this.pid = cause.pid
  }
}

/** No room on the disk. What was refused left no trace, and the log goes on once there is room. */
export class LogFull extends LogError {
  constructor(folder: string, cause: unknown) {
    const text = `No room on the disk for ${folder}: nothing acknowledged is lost; make room and try again`
    super('full', text, { cause })
  }
}

/** The disk failed in a way that leaves open what it holds: nothing more is taken until the log is opened anew. */
export class LogBroken extends LogError {
  constructor(folder: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super('broken', `The log in ${folder} takes nothing more until it is opened again: ${why}`, { cause })
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

  constructor(file: string, what: string) {
    super('foreign', `${file} ${what}. Use another data folder, or move this one away`)
    this.file = file
  }
}

/** No room: on the disk, in the quota, or under the limit of a file's size. */
export const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')

/** A position that is none of this log's. */
export function strayPosition({ segment, offset }: Position, why: string): LogError {
  return new LogError('position', `No record at ${segment}:${offset}: ${why}`)
}
