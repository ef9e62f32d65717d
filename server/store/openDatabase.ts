import { bareText, readBareTable } from './bareTable.ts'
import type { Database } from './database.ts'
import { databaseAddressText, isAddress } from './databaseAddress.ts'
import { type MigrationPlan, migrate, planMigrations, requireMigrated } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { isMoveOpen } from './moveIndex.ts'
import { ownKey } from './pglite/ownKey.ts'
import { openPglite } from './pglite/pgliteDatabase.ts'
import { openPostgres } from './postgres/postgresDatabase.ts'
import { StoreError } from './storeError.ts'
import type { StoreOptions } from './storeOptions.ts'

const READ_TIMEOUT_MS = 3_000
/** Of one statement of a transaction: a bound against mistakes of this program. */
const WRITE_TIMEOUT_MS = 60_000
/** Writing out takes 0.1 to 0.5 s. Cut short, the next start reads the log instead, which takes it a second or more. */
const CLOSE_MS = 1_000

/**
 * Opens the database and brings its tables up to date. Throws StoreError: `locked` when another process has the folder,
 * `mismatch` when program and tables do not fit, `unavailable` when the database does not answer, `conflict` while a dump is
 * restored into it.
 */
export async function openDatabase(options: StoreOptions): Promise<Database> {
  const database = await connect(options)
  try {
    const steps = options.migrations ?? migrations
    await requireWhole(database)
    if (options.migrate === false) await requireMigrated(database, steps)
    else await migrate(database, steps, options.progress)
    if (database.kind === 'pglite') await ownKey(database)
    if (database.kind === 'postgres' && options.duringMove !== true && (await isMoveOpen(database.read)))
      throw moveOpen()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Before anything else: a step that ran between two parts of a restore would change tables that it goes on to make. */
async function requireWhole({ kind, read }: Database): Promise<void> {
  // No dump is restored into the embedded database.
  const table = kind === 'pglite' ? null : await readBareTable(read)
  if (table !== null) throw new StoreError('conflict', bareText(table))
}

const moveOpen = (): StoreError =>
  new StoreError(
    'mismatch',
    'An embedded index is being copied into this database, or was and the copy was cut short: finish it with ' +
      'tonrpc migrate --from, or use another database',
  )

/** What opening a database would change in it. Changes nothing; throws as `openDatabase` does. */
export async function planOfDatabase(options: Omit<StoreOptions, 'migrate'>): Promise<MigrationPlan> {
  const database = await connect({ ...options, migrate: false })
  try {
    await requireWhole(database)
    return await planMigrations(database.read, options.migrations ?? migrations)
  } finally {
    await database.close()
  }
}

function connect(options: StoreOptions): Promise<Database> {
  const {
    database,
    databaseRead,
    folder = null,
    migrate: mayMigrate = true,
    migrations: steps,
    signal,
    onBegun,
    closeMs = CLOSE_MS,
  } = options
  const bounds = {
    readTimeoutMs: options.readTimeoutMs ?? READ_TIMEOUT_MS,
    writeTimeoutMs: WRITE_TIMEOUT_MS,
    idleMs: options.idleMs,
    queueLimit: options.queueLimit ?? 1_000,
    notice: options.notice ?? (() => undefined),
  }
  if (database === 'pglite') {
    const image = mayMigrate && steps === undefined ? 'tables' : 'bare'
    const { dropSetAside } = options
    if (databaseRead === undefined)
      return openPglite({ ...bounds, folder, dropSetAside, image, signal, closeMs, onBegun })
    throw new StoreError('failed', 'The embedded database has no replicas: leave out the address to read from')
  }
  onBegun?.()
  // The message does not repeat the address, which may have a password in it.
  for (const address of [database, databaseRead ?? database])
    if (!isAddress(databaseAddressText(address)))
      throw new StoreError('failed', 'The address of a database must begin with postgres://')
  return openPostgres({
    ...bounds,
    address: database,
    readAddress: databaseRead ?? database,
    readConnections: options.readConnections ?? 16,
    writeConnections: options.writeConnections ?? 2,
  })
}
