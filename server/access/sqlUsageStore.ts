// Usage in the database that the processes of a service share.

import { addUsage, type Database, readMonths, readUsage } from '../store/index.ts'
import type { UsageStore } from './usageStore.ts'

export const createSqlUsageStore = (database: Pick<Database, 'read' | 'transaction'>): UsageStore => ({
  add: (batch) => addUsage(database, batch),
  read: (range) => readUsage(database.read, range),
  months: (month, keyIds) => readMonths(database.read, month, keyIds),
})
