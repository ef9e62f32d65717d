// A database in memory with all tables, for tests of what is read out of it.

import { type Database, openDatabase } from '../../server/store/index.ts'

/** For the statements of tests: a busy machine must not meet it. */
export const PATIENCE_MS = 300_000

/** The same for a transaction whose process has no turn for seconds. */
export const PATIENT = { readTimeoutMs: PATIENCE_MS, idleMs: PATIENCE_MS } as const

export type MemoryStore = Database

export const openMemoryStore = (): Promise<MemoryStore> => openDatabase({ ...PATIENT, database: 'pglite' })
