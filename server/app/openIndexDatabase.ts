// The database of an index as the settings name it. A door of its own: a start opens it while the rest of the program is loaded.

import { join } from 'node:path'
import { openDatabase } from '../store/index.ts'
import { createLateDatabase, type LateDatabase, type LateNotes } from './lateDatabase.ts'
import { processesOf, shareOf } from './processes.ts'
import type { Config } from './settings.ts'

export type { LateDatabase, LateNotes }

export const EMBEDDED = 'pglite'

/** Begins to open it, which takes a while and has a thread of its own to do so. The settings are those of all processes. */
export function openIndexDatabase(config: Config, log: LateNotes, onSetAside?: (text: string) => void): LateDatabase {
  const { data, database, databaseRead, statementMs } = config
  const { databaseConnections } = shareOf(config, processesOf(config))
  return createLateDatabase({
    kind: database === EMBEDDED ? 'pglite' : 'postgres',
    log,
    open: (signal, onBegun) =>
      openDatabase({
        signal,
        onBegun,
        readTimeoutMs: statementMs,
        database,
        folder: join(data, 'index'),
        databaseRead: databaseRead === '' ? undefined : databaseRead,
        readConnections: databaseConnections,
        progress: (text, facts) => log.info(facts, text),
        notice: (text, facts) => {
          log.warn(facts, text)
          if ('setAside' in facts) onSetAside?.(text)
        },
      }),
  })
}
