import { codeOf, hasCode } from '../process/index.ts'

/** Why a copy was not made or not taken, in a sentence with the remedy. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'no space is left in the quota',
  EFBIG: 'a file is larger than its disk or a limit of this process allows',
  EACCES: 'the user of this process may not write or read there',
  EPERM: 'the user of this process may not write or read there',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file, or a link to nothing',
  EIO: 'its disk has failed',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
}

/** Errors of the disk as BackupFault; others as they are. */
export function asFault(error: unknown, path: string): unknown {
  if (!hasCode(error, ...Object.keys(WORDS))) return error
  return new BackupFault(`${path}: ${WORDS[codeOf(error) ?? '']}`, { cause: error })
}
