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
