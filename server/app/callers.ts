// Who calls, and what is counted of it: keys and usage in files of the data folder, or in the PostgreSQL that all processes
// share.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  builtInPlans,
  type CountedAccess,
  createAccess,
  createFileKeyStore,
  createFileUsageStore,
  createRedisLedger,
  createSqlKeyStore,
  createSqlPlanStore,
  createSqlUsageStore,
  KEY_FILE,
  type KeyImport,
  type KeyStore,
  KeyStoreError,
  moveKeyFile,
  moveUsageFile,
  type PlanStore,
  Quotas,
  UsageMeter,
  type UsageStore,
  UsageWriter,
} from '../access/index.ts'
import type { Log, Notes } from '../observe/index.ts'
import { closeInTurn, failureText } from '../process/index.ts'
import { budgetPrefix } from '../sharing/index.ts'
import { type Database, openDatabase } from '../store/index.ts'
import { createLateDatabase } from './database/lateDatabase.ts'
import { addressNow } from './settings/secretFiles.ts'
import type { Config } from './settings/settings.ts'
import { StartRefused } from './startRefused.ts'

export interface Callers {
  readonly access: CountedAccess
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly usage: UsageStore
  readonly meter: UsageMeter
  /** Stores what was counted. */
  close(): Promise<void>
}

interface CallersParts {
  readonly confirmed: Promise<void>
  /** Root hash of the zerostate of the chain. Rejects while that does not answer. */
  readonly genesis: () => Promise<Uint8Array>
  readonly now?: (() => number) | undefined
}

const CONNECTIONS = 2

/** Keys that were issued before the service had a database move into it, once. */
async function importKeys(folder: string, into: KeyImport, log: Log): Promise<void> {
  const moved = await moveKeyFile(folder, into)
  if (moved !== null) log.info({ file: moved.path, added: moved.added }, 'keys moved from the file into the database')
}

/** So that monthly quotas go on, whether there are keys in a file or not. */
async function importUsage(folder: string, into: UsageStore, log: Log): Promise<void> {
  const file = await moveUsageFile(folder, into)
  if (file !== null) log.info({ file }, 'usage moved from the file into the database')
}

/** The index waits for the same database, and logs that. */
const SILENT: Notes = { info: () => undefined, warn: () => undefined }

function openDatabaseStores(config: Config, log: Log, confirmed: Promise<void>) {
  const { data } = config
  const database = addressNow(config, 'database')
  const own = createLateDatabase({
    kind: 'postgres',
    log: SILENT,
    open: (signal) => openDatabase({ database, signal, readConnections: CONNECTIONS, writeConnections: 1 }),
  })
  // These wait for the database as long as it takes; what a caller or a stop waits for is refused instead.
  const notMoved = (what: string) => (error: unknown) =>
    log.warn({ reason: failureText(error) }, `${what} not moved into the database`)
  confirmed
    .then(() => importKeys(data, createSqlKeyStore({ database: own }), log))
    .catch(notMoved('keys of the file were'))
  confirmed.then(() => importUsage(data, createSqlUsageStore(own), log)).catch(notMoved('usage of the file was'))
  const prompt: Pick<Database, 'read' | 'transaction' | 'close'> = {
    read: own.read,
    transaction: async (work, options) => {
      if (own.failure !== null) throw own.failure
      return await own.transaction(work, options)
    },
    close: () => own.close(),
  }
  const keys = createSqlKeyStore({
    database: prompt,
    report: (err) => log.warn({ err }, 'keys cannot be read or written in the database'),
  })
  return { keys, plans: createSqlPlanStore(prompt), usage: createSqlUsageStore(prompt), giveUp: () => own.giveUp() }
}

/** Advice for a data folder whose keys were moved to a database that is not used now; null when its key file is there. */
function keysElsewhere(data: string): string | null {
  const path = join(data, KEY_FILE)
  if (existsSync(path) || !existsSync(`${path}.imported`)) return null
  const goBack = `rename ${KEY_FILE}.imported there to ${KEY_FILE}`
  return `the keys of ${data} moved into a database: name it with --database or --database-file, or ${goBack}`
}

const openFileStores = (data: string, report: (error: Error) => void) => ({
  keys: createFileKeyStore(data, { report }),
  plans: builtInPlans,
  usage: createFileUsageStore(data),
  giveUp: () => undefined,
})

/** Where a service keeps its keys. */
export type KeysPlace = Pick<Config, 'data' | 'database' | 'databaseFile'>

/** The same for a command that ends soon. Throws StoreError when there is no such database. */
export async function openKeys({ data, database }: KeysPlace, report: (error: Error) => void) {
  if (database === 'pglite') {
    const elsewhere = keysElsewhere(data)
    if (elsewhere !== null) throw new StartRefused(elsewhere)
    const { keys, plans, usage } = openFileStores(data, report)
    return { keys, plans, usage, close: () => keys.close() }
  }
  const own = await openDatabase({ database, readConnections: 1, writeConnections: 1 })
  const keys = createSqlKeyStore({ database: own, report })
  return { keys, plans: createSqlPlanStore(own), usage: createSqlUsageStore(own), close: () => keys.close() }
}

function openLedger(config: Config, log: Log, genesis: CallersParts['genesis']) {
  const address = addressNow(config, 'redis')
  const { host } = new URL(address())
  const onChange = (err: Error | null) => {
    if (err === null) log.info({ redis: host }, 'redis is reachable again: budgets are shared')
    else log.warn({ redis: host, reason: err.message }, 'redis is unreachable: each process counts budgets alone')
  }
  return createRedisLedger({ address, prefix: async () => budgetPrefix(await genesis()), onChange })
}

/** Files move into the database once it is `confirmed` to be of the chain that is served. */
export function openCallers(config: Config, log: Log, { confirmed, genesis, now }: CallersParts): Callers {
  const { network, limits, database, redis } = config
  const report = (err: Error) => log.warn({ err }, 'key file cannot be read or written')
  const stores =
    database === 'pglite' ? openFileStores(config.data, report) : openDatabaseStores(config, log, confirmed)
  const elsewhere = database === 'pglite' ? keysElsewhere(config.data) : null
  if (elsewhere !== null) log.warn({ reason: elsewhere }, 'callers with keys are refused: the key file has moved')
  const { keys, plans, usage } = stores
  const meter = new UsageMeter()
  const quotas = new Quotas(now ?? Date.now)
  const access = createAccess({
    network,
    limits,
    store: keys,
    quotas,
    usage,
    ...(redis === '' ? {} : { ledger: openLedger(config, log, genesis) }),
    count: meter.count,
    countBytes: meter.countBytes,
    onQuota: (keyId, percent, { used, limit }) =>
      log.warn({ keyId, percent, used, monthly: limit }, 'monthly quota of a key is running out'),
    ...(now ? { now } : {}),
  })
  const writer = new UsageWriter({
    store: usage,
    meter,
    quotas,
    now: now ?? Date.now,
    report: (err) => log.warn({ err }, 'usage is not stored: it is kept in memory and stored later'),
  })
  return {
    access,
    keys,
    plans,
    usage,
    meter,
    async close() {
      // One that never came would hold up the stop.
      stores.giveUp()
      await closeInTurn(
        () => writer.close(),
        () => access.close(),
      )
    },
  }
}

/** Refuses a start with a damaged key file. Keys in a PostgreSQL are not read here: it may be away. Throws StartRefused. */
export async function requireWholeKeys({ keys }: Pick<Callers, 'keys'>, { database }: KeysPlace): Promise<void> {
  if (database !== 'pglite') return
  try {
    // Not `known`: it would keep what it read for a moment, and a key made right after the start would be refused.
    await keys.list()
  } catch (error) {
    throw error instanceof KeyStoreError ? new StartRefused(error.message, { cause: error }) : error
  }
}
