// Begins a start: finds what is wrong with its settings, and opens the database of the index. That has a thread of its own,
// and takes about as long as to load the rest of the service.

import { dataProblem } from '../../app/data/dataFolder.ts'
import { EMBEDDED, type LateDatabase, openIndexDatabase } from '../../app/database/openIndexDatabase.ts'
import { ownFilesOf } from '../../app/settings/ownFiles.ts'
import { withSecrets } from '../../app/settings/secretFiles.ts'
import type { Config } from '../../app/settings/settings.ts'
import { StartRefused } from '../../app/startRefused.ts'
import { applyFilePlan, applyMemoryPlan, roomForFiles, waitAtMost } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'
import { LaterLog } from './laterLog.ts'
import { tooFewFiles } from './startFailure.ts'

export interface Begun {
  readonly config: Config
  /** That of the index, which is being opened. */
  readonly database: LateDatabase
  /** What opening it has to say. */
  readonly notes: Pick<LaterLog, 'passTo'>
  /** Megabytes heaps are sized for. */
  readonly memoryMb: number
}

/** On a slow disk the rest is loaded meanwhile. */
const BEGIN_MS = 100

/** Files for callers in the limit that a refused start advises. */
const SPARE_FILES = 512

/** With the secrets that files hold. Throws CommandError. */
function completed(given: Config): Config {
  try {
    return withSecrets(given)
  } catch (error) {
    throw error instanceof StartRefused ? new CommandError(error.message, { cause: error }) : error
  }
}

/** The embedded database has no replicas: the service would run without an index. */
function replicaProblem({ database, databaseRead, databaseReadFile }: Config): string | null {
  if (database !== EMBEDDED || databaseRead === '') return null
  const flag = databaseReadFile === '' ? '--database-read' : '--database-read-file'
  return `${flag} names a replica of a PostgreSQL: name that one too, with --database or --database-file, or leave the replica out`
}

/** Sets files aside for the service itself. Throws CommandError when not even those can be opened. */
function planFilesFor(config: Config): void {
  const own = ownFilesOf(config)
  const plan = applyFilePlan(roomForFiles(), { own, isEmbedded: config.database === EMBEDDED })
  if (plan === null) throw new CommandError(tooFewFiles(Math.max(1024, own + SPARE_FILES)))
}

/** Throws CommandError. */
export async function beginStart(given: Config, { out }: Pick<Io, 'out'>): Promise<Begun> {
  const config = completed(given)
  const problem = replicaProblem(config) ?? dataProblem(config.data)
  if (problem !== null) throw new CommandError(problem)
  const { total: memoryMb } = applyMemoryPlan(config.memory)
  planFilesFor(config)
  const notes = new LaterLog()
  const database = openIndexDatabase(config, notes, (text) => out(`  ${'index'.padEnd(14)}${text}`))
  await waitAtMost(database.begun, BEGIN_MS)
  return { config, database, notes, memoryMb }
}
