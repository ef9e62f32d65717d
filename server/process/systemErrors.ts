/** The folder is in use; `pid` is null when the lock does not name the process. The text says what to do. */
export class FolderLocked extends Error {
  readonly code = 'locked'
  readonly folder: string
  readonly pid: number | null

  constructor(folder: string, pid: number | null, text: string) {
    super(text)
    this.name = 'FolderLocked'
    this.folder = folder
    this.pid = pid
  }
}

/** Whether a failure is one of the operating system's, of one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

/** The code of a failure of the operating system; null of other failures. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** What a failure says; the text of what was thrown without being an error. */
export const failureText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const DISK_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left in the quota',
  EFBIG: 'a file is larger than the disk or a limit of this process allows',
  EACCES: 'this user may not write or read there',
  EPERM: 'this user may not write or read there',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file, or a link to nothing',
  EIO: 'the disk has failed',
  ELOOP: 'links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'this process may not open enough files (ulimit -n)',
}

/** Why a file could not be used, in words; null of other failures. */
export const diskFailure = (error: unknown): string | null => DISK_WORDS[codeOf(error) ?? ''] ?? null
