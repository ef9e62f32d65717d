// How many files a service needs for itself. A start looks at it before it loads the rest.

import { processesOf, shareOf } from './processes.ts'
import type { Config } from './settings.ts'

/** Files a start must be able to open: a small embedded index holds 320, and fails later when it cannot open more. */
const EMBEDDED_FILES = 448
/** Without that, and without the connections to its database. */
const OTHER_FILES = 80

/** Files the process that has the chain opens by itself, before any caller comes. */
export const ownFilesOf = (config: Config): number =>
  config.database === 'pglite' ? EMBEDDED_FILES : OTHER_FILES + shareOf(config, processesOf(config)).databaseConnections
