import { diskFailure } from '../process/index.ts'

/** Why a copy was not made or not taken, in a sentence with the remedy. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
}

/** Errors of the disk as BackupFault; others as they are. */
export function asFault(error: unknown, path: string): unknown {
  const words = diskFailure(error)
  return words === null ? error : new BackupFault(`${path}: ${words}`, { cause: error })
}
