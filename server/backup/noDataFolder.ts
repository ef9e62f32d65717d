// Folders that a service must not start in. A door of its own: a start looks for them before it loads anything else.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Inside of the data folder, which may be a mounted disk that cannot be renamed. */
export const RESTORE_DRAFT = 'restore.partial'
/** The list of a copy's files. */
export const MANIFEST = 'manifest.json'

/** Whether a restore into this folder was cut short. */
export const isRestoreCut = (data: string): boolean => existsSync(join(data, RESTORE_DRAFT))

/** Whether it is a finished backup: changed by a service, it could not be restored any more. */
export const isBackup = (data: string): boolean => existsSync(join(data, MANIFEST))
