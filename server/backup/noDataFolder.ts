// Folders that a service must not start in. A door of its own: a start looks for them before it loads anything else.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../process/index.ts'

/** Inside of the data folder, which may be a mounted disk that cannot be renamed. */
export const RESTORE_DRAFT = 'restore.partial'
/** The list of a copy's files. */
export const MANIFEST = 'manifest.json'

/** Whether a restore into this folder was cut short. */
export const isRestoreCut = (data: string): boolean => existsSync(join(data, RESTORE_DRAFT))

/** Whether it is a finished backup: changed by a service, it could not be restored any more. Others have files of this name, too. */
export function isBackup(data: string): boolean {
  try {
    const list: unknown = JSON.parse(readFileSync(join(data, MANIFEST), 'utf8'))
    return typeof list === 'object' && list !== null && 'sum' in list && 'contents' in list
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT', 'EISDIR')) return false
    throw error
  }
}
