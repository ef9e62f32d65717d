// A database in memory with all tables, for tests of what is read out of it.

import { type Database, openDatabase } from '../../server/store/index.ts'

export type MemoryStore = Database

export const openMemoryStore = (): Promise<MemoryStore> => openDatabase({ database: 'pglite' })
