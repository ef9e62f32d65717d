// What a restore that was cut short leaves. A door of its own: a start looks for it before it loads anything else.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Inside of the data folder, which may be a mounted disk that cannot be renamed. */
export const RESTORE_DRAFT = 'restore.partial'

/** Whether a restore into this folder was cut short: a service must not start in it. */
export const isRestoreCut = (data: string): boolean => existsSync(join(data, RESTORE_DRAFT))
