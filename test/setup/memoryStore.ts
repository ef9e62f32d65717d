// A database in memory with all tables, for tests of what is read out of it.

import { type Database, openDatabase } from '../../server/store/index.ts'

/** For the statements of tests: a busy machine must not meet it. */
export const PATIENCE_MS = 300_000

export type MemoryStore = Database

export const openMemoryStore = (): Promise<MemoryStore> =>
  openDatabase({ database: 'pglite', readTimeoutMs: PATIENCE_MS })
