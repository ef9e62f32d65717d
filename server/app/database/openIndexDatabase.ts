// The database of an index as the settings name it. A door of its own: a start opens it while the rest of the program is loaded.

import { join, resolve } from 'node:path'
import type { Notes } from '../../observe/index.ts'
import { openDatabase, StoreError } from '../../store/index.ts'
import { processesOf, shareOf } from '../settings/processes.ts'
import { addressNow } from '../settings/secretFiles.ts'
import type { Config } from '../settings/settings.ts'
import { createLateDatabase, type LateDatabase } from './lateDatabase.ts'

export type { LateDatabase }

export const EMBEDDED = 'pglite'

/** Adds a remedy to the error of an older program: an embedded index has no `pg_dump` to go back to. */
function withWayBack(error: unknown, folder: string): unknown {
  if (!(error instanceof StoreError && error.code === 'mismatch')) return error
  const text = `${error.message}; or move ${resolve(folder)} away: an index without its webhooks is made from the chain`
  return new StoreError('mismatch', text, { cause: error })
}

/** Begins to open it, which takes a while and has a thread of its own to do so. The settings are those of all processes. */
export function openIndexDatabase(config: Config, log: Notes, onSetAside?: (text: string) => void): LateDatabase {
  const { data, database, databaseRead, statementMs } = config
  const folder = join(data, 'index')
  const { databaseConnections } = shareOf(config, processesOf(config))
  return createLateDatabase({
    kind: database === EMBEDDED ? 'pglite' : 'postgres',
    log,
    open: (signal, onBegun) =>
      openDatabase({
        signal,
        onBegun,
        readTimeoutMs: statementMs,
        folder,
        dropSetAside: config.reset && config.network === 'devnet',
        database: database === EMBEDDED ? database : addressNow(config, 'database'),
        databaseRead: databaseRead === '' ? undefined : addressNow(config, 'databaseRead'),
        readConnections: databaseConnections,
        progress: (text, facts) => log.info(facts, text),
        notice: (text, facts) => {
          log.warn(facts, text)
          if ('setAside' in facts) onSetAside?.(text)
        },
      }).catch((error: unknown) => {
        throw database === EMBEDDED ? withWayBack(error, folder) : error
      }),
  })
}
