// The version of a file, known without reading it: compared to see whether it has changed.

import { stat } from 'node:fs/promises'
import { hasCode } from '../process/index.ts'

/** The version of a file that is not there. */
export const NO_FILE = ''

export const fileVersionOf = (facts: { ino: number; size: number; mtimeMs: number; ctimeMs: number }): string =>
  `${facts.ino}:${facts.size}:${facts.mtimeMs}:${facts.ctimeMs}`

export async function fileVersion(path: string): Promise<string> {
  try {
    return fileVersionOf(await stat(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return NO_FILE
    throw error
  }
}
